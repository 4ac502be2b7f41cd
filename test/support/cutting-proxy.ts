/** A TCP proxy on this machine that cuts connections, or falls silent, after as many bytes of answers as it is told. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /** How many connections it has cut. */
  cuts(): number;
  /** From now on no byte passes on any connection, in either direction, and none is closed: the server hangs. */
  hang(): void;
  close(): Promise<void>;
}

/** What the end of what is let through is like: an orderly end, a reset, or a silence without an end. */
export type Ending = 'cut' | 'reset' | 'silence';

interface Plan {
  /** How many bytes of answers the next connection lets through; null for all. */
  readonly allowance: () => number | null;
  /** How a connection that has used it up ends; cut when it is not said. */
  readonly ending?: () => Ending;
  /** Hears how many bytes of answers have passed, over all connections. */
  readonly onPassed?: (bytes: number) => void;
}

/** Starts it in front of a port, which may be another for each connection. */
export async function startCuttingProxy(target: number | (() => number), plan: Plan): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let passed = 0;
  let cuts = 0;
  let hung = false;
  const server = createServer((client) => {
    let left = plan.allowance() ?? Infinity;
    const ending = plan.ending?.() ?? 'cut';
    const upstream = connect(typeof target === 'number' ? target : target(), '127.0.0.1');
    const both = [client, upstream];
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        for (const each of both) each.end();
      });
    }
    // No client reads what such a server still says: the side that gave up closes both ends.
    if (ending === 'silence') client.once('close', () => upstream.destroy());
    client.on('data', (chunk: Buffer) => {
      if (hung || upstream.write(chunk)) return;
      client.pause();
      upstream.once('drain', () => client.resume());
    });
    upstream.on('data', (chunk: Buffer) => {
      if (hung) return;
      const piece = chunk.subarray(0, Math.min(left, chunk.length));
      left -= piece.length;
      passed += piece.length;
      const room = client.write(piece);
      plan.onPassed?.(passed);
      if (piece.length < chunk.length) {
        cuts += 1;
        if (ending === 'silence') return void upstream.pause();
        upstream.destroy();
        if (ending === 'reset') client.resetAndDestroy();
        else client.end(); // what was let through arrives
      } else if (!room) {
        upstream.pause();
        client.once('drain', () => upstream.resume());
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // a TCP server has one
    cuts: () => cuts,
    hang: () => {
      hung = true;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
