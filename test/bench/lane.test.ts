import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Lane } from './lane.ts';

/** In place of a piece: the server closes the connection. */
const END = '';

let server: Server | undefined;
afterEach(async () => {
  server?.close();
  if (server !== undefined) await once(server, 'close');
});

/** A server that sends these pieces for each request, each once the one before has gone. */
async function answering(...pieces: readonly string[]): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  server = createServer({ noDelay: true }, (socket: Socket) => {
    socket.on('data', (request) => {
      asked.push(String(request));
      const send = ([piece, ...rest]: readonly string[]): void => {
        if (piece === END) socket.destroySoon();
        else if (piece !== undefined) socket.write(piece, () => setImmediate(() => send(rest)));
      };
      send(pieces);
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, asked };
}

it('a lane parses head and body in any chunks, one answer after the other', async () => {
  const { port, asked } = await answering(
    'HTTP/1.1 206 Partial\r\nContent-Le',
    'ngth: 7\r\n\r',
    '\nabc',
    'defg',
  );
  using lane = await Lane.open(port);
  expect(await lane.ask('/costs', { range: 'bytes=0-6' })).toMatchObject({ status: 206, bytes: 7 });
  expect(await lane.ask('/value', {})).toMatchObject({ status: 206, bytes: 7 });
  expect(asked).toEqual([
    'GET /costs HTTP/1.1\r\nhost: 127.0.0.1\r\nrange: bytes=0-6\r\n\r\n',
    'GET /value HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  ]);
});

it('a lane takes an answer without a body', async () => {
  const { port } = await answering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  using lane = await Lane.open(port);
  expect(await lane.ask('/', {})).toMatchObject({ status: 200, bytes: 0 });
});

it('a lane refuses an answer without its length', async () => {
  const { port } = await answering('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
  using lane = await Lane.open(port);
  await expect(lane.ask('/', {})).rejects.toThrow('does not say how long it is');
});

it('a lane fails if the connection ends before the answer does', async () => {
  const { port } = await answering('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab', END);
  using lane = await Lane.open(port);
  await expect(lane.ask('/', {})).rejects.toThrow('the server closed the connection');
});
