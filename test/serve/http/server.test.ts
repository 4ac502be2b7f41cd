import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { knownPaths } from '../../../src/serve/known-paths.ts';
import { bearer, bytesOf, fakeApp, type FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { exchange, parseAnswer } from './raw-http.ts';

const silent = createLogger('silent');
const HOST = 'Host: x\r\n';
const AUTH = `Authorization: Bearer ${TOKENS.personal}\r\n`;
const LAST = 'Connection: close\r\n';
const baseUrl = (): string => 'https://api.example.com/v1';

function many(count: number): string {
  return Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join('');
}

describe('the listener', () => {
  let server: Listener;
  let snapshots: FakeSnapshots;
  beforeAll(async () => {
    const fake = fakeApp();
    ({ snapshots } = fake);
    server = await listen(fake.app.fetch, {
      host: '127.0.0.1',
      port: 0,
      logger: silent,
      baseUrl,
      paths: knownPaths(fake.app),
    });
  });
  afterAll(() => server.close(0));

  it('serves a file over a real connection, with its length', async () => {
    const url = `http://127.0.0.1:${server.port}/v1/reporting/latest/costs.parquet`;
    const response = await fetch(url, bearer(TOKENS.personal));
    const bytes = bytesOf(7n, LATEST, 'costs');
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(response.headers.get('transfer-encoding')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  it('answers HEAD with the length of the file and no body', async () => {
    const request = `HEAD /v1/reporting/latest/costs.parquet HTTP/1.1\r\n${HOST}${AUTH}${LAST}\r\n`;
    const { status, headers, body } = parseAnswer(await exchange(server.port, request));
    expect(status).toBe(200);
    expect(headers).toContain(`content-length: ${bytesOf(7n, LATEST, 'costs').length}`);
    expect(body).toBe('');
  });

  it.each([
    ['no HTTP at all', 400, 'hello\r\n\r\n'],
    ['a request line with no version', 400, 'GET /\r\n\r\n'],
    ['no Host header', 400, `GET /healthz HTTP/1.1\r\n${LAST}\r\n`],
    ['two Host headers', 400, `GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`],
    ['the same Host header twice', 400, `GET /healthz HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ['an empty Host header', 400, `GET /healthz HTTP/1.1\r\nHost:\r\n\r\n`],
    ['a Host header with a user', 400, `GET /healthz HTTP/1.1\r\nHost: me@x\r\n\r\n`],
    ['no Host header beside a target with one', 400, `GET http://x/healthz HTTP/1.1\r\n${LAST}\r\n`],
    ['a target with a user', 400, `GET http://me@x/healthz HTTP/1.1\r\n${HOST}\r\n`],
    ['a target of another scheme', 400, `GET ftp://x/healthz HTTP/1.1\r\n${HOST}\r\n`],
    ['a target with a fragment', 400, `GET http://x/healthz#a HTTP/1.1\r\n${HOST}\r\n`],
    ['a target with dots', 400, `GET http://x/a/../healthz HTTP/1.1\r\n${HOST}\r\n`],
    [
      'a body for a target with a host',
      400,
      `GET http://x/healthz HTTP/1.1\r\n${HOST}Content-Length: 1\r\n\r\n1`,
    ],
    ['an unknown method', 501, `BREW /healthz HTTP/1.1\r\n${HOST}\r\n`],
    ['a method in small letters', 501, `get /healthz HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown method of HTTP/1.0', 501, `BREW /healthz HTTP/1.0\r\n\r\n`],
    ['a line that ends in its method', 400, `BREW\r\n${HOST}\r\n`],
    ['a Host header that is no host', 400, `GET /healthz HTTP/1.1\r\nHost: a b\r\n${LAST}\r\n`],
    ['a target that is no path', 400, `GET http://evil/healthz HTTP/1.1\r\n${HOST}\r\n`],
    ['a target of a star', 400, `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
    ['a body', 400, `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`],
    [
      'a body to come',
      400,
      `POST /healthz HTTP/1.1\r\n${HOST}Content-Length: 999999999\r\nExpect: 100-continue\r\n\r\n`,
    ],
    ['a chunked body', 400, `GET /healthz HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    [
      'a length and chunks',
      400,
      `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', 400, `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: 1\r\n\r\n`],
    ['a blank before a colon', 400, `GET /healthz HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n`],
    ['a folded header', 400, `GET /healthz HTTP/1.1\r\n${HOST}X: a\r\n b\r\nContent-Length: x\r\n\r\n`],
    ['two Authorization headers', 400, `GET /healthz HTTP/1.1\r\n${HOST}${AUTH}authorization: x\r\n\r\n`],
    ['an expectation', 417, `GET /healthz HTTP/1.1\r\n${HOST}Expect: a-miracle\r\n\r\n`],
    ['51 headers', 431, `GET /healthz HTTP/1.1\r\n${HOST}${many(50)}\r\n`],
    ['17 kB of headers', 431, `GET /healthz HTTP/1.1\r\n${HOST}X: ${'a'.repeat(17 * 1024)}\r\n\r\n`],
    ['a path of 17 kB', 431, `GET /${'a'.repeat(17 * 1024)} HTTP/1.1\r\n${HOST}\r\n`],
    ['TRACE', 405, `TRACE /healthz HTTP/1.1\r\n${HOST}${LAST}\r\n`],
  ])(
    'A-15, A-20, A-22, A-23, A-25, A-26: refuses %s with %i in the one error shape, and closes',
    async (_, expected, request) => {
      const { status, headers, body } = parseAnswer(await exchange(server.port, request));
      expect(status).toBe(expected);
      expect(headers).toContain('\r\ncontent-type: application/json');
      expect(headers).toContain('\r\nconnection: close');
      expect(headers).toContain('\r\nx-content-type-options: nosniff');
      expect(JSON.parse(body)).toEqual({
        error: { status: expected, message: expect.stringMatching(/\.$/) as string },
      });
    },
  );

  it('answers an unknown method with 501 in its turn, behind the request before it', async () => {
    const text = await exchange(
      server.port,
      `GET /healthz HTTP/1.1\r\n${HOST}\r\nBREW /healthz HTTP/1.1\r\n${HOST}\r\n`,
    );
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '501']);
  });

  it.each([
    ['of the Host header', 'http://x', HOST],
    ['in capitals, with the port of its scheme', 'HTTP://X:80', HOST],
    ['of https', 'https://x:443', HOST],
    ['of the public address, whatever the Host header says', 'https://api.example.com', HOST],
    ['of this machine, whatever the Host header says', 'http://localhost:PORT', HOST],
    ['of this address, whatever the Host header says', 'http://127.0.0.1:PORT', HOST],
    ['of HTTP/1.0, without a Host header', 'http://127.0.0.1:PORT', ''],
  ])('serves a target in absolute form with the host %s', async (_, origin, host) => {
    const target = origin.replace('PORT', String(server.port));
    const version = host === '' ? '1.0' : '1.1';
    for (const [path, status] of [
      ['/healthz', 200],
      ['/healthz?a=1', 400],
      ['/v1/reporting/latest/costs.parquet', 200],
      ['', 200],
      ['/nothing', 404],
    ] as const) {
      const text = await exchange(
        server.port,
        `GET ${target}${path} HTTP/${version}\r\n${host}${AUTH}${LAST}\r\n`,
      );
      expect([path, parseAnswer(text).status]).toEqual([path, status]);
    }
  });

  it('takes the host of a target in absolute form for that of the request: the assistant refuses a stranger', async () => {
    const post = async (target: string, host: string): Promise<string> => {
      const head = `Host: ${host}\r\n${AUTH}${LAST}Content-Type: application/json\r\nContent-Length: 2\r\n`;
      const text = await exchange(server.port, `POST ${target} HTTP/1.1\r\n${head}\r\n{}`);
      return text.slice(9, 12); // the assistant refuses in the shape of its protocol
    };
    expect(await post('/mcp', 'evil.example')).toBe('403');
    expect(await post('http://evil.example/mcp', 'evil.example')).toBe('403');
    expect(await post(`http://localhost:${server.port}/mcp`, 'evil.example')).toBe('400');
  });

  it.each(['/healthz', '/v1/reporting/latest/costs.parquet', `/v1/reporting/snapshots/${LATEST}/costs.csv`])(
    'serves HTTP/1.0 without a Host header, in no chunks: %s',
    async (path) => {
      const text = await exchange(server.port, `GET ${path} HTTP/1.0\r\n${AUTH}\r\n`);
      const { status, headers, body } = parseAnswer(text);
      expect(status).toBe(200);
      expect(headers).not.toContain('transfer-encoding');
      expect(headers).toContain('\r\nconnection: close');
      expect(body.length).toBeGreaterThan(0);
    },
  );

  it('sends HSTS where the public address is https, in refusals too', async () => {
    const requests = [
      `GET /healthz HTTP/1.1\r\n${HOST}${LAST}\r\n`,
      `GET /v1/reporting/latest/costs.parquet HTTP/1.1\r\n${HOST}${AUTH}${LAST}\r\n`,
      `GET /nothing HTTP/1.1\r\n${HOST}${LAST}\r\n`,
      `GET /healthz HTTP/1.1\r\n${HOST}${HOST}\r\n`,
    ];
    for (const request of requests) {
      const { headers } = parseAnswer(await exchange(server.port, request));
      expect(headers).toContain('\r\nstrict-transport-security: max-age=31536000\r\n');
    }
    const { app } = fakeApp();
    const plain = { host: '127.0.0.1', port: 0, logger: silent, baseUrl: () => 'http://localhost:8787/v1' };
    const local = await listen(app.fetch, plain);
    const { headers } = parseAnswer(await exchange(local.port, requests[0] ?? ''));
    await local.close(0);
    expect(headers).not.toContain('strict-transport-security');
  });

  it('A-26: closes on CONNECT without an answer', async () => {
    expect(await exchange(server.port, `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`)).toBe('');
  });

  it('A-26: takes an upgrade for the plain request it also is', async () => {
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n';
    const text = await exchange(server.port, `GET /healthz HTTP/1.1\r\n${HOST}${upgrade}\r\n`);
    expect(parseAnswer(text).status).toBe(200);
  });

  it('accepts 50 headers', async () => {
    const text = await exchange(server.port, `GET /healthz HTTP/1.1\r\n${HOST}${LAST}${many(48)}\r\n`);
    expect(parseAnswer(text).status).toBe(200);
  });

  it('opens nothing for a path with dots, however they are written', async () => {
    const before = snapshots.opened;
    for (const dots of [
      '../',
      '..%2f',
      '%2e%2e/',
      '%2e%2e%2f',
      '..\\',
      '..%5c',
      '....//',
      '%00',
      '%252e%252e%252f',
    ]) {
      const path = `/v1/reporting/latest/${dots}costs.parquet`;
      const text = await exchange(server.port, `GET ${path} HTTP/1.1\r\n${HOST}${AUTH}${LAST}\r\n`);
      expect([400, 404]).toContain(parseAnswer(text).status);
    }
    expect(snapshots.opened).toBe(before);
  });
});
