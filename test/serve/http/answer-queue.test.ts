import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { ANY_PATHS } from '../../../src/serve/http/node-refusals.ts';
import { BufferedResponse } from '../../../src/serve/http/buffered-response.ts';
import { fakeApp, FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { exchange, parseAnswer } from './raw-http.ts';

/** More than the buffers of a socket hold on both sides. */
const LARGE = new Uint8Array(32 * 1024 * 1024);
const TOKEN = `Authorization: Bearer ${TOKENS.personal}\r\n`;

const servers: Listener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.close(0);
});

const MESSAGE = { name: 'A message', most: 1_000 };

type Fetch = Parameters<typeof listen>[0];

async function serve(fetch: Fetch, lines: string[] = []): Promise<number> {
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const paths = { ...ANY_PATHS, bodyOf: (path: string) => (path === '/mcp' ? MESSAGE : undefined) };
  const server = await listen(fetch, { host: '127.0.0.1', port: 0, logger, paths });
  servers.push(server);
  return server.port;
}

/** A connection that has sent these bytes and reads only the first of the answer. */
async function stalled(
  port: number,
  bytes: string,
): Promise<{ socket: Socket; read: () => Promise<Buffer> }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const chunks: Buffer[] = [];
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(bytes, 'latin1');
  await once(socket, 'data');
  socket.pause();
  const read = async (): Promise<Buffer> => {
    socket.resume();
    await once(socket, 'close');
    return Buffer.concat(chunks);
  };
  return { socket, read };
}

function get(path: string, more = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
}

/** Where each answer begins in what a connection gave, and its status. */
function answersIn(bytes: Buffer): readonly (readonly [status: number, at: number])[] {
  const text = bytes.toString('latin1');
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(({ 1: status, index }) => [Number(status), index]);
}

/** A large table as CSV, in pieces and without a length. */
class LargeCsv extends FakeSnapshots {
  override async openCsv() {
    let left = 512;
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
  }
}

describe('pipelined requests', () => {
  it('start one by one, each when the socket has taken the answer before it', async () => {
    const started: string[] = [];
    const port = await serve((request) => {
      started.push(new URL(request.url).pathname);
      return new BufferedResponse(LARGE, { headers: { 'content-length': String(LARGE.length) } });
    });
    const { read } = await stalled(port, `${get('/1')}${get('/2')}${get('/3', 'Connection: close\r\n')}`);
    await exchange(port, get('/other', 'Connection: close\r\n')); // the server has had its turn since
    expect(started).toEqual(['/1', '/other']);
    const bytes = await read();
    expect(started).toEqual(['/1', '/other', '/2', '/3']);
    expect(answersIn(bytes).map(([status]) => status)).toEqual([200, 200, 200]);
    expect(bytes.length).toBeGreaterThan(3 * LARGE.length);
  });

  it('that have not started when their client goes never start', async () => {
    const started: string[] = [];
    const gone = Promise.withResolvers<void>();
    const port = await serve((request, { outgoing }) => {
      started.push(new URL(request.url).pathname);
      outgoing.once('close', () => gone.resolve());
      return new BufferedResponse(LARGE, {});
    });
    const { socket } = await stalled(port, get('/1') + get('/2'));
    socket.destroy();
    await gone.promise;
    await exchange(port, get('/other', 'Connection: close\r\n'));
    expect(started).toEqual(['/1', '/other']);
  });

  it('are read no further while one of them waits', async () => {
    let started = 0;
    let served: Socket | undefined;
    const first = Promise.withResolvers<Response>();
    const port = await serve((_, { incoming }) => {
      started += 1;
      served = incoming.socket;
      return started === 1 ? first.promise : new Response('ok');
    });
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    // Far more than the kernel holds for both sides: what the server does not read stays here.
    socket.write(get('/', `X: ${'a'.repeat(8_000)}\r\n`).repeat(4_000));
    await expect.poll(() => served?.isPaused() === true || socket.writableLength === 0).toBe(true);
    expect(started).toBe(1);
    expect(socket.writableLength).toBeGreaterThan(0);
    first.resolve(new Response('ok'));
    socket.resume();
    await expect.poll(() => started, { timeout: 60_000 }).toBe(4_000);
  });

  it('are all answered on a connection whose client has closed its side', async () => {
    const port = await serve(fakeApp().app.fetch);
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.end(get('/healthz') + get('/readyz') + get('/nothing'));
    await once(socket, 'close');
    expect(answersIn(Buffer.concat(chunks)).map(([status]) => status)).toEqual([200, 200, 404]);
  });
});

describe('a client that closes its side after its request', () => {
  it.each(['/v1/reporting/latest/costs.parquet', `/v1/reporting/snapshots/${LATEST}/costs.csv`, '/healthz'])(
    'still gets %s',
    async (path) => {
      const { app } = fakeApp();
      const port = await serve(async (request, env) => {
        const { socket } = env.incoming;
        if (!socket.readableEnded) await once(socket, 'end'); // the answer begins after the client's end was seen
        return await app.fetch(request, env);
      });
      const socket = connect({ port, host: '127.0.0.1' });
      sockets.push(socket);
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.end(get(path, TOKEN));
      await once(socket, 'close');
      const { status, headers, body } = parseAnswer(Buffer.concat(chunks).toString('latin1'));
      expect(status).toBe(200);
      const end = headers.includes('chunked') ? body.slice(-5) : `content-length: ${body.length}`;
      expect(`0\r\n\r\n\r\n${headers}`).toContain(end);
    },
  );
});

describe('bytes that are no HTTP', () => {
  const CHUNKED = 'Host: x\r\nTransfer-Encoding: chunked\r\n\r\n';

  it('in the body of a request that is refused get no second answer', async () => {
    const port = await serve(fakeApp().app.fetch);
    const text = await exchange(port, `POST /v1/reporting/schema.json HTTP/1.1\r\n${CHUNKED}zz\r\n`);
    expect(answersIn(Buffer.from(text, 'latin1')).map(([status]) => status)).toEqual([400]);
    expect(parseAnswer(text).body).toContain('This route accepts no request body.');
  });

  it('in the body of a request that waits for it are its one answer, and its one line in the log', async () => {
    const lines: string[] = [];
    const { app } = fakeApp({
      logger: createLogger('info', { write: (line) => lines.push(line) }),
      baseUrl: () => 'http://x/v1',
    });
    const port = await serve(app.fetch, lines);
    const type = 'Origin: http://x\r\nContent-Type: application/x-www-form-urlencoded\r\n';
    const text = await exchange(port, `POST /sign-in HTTP/1.1\r\n${type}${CHUNKED}zz\r\n${get('/healthz')}`);
    expect(answersIn(Buffer.from(text, 'latin1')).map(([status]) => status)).toEqual([400]);
    expect(parseAnswer(text).headers).toContain('\r\nconnection: close');
    await exchange(port, get('/nothing', 'Connection: close\r\n'));
    const logged = lines.map((line) => JSON.parse(line) as { event: string; status: number });
    expect(logged).toMatchObject([
      { event: 'request.refused', status: 400 },
      { event: 'request.answered', status: 404 },
    ]);
  });

  it('in a body that comes while its request is answered do not disturb that answer', async () => {
    const go = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const port = await serve(() => {
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          began.resolve();
          await go.promise;
          controller.enqueue(Buffer.from('whole'));
          controller.close();
        },
      });
      return new Response(body);
    });
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    const closed = once(socket, 'close');
    socket.write(`POST /mcp HTTP/1.1\r\n${CHUNKED}`);
    await began.promise;
    socket.write('zz\r\n');
    await exchange(port, 'hello\r\n\r\n');
    go.resolve();
    await closed;
    const text = Buffer.concat(chunks).toString('latin1');
    expect(answersIn(Buffer.concat(chunks)).map(([status]) => status)).toEqual([200]);
    expect(text).toMatch(/5\r\nwhole\r\n0\r\n\r\n$/);
  });

  it('after a request with a large unread CSV are answered after the whole CSV, never inside it', async () => {
    const port = await serve(fakeApp({ snapshots: new LargeCsv() }).app.fetch);
    const { socket, read } = await stalled(port, get(`/v1/reporting/snapshots/${LATEST}/costs.csv`, TOKEN));
    socket.write('garbage\r\n\r\n');
    socket.write('and more of it\r\n\r\n');
    await exchange(port, get('/healthz', 'Connection: close\r\n'));
    const bytes = await read();
    const [, second, ...more] = answersIn(bytes);
    const [status, at] = second ?? [0, 0];
    expect([status, more]).toEqual([400, []]);
    // 512 pieces of 65,536 bytes, each with its length in hex (5 digits) and two line ends, and the last, empty one.
    const csv = 512 * (65_536 + 5 + 4) + '0\r\n\r\n'.length;
    expect(at - bytes.indexOf('\r\n\r\n') - 4).toBe(csv);
    expect(bytes.toString('latin1', at - 5, at)).toBe('0\r\n\r\n');
    expect(parseAnswer(bytes.toString('latin1', at)).body).toContain('The request is not well-formed HTTP.');
  });

  it('in the body of a request that waits its turn are answered in its turn', async () => {
    const first = Promise.withResolvers<Response>();
    const { app } = fakeApp();
    const port = await serve(async (request, env) =>
      request.url.endsWith('/first') ? await first.promise : await app.fetch(request, env),
    );
    const text = exchange(port, `${get('/first')}${get('/healthz')}POST /mcp HTTP/1.1\r\n${CHUNKED}zz\r\n`);
    await exchange(port, get('/healthz', 'Connection: close\r\n'));
    first.resolve(new Response(null, { status: 204 }));
    expect(answersIn(Buffer.from(await text, 'latin1')).map(([status]) => status)).toEqual([204, 200, 400]);
  });
});
