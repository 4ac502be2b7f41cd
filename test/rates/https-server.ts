/** A real https server on loopback, whose answers the test scripts by path. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certified } from './certificate.ts';

export type Answers = Readonly<Record<string, (response: ServerResponse) => void>>;

export interface HttpsServer {
  /** An address of it, `path` beginning with a slash. */
  address(path: string): string;
  /** The paths asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Listens on a free port; what has no answer is 404. */
export async function serveHttps(certified: Certified, answers: Answers): Promise<HttpsServer> {
  const asked: string[] = [];
  const server = createServer(certified, (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    address: (path) => `https://127.0.0.1:${port}${path}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
