import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { listen, type Listener } from '../../src/serve/server.ts';
import { bearer, bytesOf, fakeApp, FakeSnapshots, LATEST, TOKENS } from './fake-parts.ts';
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
    server = await listen(fake.app.fetch, { host: '127.0.0.1', port: 0, logger: silent, baseUrl });
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

  it('tells browsers to keep to https where the public address does, in refusals too', async () => {
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

describe('a body that breaks', () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {});
  afterEach(() => written.mockClear());

  it.each([0, 1, 2, 5])(
    'after %i good blocks is cut off: never a whole answer, nor the text of the error',
    async (good) => {
      const lines: string[] = [];
      // The promised length is what the blocks and the error's text would add up to.
      const breaking = new (class extends FakeSnapshots {
        override async openTable() {
          let sent = 0;
          return new ReadableStream<Uint8Array<ArrayBuffer>>({
            pull: (controller) => {
              sent += 1;
              if (sent > good) controller.error(new Error('block 3 of /srv/objects is bad'));
              else controller.enqueue(new Uint8Array(4));
            },
          });
        }
      })();
      const logger = createLogger('error', { write: (line) => lines.push(line) });
      const { app } = fakeApp({ snapshots: breaking });
      const server = await listen(app.fetch, { host: '127.0.0.1', port: 0, logger });
      const request = `GET /v1/reporting/latest/costs.parquet HTTP/1.1\r\n${HOST}${AUTH}${LAST}\r\n`;
      const text = await exchange(server.port, request);
      await server.close(0);
      expect(text).not.toContain('bad');
      const { headers, body } = parseAnswer(text);
      const promised = Number(/content-length: (\d+)/.exec(headers)?.[1] ?? 1);
      expect(body.length).toBeLessThan(promised);
      expect(lines.join('')).toContain('"event":"transfer.broken"');
      expect(written).not.toHaveBeenCalled();
    },
  );

  it('stops reading the file when the client has gone', async () => {
    const cancelled = Promise.withResolvers<string>();
    const endless = new (class extends FakeSnapshots {
      override async openTable() {
        return new ReadableStream<Uint8Array<ArrayBuffer>>({
          pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
          cancel: () => cancelled.resolve('cancelled'),
        });
      }
    })();
    const server = await listen(fakeApp({ snapshots: endless }).app.fetch, {
      host: '127.0.0.1',
      port: 0,
      logger: silent,
    });
    const gone = new AbortController();
    const url = `http://127.0.0.1:${server.port}/v1/reporting/latest/costs.parquet`;
    await fetch(url, { ...bearer(TOKENS.personal), signal: gone.signal });
    gone.abort();
    expect(await cancelled.promise).toBe('cancelled');
    await server.close(0);
  });
});

describe('a slow client', () => {
  const patient = {
    headers_ms: 60_000,
    request_ms: 60_000,
    idle_ms: 60_000,
    check_ms: 5,
    header_bytes: 16_384,
  };
  const slow = async (limits: typeof patient, bytes: string) => {
    const server = await listen(() => new Promise<Response>(() => {}), {
      host: '127.0.0.1',
      port: 0,
      logger: silent,
      limits,
    });
    const text = await exchange(server.port, bytes);
    await server.close(0);
    return text;
  };

  it('A-21: whose headers do not end gets 408 in the one error shape', async () => {
    const { status, body } = parseAnswer(
      await slow({ ...patient, headers_ms: 20 }, `GET / HTTP/1.1\r\n${HOST}`),
    );
    expect(status).toBe(408);
    expect(JSON.parse(body)).toEqual({
      error: { status: 408, message: 'The request took too long to arrive.' },
    });
  });

  it('that neither sends nor takes anything is cut off', async () => {
    expect(await slow({ ...patient, idle_ms: 20 }, `GET / HTTP/1.1\r\n${HOST}\r\n`)).toBe('');
  });
});

describe('closing', () => {
  it('lets a running answer end, and accepts no new connection', async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const server = await listen(
      async () => {
        asked.resolve();
        await go.promise;
        return new Response('late');
      },
      { host: '127.0.0.1', port: 0, logger: silent },
    );
    const url = `http://127.0.0.1:${server.port}/`;
    const answer = fetch(url);
    await asked.promise;
    const closed = server.close(60_000);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    go.resolve();
    expect(await (await answer).text()).toBe('late');
    await closed;
  });

  it('cuts what has not ended in time', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await listen(
      () => {
        asked.resolve();
        return new Promise<Response>(() => {});
      },
      { host: '127.0.0.1', port: 0, logger: silent },
    );
    const answer = fetch(`http://127.0.0.1:${server.port}/`);
    await asked.promise;
    await Promise.all([server.close(1), expect(answer).rejects.toThrow('fetch failed')]);
  });

  it('fails to listen where something else does, naming the address', async () => {
    const server = await listen(() => new Response(), { host: '127.0.0.1', port: 0, logger: silent });
    const again = listen(() => new Response(), { host: '127.0.0.1', port: server.port, logger: silent });
    await expect(again).rejects.toThrow(`127.0.0.1:${server.port}`);
    await server.close(0);
  });
});
