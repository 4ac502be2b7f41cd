/** A real receiver on loopback that does what it is told, and checks signatures by the standard and by nothing of ours. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How it treats one request. */
export type Manner =
  | 'close'
  | 'endless'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  /** An address of it, `path` beginning with a slash. */
  address(path: string): string;
  /** What the next requests to this path get, in order; afterwards they are taken. */
  plan(path: string, manners: readonly Manner[]): void;
  /** Resolves once so many requests have come. */
  came(count: number): Promise<void>;
  /** Whatever came, in order. */
  readonly received: Received[];
}

const TAKEN: Manner = { status: 204 };

/** Listens on a free port. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  const plans = new Map<string, Manner[]>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const take = async (): Promise<void> => {
      const body = await text(request);
      received.push({ method: request.method ?? '', path, headers: request.headers, body });
      arrivals.emit('request');
      answer(response, plans.get(path)?.shift() ?? TAKEN);
    };
    void take();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP listener has one
  return {
    received,
    address: (path) => `http://127.0.0.1:${port}${path}`,
    async came(count) {
      while (received.length < count) await once(arrivals, 'request');
    },
    plan: (path, manners) => void plans.set(path, [...manners]),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(response: ServerResponse, manner: Manner): void {
  if (manner === 'hang') return;
  if (manner === 'close') return void response.destroy();
  if (manner === 'endless') return sendWithoutEnd(response);
  response.writeHead(manner.status, manner.headers).end('<html>');
}

function sendWithoutEnd(response: ServerResponse): void {
  const block = Buffer.alloc(65_536);
  const more = (): void => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', more);
  response.writeHead(200);
  more();
}

/** True if this secret opens one of the message's signatures: HMAC-SHA256, by WebCrypto, of "id.timestamp.body". */
export async function opens(
  secret: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
): Promise<boolean> {
  const raw = Uint8Array.from(atob(secret.replace('whsec_', '')), (byte) => byte.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(
    [headers['webhook-id'], headers['webhook-timestamp'], body].join('.'),
  );
  for (const signature of String(headers['webhook-signature']).split(' ')) {
    const [version, encoded = ''] = signature.split(',');
    const bytes = Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0));
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}
