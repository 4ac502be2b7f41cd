/** The listener: serves the application on a socket and limits connections. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Logger } from '../../log.ts';
import { AnswerQueue, claimAnswer } from './answer-queue.ts';
import { capConnections } from './connections.ts';
import { errorAnswer } from './error-answer.ts';
import { separateChallenges } from './header-values.ts';
import {
  ANY_PATHS,
  hasStrayBody,
  isEnded,
  type Paths,
  refusalOf,
  refusalOfUnparsed,
  refuse,
  refuseUnparsed,
} from './node-refusals.ts';
import type { Refusal } from './request-target.ts';
import { hostsOf } from './request-target.ts';
import { sendPieces } from './send-pieces.ts';
import { type SendingBindings, watchTransfers } from './transfers.ts';
import { sendBuffered, BufferedResponse } from './buffered-response.ts';

interface Limits {
  /** Timeout until all headers have arrived. */
  readonly headers_ms: number;
  /** Timeout until the whole request has arrived. */
  readonly request_ms: number;
  /** Timeout without a byte in either direction, within a request, within an answer or between two. */
  readonly idle_ms: number;
  /** How often the first two timeouts are checked. */
  readonly check_ms: number;
  readonly header_bytes: number;
  /** Maximum number of open connections; further ones are closed. */
  readonly connections: number;
  /** Maximum number of connections from one address. */
  readonly connections_by_address: number;
}

/** Enough for the slowest honest client, too little to hold a thousand connections open on purpose. */
const LIMITS: Limits = {
  headers_ms: 10_000,
  request_ms: 30_000,
  idle_ms: 30_000,
  check_ms: 2_000,
  header_bytes: 16 * 1024,
  connections: 4_096,
  // A warehouse that reads fourteen files in parts from a few machines behind one address needs about a hundred.
  connections_by_address: 256,
};

/** A year, for this host only: other hosts of its domain are not ours. */
const HSTS = 'max-age=31536000';

/** How often slow clients are looked for. */
const CUT_EVERY_MS = 5_000;

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logger: Logger;
  /** Overrides single limits. */
  readonly limits?: Partial<Limits>;
  readonly newRequestId?: () => string;
  /** Whether a connection comes from a proxy, which is exempt from the limit per address. */
  readonly isProxy?: (remote: string | undefined) => boolean;
  /** The public address, known once the server is bound: its host is accepted, and its scheme decides about HSTS. */
  readonly baseUrl?: () => string;
  /** What is known of paths; if omitted, every path has a route, and none takes a body. */
  readonly paths?: Paths;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number;
  /** Runs a function at an interval until the returned function is called. */
  readonly every?: (ms: number, run: () => void) => () => void;
}

export interface Listener {
  /** The port that was bound. */
  readonly port: number;
  /** How many bodies are being sent. */
  transfers(): number;
  /** Stops accepting, waits `grace_ms` for running answers, then cuts the others. */
  close(grace_ms: number): Promise<void>;
}

type Fetch = (request: Request, env: HttpBindings & SendingBindings) => Response | Promise<Response>;

/** Listens; resolves once connections are accepted. */
export async function listen(fetch: Fetch, options: ListenOptions): Promise<Listener> {
  const { host, port, logger, clock = () => performance.now(), every = repeat } = options;
  const { newRequestId = randomUUID, isProxy = () => false, baseUrl = () => '', paths = ANY_PATHS } = options;
  const limits = { ...LIMITS, ...options.limits };
  const transfers = watchTransfers(clock);
  /** The id of a request that does not reach the application; logs the refusal. */
  const announced = (status: number): string => {
    const request_id = newRequestId();
    logger.info('request.refused', { request_id, status });
    return request_id;
  };
  const answer = getRequestListener(
    // The bindings are those of HTTP/1, because the server below is one.
    async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      const tell: Parameters<SendingBindings['whenSent']>[0][] = [];
      const response = await fetch(request, { incoming, outgoing, whenSent: (each) => void tell.push(each) });
      if (!claimAnswer(outgoing)) {
        await response.body?.cancel(); // the body was malformed; the refusal is sent and logged already
        return RESPONSE_ALREADY_SENT;
      }
      separateChallenges(response, outgoing);
      const followed = transfers.follow(response, outgoing, logger, (sent) =>
        tell.forEach((each) => each(sent)),
      );
      if (followed instanceof BufferedResponse) sendBuffered(followed, outgoing);
      else if (followed.body !== null && followed.headers.has('content-length'))
        await sendPieces(followed, followed.body, outgoing);
      else return followed;
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      hostname: 'localhost', // for HTTP/1.0 requests, which may omit Host
      errorHandler: () =>
        errorAnswer(400, 'The request is not well-formed HTTP.', [['x-request-id', announced(400)]]),
    },
  );
  const server = createServer({
    headersTimeout: limits.headers_ms,
    requestTimeout: limits.request_ms,
    keepAliveTimeout: limits.idle_ms,
    connectionsCheckingInterval: limits.check_ms,
    maxHeaderSize: limits.header_bytes,
    requireHostHeader: false, // refused here instead, in our error shape
  });
  // Above its own maximum Node drops headers silently. Their total size is limited, and their number is checked here.
  server.maxHeadersCount = 0;
  server.timeout = limits.idle_ms;
  server.maxConnections = limits.connections;
  capConnections(server, limits.connections_by_address, isProxy);
  // A client may close its side after its request. Without this, Node would close the connection before the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  let closing = false;
  const queues = new WeakMap<Duplex, AnswerQueue>();
  server.on('connection', (socket) => queues.set(socket, new AnswerQueue(socket)));
  /** Starts a request once all earlier answers of its connection are sent. */
  const inTurn =
    (start: (request: IncomingMessage, response: ServerResponse) => void) =>
    (request: IncomingMessage, response: ServerResponse): void =>
      queues.get(request.socket)?.add(request, response, () => {
        // On stop Node closes the idle connections, but not those that become idle later.
        response.once('close', () => closing && request.socket.end());
        if (baseUrl().startsWith('https:')) response.setHeader('strict-transport-security', HSTS);
        start(request, response);
      });
  const refuseWith = (response: ServerResponse, refusal: Refusal): void => {
    claimAnswer(response);
    refuse(response, refusal, paths, announced(refusal.status));
  };
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalOf(request, hostsOf(request, baseUrl()), paths);
    if (refusal !== null) return refuseWith(response, refusal);
    // The unread bytes of a body cannot be told from the next request.
    if (hasStrayBody(request, paths)) response.shouldKeepAlive = false;
    void answer(request, response);
  };
  server.on('request', inTurn(receive));
  server.on('clientError', (error, socket) => {
    const refusal = refusalOfUnparsed(error, socket);
    if (refusal === null) return void socket.destroy();
    queues.get(socket)?.breakOff({
      ended: isEnded(error),
      refuse: (response) => refuseWith(response, refusal),
      refuseUnparsed: () => refuseUnparsed(socket, refusal, announced(refusal.status)),
    });
  });
  server.on(
    'checkContinue',
    inTurn((request, response) => {
      // The client announced a body: refuse it before it is sent, or ask for it.
      const isRead = refusalOf(request, hostsOf(request, baseUrl()), paths) === null;
      if (isRead && !hasStrayBody(request, paths)) response.writeContinue();
      receive(request, response);
    }),
  );
  server.on(
    'checkExpectation',
    inTurn((_, response) =>
      refuseWith(response, {
        status: 417,
        message: 'The server supports no Expect header other than 100-continue.',
      }),
    ),
  );
  server.listen(port, host);
  await once(server, 'listening');
  const stopCutting = every(CUT_EVERY_MS, () => transfers.cutSlow());
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener has one
    transfers: () => transfers.count(),
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
