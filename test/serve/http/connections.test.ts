import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { trustProxies } from '../../../src/serve/http/client-address.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { fakeApp } from '../fake-parts.ts';
import { exchange, parseAnswer } from './raw-http.ts';

const open: { server: Listener; sockets: Socket[] }[] = [];
afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    sockets.forEach((socket) => socket.destroy());
    await server.close(0);
  }
});

async function serving(
  limits: { connections?: number; connections_by_address?: number },
  proxies: readonly string[] = [],
) {
  const { isProxy } = trustProxies(proxies);
  const logger = createLogger('silent');
  const server = await listen(fakeApp().app.fetch, { host: '127.0.0.1', port: 0, logger, limits, isProxy });
  const sockets: Socket[] = [];
  open.push({ server, sockets });
  /** Opens a connection and asks on it, so that it is certain to be held. */
  const hold = async (): Promise<'answered' | 'closed'> => {
    const socket = connect(server.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    return await Promise.race([
      once(socket, 'data').then(() => 'answered' as const),
      once(socket, 'close').then(() => 'closed' as const),
    ]);
  };
  return { server, sockets, hold };
}

describe('connections', () => {
  it('above the maximum of one address are closed unanswered, and a closed connection makes room', async () => {
    const { server, sockets, hold } = await serving({ connections_by_address: 2 });
    expect([await hold(), await hold(), await hold()]).toEqual(['answered', 'answered', 'closed']);
    const [first] = sockets;
    first?.end();
    if (first !== undefined) await once(first, 'close');
    const text = await exchange(server.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(parseAnswer(text).status).toBe(200);
  });

  it('of a trusted proxy are many people’s, and not counted', async () => {
    const { hold } = await serving({ connections_by_address: 1 }, ['127.0.0.1']);
    expect([await hold(), await hold()]).toEqual(['answered', 'answered']);
  });

  it('beyond the number of all are closed', async () => {
    const { hold } = await serving({ connections: 2 });
    expect([await hold(), await hold(), await hold()]).toEqual(['answered', 'answered', 'closed']);
  });
});

describe('A-21: a thousand slow sockets', () => {
  it('of one address that never end their headers hold no more than it may, and the others are closed', async () => {
    const { server, sockets, hold } = await serving({ connections_by_address: 50 });
    const ended: Socket[] = [];
    const enough = Promise.withResolvers<void>();
    for (let count = 0; count < 1_000; count += 1) {
      const socket = connect(server.port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => socket.destroy());
      socket.resume(); // or it would never see that it was closed
      socket.on('close', () => ended.push(socket) === 950 && enough.resolve());
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    }
    await enough.promise;
    const held = sockets.find((socket) => !ended.includes(socket));
    held?.end();
    if (held !== undefined) await once(held, 'close');
    expect([await hold(), await hold()]).toEqual(['answered', 'closed']);
  });
});
