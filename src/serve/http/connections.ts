/** How many connections one address may hold: the rest of the world is to be served too. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

/** Closes what is beyond `most` of one address, unanswered; a proxy's connections are many people's. */
export function capConnections(
  server: Server,
  most: number,
  isProxy: (remote: string | undefined) => boolean,
): void {
  const held = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const address = networkOf(remoteAddress);
    const count = (held.get(address) ?? 0) + 1;
    held.set(address, count);
    socket.once('close', () => {
      const left = (held.get(address) ?? 1) - 1;
      if (left === 0) held.delete(address);
      else held.set(address, left);
    });
    if (count > most) socket.destroy();
  });
}
