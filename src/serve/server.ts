/** The listener: the application on a socket, with the limits that belong to connections. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { errorFields, type Logger } from '../log.ts';
import { errorAnswer } from './error-answer.ts';
import { refusalOf, refuse, refuseUnparsed } from './node-refusals.ts';

interface Limits {
  /** Until all headers have come. */
  readonly headers_ms: number;
  /** Until the whole request has come. */
  readonly request_ms: number;
  /** Without a byte either way, in a request, an answer or between two. */
  readonly idle_ms: number;
  /** How late the first two may be noticed. */
  readonly check_ms: number;
  readonly header_bytes: number;
}

/** Enough for the slowest honest client, too little to hold a thousand connections open for nothing. */
const LIMITS: Limits = {
  headers_ms: 10_000,
  request_ms: 30_000,
  idle_ms: 30_000,
  check_ms: 2_000,
  header_bytes: 16 * 1024,
};

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logger: Logger;
  readonly limits?: Limits;
}

export interface Listener {
  /** The port that was bound. */
  readonly port: number;
  /** Stops accepting, lets running answers end for so long, then cuts what is left. */
  close(grace_ms: number): Promise<void>;
}

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** Listens; resolves once connections are accepted. */
export async function listen(fetch: Fetch, options: ListenOptions): Promise<Listener> {
  const { host, port, logger, limits = LIMITS } = options;
  const answer = getRequestListener(
    // The bindings are those of HTTP/1, because the server below is one.
    async (request, env) =>
      cutWhenBroken(await fetch(request, env as HttpBindings), env.outgoing as ServerResponse, logger),
    {
      overrideGlobalObjects: false,
      errorHandler: () => errorAnswer(400, 'The request is not well-formed HTTP.'),
    },
  );
  const server = createServer({
    headersTimeout: limits.headers_ms,
    requestTimeout: limits.request_ms,
    keepAliveTimeout: limits.idle_ms,
    connectionsCheckingInterval: limits.check_ms,
    maxHeaderSize: limits.header_bytes,
    requireHostHeader: false, // refused by the adapter instead, in our error shape
  });
  // Node would drop what is beyond its own count without a word; the size bounds them, and we count.
  server.maxHeadersCount = 0;
  server.timeout = limits.idle_ms;
  let closing = false;
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    // Node closes the connections that are idle when it stops, not those that become so afterwards.
    response.once('close', () => closing && request.socket.end());
    const refusal = refusalOf(request);
    if (refusal !== null) refuse(response, refusal);
    else void answer(request, response);
  };
  server.on('request', receive);
  server.on('clientError', refuseUnparsed);
  server.on('checkContinue', receive); // a body is announced: refused before it is sent
  server.on('checkExpectation', (_, response) =>
    refuse(response, { status: 417, message: 'The server meets no expectation of a request.' }),
  );
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener has one
    close: async (grace_ms) => {
      closing = true;
      const closed = once(server, 'close');
      server.close();
      const cut = setTimeout(() => server.closeAllConnections(), grace_ms);
      await closed;
      clearTimeout(cut);
    },
  };
}

/**
 * A body that breaks takes its connection with it, so that no client sees a whole answer. Left to the adapter, the
 * text of the error would be appended to the body, and might complete the promised length.
 */
function cutWhenBroken(response: Response, outgoing: ServerResponse, logger: Logger): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        logger.error('transfer.broken', errorFields(error));
        outgoing.destroy();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
}
