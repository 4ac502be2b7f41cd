/** The listener: the application on a socket, with the limits that belong to connections. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Logger } from '../log.ts';
import { errorAnswer } from './error-answer.ts';
import { refusalOf, refuse, refuseUnparsed } from './node-refusals.ts';
import { watchTransfers } from './transfers.ts';

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

/** How late a client that is too slow may be noticed. */
const CUT_EVERY_MS = 5_000;

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logger: Logger;
  readonly limits?: Limits;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock?: () => number;
  /** Runs something every so often until the function it gives is called. */
  readonly every?: (ms: number, run: () => void) => () => void;
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
  const { host, port, logger, limits = LIMITS, clock = () => performance.now(), every = repeat } = options;
  const transfers = watchTransfers(clock);
  const answer = getRequestListener(
    // The bindings are those of HTTP/1, because the server below is one.
    async (request, env) => {
      const response = await fetch(request, env as HttpBindings);
      return transfers.follow(response, env.outgoing as ServerResponse, logger);
    },
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
  const stopCutting = every(CUT_EVERY_MS, () => transfers.cutSlow());
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener has one
    close: async (grace_ms) => {
      closing = true;
      const closed = once(server, 'close');
      server.close();
      const cut = setTimeout(() => server.closeAllConnections(), grace_ms);
      await closed;
      clearTimeout(cut);
      stopCutting();
    },
  };
}

function repeat(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}
