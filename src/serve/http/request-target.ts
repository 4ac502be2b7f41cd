/** The target of a request, by RFC 9112 section 3.2: one Host, and a path or, for this host, an absolute address. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Scheme, authority and rest of a target in absolute form, as a client sends it to a proxy. */
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)$/i;
// A name or an address, and a port. A user name is refused: links with a user name are made to mislead.
const AUTHORITY = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

const NO_HOST: Refusal = { status: 400, message: 'The request has no Host header.' };
const TWO_HOSTS: Refusal = { status: 400, message: 'The request has more than one Host header.' };
const BAD_HOST: Refusal = { status: 400, message: 'The Host header of the request names no host.' };
const BAD_TARGET: Refusal = {
  status: 400,
  message: 'The target of the request is not a path of this server.',
};

/**
 * Why the target or its host is refused; null if neither is. A target in absolute form is replaced by its path and Host,
 * so that routes and later checks see the usual form.
 */
export function settleTarget(request: IncomingMessage, ownHosts: readonly string[]): Refusal | null {
  const hosts = request.rawHeaders.filter((_, index, all) => index % 2 === 1 && isHost(all[index - 1]));
  const [host] = hosts;
  if (hosts.length > 1) return TWO_HOSTS;
  if (host === undefined && request.httpVersion !== '1.0') return NO_HOST;
  if (host !== undefined && hostOf('http', host) === null) return BAD_HOST;
  const { url = '' } = request;
  if (url.startsWith('/')) return null;
  const [, scheme = '', authority = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  const requested = hostOf(scheme, authority);
  const own = [...ownHosts, ...(host === undefined ? [] : [host])].map((each) => hostOf(scheme, each));
  if (requested === null || !own.includes(requested)) return BAD_TARGET;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
  request.rawHeaders = [
    ...request.rawHeaders.filter((_, index, all) => !isHost(all[index - (index % 2)])),
    'Host',
    authority,
  ];
  return null;
}

/** The hosts that a target in absolute form may name: the public host, and the address of the connection. */
export function hostsOf(
  { socket: { localAddress = '', localPort } }: IncomingMessage,
  baseUrl: string,
): string[] {
  const address = isIPv6(localAddress) ? `[${localAddress}]` : localAddress;
  const own = [`${address}:${localPort}`, `localhost:${localPort}`];
  return URL.canParse(baseUrl) ? [new URL(baseUrl).host, ...own] : own;
}

function isHost(name: string | undefined): boolean {
  return name?.toLowerCase() === 'host';
}

/** Host and port of an authority, without the scheme's default port; null when malformed. */
function hostOf(scheme: string, authority: string): string | null {
  const text = `${scheme}://${authority}/`;
  return AUTHORITY.test(authority) && URL.canParse(text) ? new URL(text).host : null;
}
