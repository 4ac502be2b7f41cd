/** A server that publishes two small tables and answers, where a test says so, as no good server does. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const SNAPSHOT_ID = '20260715T020000Z';
export const TABLES: Readonly<Record<string, Buffer>> = {
  costs: Buffer.from('what it costs, '.repeat(20)),
  snapshot: Buffer.from('one row'),
};

export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface ScriptedServer {
  readonly url: string;
  /** Every request, in order. */
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** Answers a request itself, or leaves it to the good server by giving false. */
type Script = (request: IncomingMessage, response: ServerResponse, nth: number) => boolean;

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The manifest of the tables, with whatever a test wants otherwise. */
export function manifestOf(changed: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const tables = Object.entries(TABLES).map(([name, bytes]) => ({
    name,
    row_count: 1,
    size_bytes: bytes.length,
    sha256: sha256(bytes),
  }));
  const generated_at = '2026-07-15T02:00:00.000000Z';
  const told = { snapshot_id: SNAPSHOT_ID, generated_at, account_id: 7, tables, files: [], retraction: null };
  return { ...told, ...changed };
}

/** Starts it; `script` is asked first, and told how often its path was asked for before. */
export async function startScripted(script: Script = () => false): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const nth = asked.filter((each) => each.path === path).length;
    asked.push({ path, headers: request.headers });
    if (!script(request, response, nth)) answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  if (path.endsWith('/latest') || path.endsWith(SNAPSHOT_ID)) {
    response.end(JSON.stringify(manifestOf()));
    return;
  }
  const bytes = TABLES[/(\w+)\.parquet$/.exec(path)?.[1] ?? ''];
  if (bytes === undefined) {
    response.writeHead(404).end('{"error":{"message":"There is no such route."}}');
    return;
  }
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from > 0) response.setHeader('content-range', `bytes ${from}-${bytes.length - 1}/${bytes.length}`);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': bytes.length - from });
  response.end(bytes.subarray(from));
}
