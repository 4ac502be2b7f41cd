/** Limits the connections of one address, so that other clients can connect. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

/** Closes connections of one address beyond `most` without an answer. A proxy is exempt: it carries many clients. */
export function capConnections(
  server: Server,
  most: number,
  isProxy: (remote: string | undefined) => boolean,
): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const address = networkOf(remoteAddress);
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    socket.once('close', () => {
      const remaining = (counts.get(address) ?? 1) - 1;
      if (remaining === 0) counts.delete(address);
      else counts.set(address, remaining);
    });
    if (count > most) socket.destroy();
  });
}
