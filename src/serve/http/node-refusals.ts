/**
 * Refusals below the application, in the application's error shape: requests that Node's parser rejects, and requests that
 * the parser accepts and this server does not. For the first kind, Node alone would answer without a body.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, errorHeaders } from './error-answer.ts';
import { type Refusal, settleTarget } from './request-target.ts';

/** The body that a request may have. */
export interface AllowedBody {
  /** As a sentence begins: "A form". */
  readonly name: string;
  /** In bytes. */
  readonly most: number;
}

/** What the application above says of a path that was asked for, with its query. */
export interface Paths {
  /** Whether it has a route, with any method. */
  readonly isRoute: (path: string) => boolean;
  /** The body that may be posted to it; undefined for none. */
  readonly bodyOf: (path: string) => AllowedBody | undefined;
  /** The body of a refusal, in the shape of the errors of that path. */
  readonly errorBody: (path: string, status: number, message: string) => string;
}

/** Every path has a route, and none takes a body. */
export const ANY_PATHS: Paths = {
  isRoute: () => true,
  bodyOf: () => undefined,
  errorBody: (_, status, message) => errorBody(status, message),
};

const MAX_HEADERS = 50;
const MALFORMED: Refusal = { status: 400, message: 'The request is not well-formed HTTP.' };

// A URL parser resolves dots, turns backslashes and drops fragments, so a proxy could see another path than this server.
const BENT_PATH = /^[^?]*(?:[\\#]|\/(?:\.|%2e){1,2}(?:[/?]|$))/i;

const UNKNOWN_METHOD: Refusal = { status: 501, message: 'The server does not implement this method.' };
// The parser stops at an unknown method. Only with a whole request line is the error about the method.
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?$/;

const BY_PARSER_CODE: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
};

/**
 * Why this request may not reach the application; null if it may. A target in absolute form must name one of `ownHosts`.
 * A request to a path without a route may, also with a body: the application answers it with 404.
 */
export function refusalOf(
  request: IncomingMessage,
  ownHosts: readonly string[],
  paths: Paths,
): Refusal | null {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (names.length > MAX_HEADERS) return { status: 431, message: 'The request has too many headers.' };
  // Node keeps the first and drops the others, so a proxy and this server could see two different tokens.
  if (names.filter((name) => name === 'authorization').length > 1) {
    return { status: 400, message: 'The request has more than one Authorization header.' };
  }
  const misdirected = settleTarget(request, ownHosts);
  if (misdirected !== null) return misdirected;
  const { 'content-length': length = '0' } = request.headers;
  const body = bodyOf(request, paths);
  if (body !== undefined) {
    // A body without a length is counted while it is read.
    if (Number(length) > body.most) {
      return { status: 413, message: `${body.name} may hold ${body.most} bytes.` };
    }
  } else if (hasBody(request) && paths.isRoute(pathOf(request))) {
    return { status: 400, message: 'This route accepts no request body.' };
  }
  if (BENT_PATH.test(request.url ?? '')) {
    return { status: 400, message: 'The path contains dot segments, a backslash or a fragment.' };
  }
  return null;
}

/** Whether the request announces a body to a path without a route, so that no handler reads the body. */
export function hasStrayBody(request: IncomingMessage, paths: Paths): boolean {
  return hasBody(request) && !paths.isRoute(pathOf(request));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? '0') > 0 || headers['transfer-encoding'] !== undefined;
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** The body that this request may have, if any. */
function bodyOf({ method, url = '' }: IncomingMessage, paths: Paths): AllowedBody | undefined {
  return method === 'POST' ? paths.bodyOf(url) : undefined;
}

/** Refuses a parsed request and closes the connection: the bytes that follow cannot be trusted. */
export function refuse(
  response: ServerResponse,
  { status, message }: Refusal,
  paths: Paths,
  request_id: string,
): void {
  const body = paths.errorBody(response.req.url ?? '', status, message);
  response.writeHead(status, headersOf(status, body, request_id).flat());
  response.end(body);
}

/** Node's error about bytes that its parser rejected. */
interface ParserError extends NodeJS.ErrnoException {
  /** The packet, and how many of its bytes the parser accepted. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** The line that the parser rejected. */
function lineOf({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const text = rawPacket?.toString('latin1') ?? '';
  return text.slice(text.lastIndexOf('\n', bytesParsed - 1) + 1).split('\n', 1)[0] ?? '';
}

/** Why Node's parser rejected a request; null when the client is gone. */
export function refusalOfUnparsed(error: ParserError, socket: Duplex): Refusal | null {
  const { code } = error;
  if (code === 'ECONNRESET' || !socket.writable) return null;
  if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(lineOf(error))) return UNKNOWN_METHOD;
  return BY_PARSER_CODE[code ?? ''] ?? MALFORMED;
}

/** Whether the parser stopped because the client closed its side within a request. */
export function isEnded({ code }: NodeJS.ErrnoException): boolean {
  return code === 'HPE_INVALID_EOF_STATE';
}

/** Refuses bytes that Node's parser rejected; there is no request, only the socket. */
export function refuseUnparsed(socket: Duplex, { status, message }: Refusal, request_id: string): void {
  const body = errorBody(status, message);
  const lines = headersOf(status, body, request_id).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function headersOf(status: number, body: string, request_id: string) {
  return [...errorHeaders(status, body), ['x-request-id', request_id], ['connection', 'close']] as const;
}
