/** A TCP proxy on this machine whose far end goes away for a while: connections are reset, or stall without a word. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Outage = 'resets' | 'stalls';

export interface OutageProxy extends AsyncDisposable {
  readonly port: number;
  /** Takes the far end away, from connections that are open too. */
  begin(outage: Outage): void;
  /** Brings it back; what stalled is cut, as by a gateway that was started anew. */
  end(): void;
}

/** Starts it in front of a port. */
export async function startOutageProxy(target: number): Promise<OutageProxy> {
  const sockets = new Set<Socket>();
  let now: Outage | null = null;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (now === 'resets') return void client.resetAndDestroy();
    if (now === 'stalls') return void client.pause();
    const upstream = connect(target, '127.0.0.1');
    keep(upstream);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // a TCP server has one
    begin(outage) {
      now = outage;
      for (const socket of sockets) {
        if (outage === 'resets') socket.resetAndDestroy();
        else socket.unpipe().pause();
      }
    },
    end() {
      now = null;
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
