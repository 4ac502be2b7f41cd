/** The listener: the application on a socket, with the limits that belong to connections. */
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
import {
  isEnded,
  type Refusal,
  refusalOf,
  refusalOfUnparsed,
  refuse,
  refuseUnparsed,
} from './node-refusals.ts';
import { hostsOf } from './request-target.ts';
import { sendPieces } from './send-pieces.ts';
import { type SendingBindings, watchTransfers } from './transfers.ts';
import { sendWhole, WholeAnswer } from './whole-answer.ts';

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
  /** Open at the same time; what comes beyond is closed. */
  readonly connections: number;
  /** Of them, from one address. */
  readonly connections_by_address: number;
}

/** Enough for the slowest honest client, too little to hold a thousand connections open for nothing. */
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

/** A year, for this host alone: what else stands below its domain is not ours to speak for. */
const HSTS = 'max-age=31536000';

/** How late a client that is too slow may be noticed. */
const CUT_EVERY_MS = 5_000;

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logger: Logger;
  /** What differs from the limits of a server. */
  readonly limits?: Partial<Limits>;
  readonly newRequestId?: () => string;
  /** Whether a connection comes from a proxy, whose number is not limited by address. */
  readonly isProxy?: (remote: string | undefined) => boolean;
  /** The public address, known once the server is bound: its host is ours, and its scheme is what browsers keep to. */
  readonly baseUrl?: () => string;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock?: () => number;
  /** Runs something every so often until the function it gives is called. */
  readonly every?: (ms: number, run: () => void) => () => void;
}

export interface Listener {
  /** The port that was bound. */
  readonly port: number;
  /** How many bodies are being sent. */
  transfers(): number;
  /** Stops accepting, lets running answers end for so long, then cuts what is left. */
  close(grace_ms: number): Promise<void>;
}

type Fetch = (request: Request, env: HttpBindings & SendingBindings) => Response | Promise<Response>;

/** Listens; resolves once connections are accepted. */
export async function listen(fetch: Fetch, options: ListenOptions): Promise<Listener> {
  const { host, port, logger, clock = () => performance.now(), every = repeat } = options;
  const { newRequestId = randomUUID, isProxy = () => false, baseUrl = () => '' } = options;
  const limits = { ...LIMITS, ...options.limits };
  const transfers = watchTransfers(clock);
  /** The id of a request that the application never sees, once it is in the log. */
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
        await response.body?.cancel(); // its body was malformed, which was answered and logged meanwhile
        return RESPONSE_ALREADY_SENT;
      }
      const followed = transfers.follow(response, outgoing, logger, (sent) =>
        tell.forEach((each) => each(sent)),
      );
      if (followed instanceof WholeAnswer) sendWhole(followed, outgoing);
      else if (followed.body !== null && followed.headers.has('content-length'))
        await sendPieces(followed, followed.body, outgoing);
      else return followed;
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      hostname: 'localhost', // of a request without Host, which HTTP/1.0 allows and all others were refused for
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
  // Node would drop what is beyond its own count without a word; the size bounds them, and we count.
  server.maxHeadersCount = 0;
  server.timeout = limits.idle_ms;
  server.maxConnections = limits.connections;
  capConnections(server, limits.connections_by_address, isProxy);
  // A client may close its side once it has sent its request; Node would then close ours before the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  let closing = false;
  const queues = new WeakMap<Duplex, AnswerQueue>();
  server.on('connection', (socket) => queues.set(socket, new AnswerQueue(socket)));
  /** Starts the request once every answer before it on its connection was sent. */
  const inTurn =
    (start: (request: IncomingMessage, response: ServerResponse) => void) =>
    (request: IncomingMessage, response: ServerResponse): void =>
      queues.get(request.socket)?.add(request, response, () => {
        // Node closes the connections that are idle when it stops, not those that become so afterwards.
        response.once('close', () => closing && request.socket.end());
        if (baseUrl().startsWith('https:')) response.setHeader('strict-transport-security', HSTS);
        start(request, response);
      });
  const refuseWith = (response: ServerResponse, refusal: Refusal): void => {
    claimAnswer(response);
    refuse(response, refusal, announced(refusal.status));
  };
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalOf(request, hostsOf(request, baseUrl()));
    if (refusal !== null) refuseWith(response, refusal);
    else void answer(request, response);
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
      // A body is announced: refused before it is sent, or asked for.
      if (refusalOf(request, hostsOf(request, baseUrl())) === null) response.writeContinue();
      receive(request, response);
    }),
  );
  server.on(
    'checkExpectation',
    inTurn((_, response) =>
      refuseWith(response, { status: 417, message: 'The server meets no expectation of a request.' }),
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
