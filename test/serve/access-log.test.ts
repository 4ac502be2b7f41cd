import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/log.ts';
import type { MetricsAnswer } from '../../src/serve/metrics/metrics.ts';
import { listen, type Listener } from '../../src/serve/http/server.ts';
import { knownPaths } from '../../src/serve/known-paths.ts';
import { bytesOf, fakeApp, FakeSnapshots, LATEST, TOKENS } from './fake-parts.ts';
import { ask, exchange } from './http/raw-http.ts';

/** Endless, so that only the client can end it. */
class Endless extends FakeSnapshots {
  override async openTable() {
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    });
  }
}

const lines: string[] = [];
const logger = createLogger('debug', { write: (line) => lines.push(line) });
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
/** What the metrics count. */
const answers: MetricsAnswer[] = [];
const onAnswer = (answer: MetricsAnswer): void => void answers.push(answer);
let server: Listener;
let endless: Listener;
beforeAll(async () => {
  const options = { host: '127.0.0.1', port: 0, logger, newRequestId: () => 'below' };
  const { app } = fakeApp({ logger, onAnswer });
  server = await listen(app.fetch, { ...options, paths: knownPaths(app) });
  endless = await listen(fakeApp({ logger, snapshots: new Endless() }).app.fetch, options);
});
afterAll(() => Promise.all([server.close(0), endless.close(0)]));
beforeEach(() => void lines.splice(0));

/** Waits until a line of this event was written: the connection may end a moment earlier. */
async function lineOf(event: string): Promise<Record<string, unknown> | undefined> {
  const found = () => logged().find((line) => line['event'] === event);
  await expect.poll(found, { interval: 1 }).toBeDefined();
  return found();
}

describe('the line of a request', () => {
  it('names caller and route, the number of sent bytes, and that all were sent', async () => {
    const path = `/v1/reporting/snapshots/${LATEST}/costs.parquet`;
    await ask(server.port, path, { token: TOKENS.personal });
    const line = await lineOf('request.answered');
    expect(line).toMatchObject({
      level: 'info',
      request_id: expect.stringMatching(/^request-\d+$/) as string,
      account: '7',
      token_id: '1',
      method: 'GET',
      route: '/v1/reporting/snapshots/:snapshot_id/:table{[a-z_]+\\.parquet}',
      snapshot: LATEST,
      table: 'costs',
      status: 200,
      bytes: bytesOf(7n, LATEST, 'costs').length,
      outcome: 'completed',
    });
    expect(logged()).toHaveLength(1);
  });

  it('counts the bytes of an answer in one piece', async () => {
    const { headers } = await ask(server.port, '/v1/reporting/latest', { token: TOKENS.personal });
    const line = await lineOf('request.answered');
    expect(line).toMatchObject({ bytes: Number(headers['content-length']), outcome: 'completed' });
    expect(line?.['bytes']).toBeGreaterThan(0);
  });

  it('says that a client went away, and how much it had taken', async () => {
    const socket = connect(endless.port, '127.0.0.1');
    const authorization = `Authorization: Bearer ${TOKENS.personal}`;
    socket.write(`GET /v1/reporting/latest/costs.parquet HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`);
    await once(socket, 'data');
    socket.destroy();
    const line = await lineOf('request.answered');
    expect(line).toMatchObject({ status: 200, outcome: 'cut_off', snapshot: LATEST, table: 'costs' });
    expect(line?.['bytes']).toBeGreaterThan(0);
  });

  it.each([
    ['closes', '/sign-in', (socket: Socket) => socket.destroy()],
    ['resets', '/sign-in', (socket: Socket) => socket.resetAndDestroy()],
    ['closes', '/mcp', (socket: Socket) => socket.destroy()],
    ['resets', '/mcp', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'says 499 and no error of a client that %s the connection inside a body to %s',
    async (_, path, leave) => {
      const socket = connect(server.port, '127.0.0.1');
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: localhost',
        'Origin: https://localhost',
        `Authorization: Bearer ${TOKENS.personal}`,
        `Content-Type: ${path === '/mcp' ? 'application/json' : 'application/x-www-form-urlencoded'}`,
        'Content-Length: 100',
        'Expect: 100-continue',
      ].join('\r\n');
      socket.write(`${head}\r\n\r\n`);
      await once(socket, 'data'); // the server waits for the body
      await new Promise((written) => void socket.write('ten bytes.', written));
      leave(socket);
      const line = await lineOf('request.answered');
      expect(line).toMatchObject({ method: 'POST', route: path, status: 499, outcome: 'cut_off' });
      expect(logged().filter(({ event }) => event !== 'request.answered')).toEqual([]);
      expect(answers.at(-1)).toMatchObject({ route: path, status: 499 });
    },
  );

  it('counts no bytes where there is no body', async () => {
    await ask(server.port, '/v1/reporting/latest', { method: 'HEAD', token: TOKENS.personal });
    expect(await lineOf('request.answered')).toMatchObject({ status: 200, bytes: 0, outcome: 'completed' });
  });

  it('is written for a request that the application never sees, under the id of the answer', async () => {
    for (const [request, status] of [
      ['hello\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nContent-Length: 5\r\nHost: x\r\n\r\nhello', 400],
      ['GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
      ['GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n', 417],
    ] as const) {
      lines.splice(0);
      const text = await exchange(server.port, request);
      expect(text.toLowerCase()).toContain('\r\nx-request-id: below\r\n');
      expect(logged()).toMatchObject([{ event: 'request.refused', request_id: 'below', status }]);
    }
  });
});

describe('the log', () => {
  const SECRETS = [TOKENS.personal, TOKENS.unknown, TOKENS.reporting, 'hunter2-in-clear'];
  /** A token in every place where somebody might put one. */
  const requests = SECRETS.flatMap((secret) => {
    const pair = Buffer.from(`${secret}:${secret}`).toString('base64');
    const headers = [
      `Authorization: Bearer ${secret}`,
      `Authorization: Basic ${pair}`,
      `Authorization: Bearer ${secret}\r\nAuthorization: Bearer ${secret}`,
      `Authorization: ${secret}`,
      `X-Request-Id: ${secret}`,
      `X-Forwarded-For: ${secret}`,
      `If-None-Match: "${secret}"`,
      `Range: bytes=${secret}`,
      `User-Agent: ${secret}`,
      `Referer: https://x/?token=${secret}`,
      `Cookie: token=${secret}`,
      `${secret}: x`,
      `Content-Length: ${secret}`,
    ].map((line) => `GET /v1/reporting/latest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line}\r\n\r\n`);
    const lead = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const targets = [
      `/v1/reporting/latest?token=${secret}`,
      `/v1/cost_entries?${secret}=1`,
      `/v1/reporting/snapshots/${secret}`,
      `/v1/initiatives/${secret}`,
      `/${secret}`,
      `/docs/${secret}`,
      `/v1/../${secret}`,
    ].map((target) => `GET ${target} ${lead}`);
    const authorized = targets.map((request) =>
      request.replace('Host: x', `Host: x\r\nAuthorization: Bearer ${TOKENS.personal}`),
    );
    return [...headers, ...targets, ...authorized, `${secret} / ${lead}`, secret];
  });

  it('A-9: holds no secret, wherever one was put, at any level', async () => {
    for (const request of requests) await exchange(server.port, `${request}\r\n\r\n`);
    const text = lines.join('');
    expect(lines.length).toBeGreaterThanOrEqual(requests.length);
    const found = [...SECRETS, ...SECRETS.map((secret) => Buffer.from(secret).toString('base64'))].filter(
      (secret) => text.includes(secret),
    );
    expect(found).toEqual([]);
    expect(text).not.toMatch(/cf_pat_|cf_rpt_|hunter2/);
  });
});
