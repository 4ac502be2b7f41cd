/** What a request is for, by RFC 9112 section 3.2: one Host, and a target in origin form or, for this host, in absolute form. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Refusal } from './node-refusals.ts';

/** The scheme, the authority and the rest: a target in absolute form, as a client sends it to a proxy. */
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)$/i;
// A name or an address, and a port. No user: a link with one is written to mislead.
const AUTHORITY = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

const NO_HOST: Refusal = { status: 400, message: 'The request has no Host header.' };
const TWO_HOSTS: Refusal = { status: 400, message: 'The request has more than one Host header.' };
const BAD_HOST: Refusal = { status: 400, message: 'The Host header of the request names no host.' };
const BAD_TARGET: Refusal = {
  status: 400,
  message: 'The target of the request is not a path of this server.',
};

/**
 * Why the target or its host is refused; null when it is not. A target in absolute form is turned into the path and the
 * Host that it stands for: routes and checks of the host below then see what every other request has.
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
  const asked = hostOf(scheme, authority);
  const own = [...ownHosts, ...(host === undefined ? [] : [host])].map((each) => hostOf(scheme, each));
  if (asked === null || !own.includes(asked)) return BAD_TARGET;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
  request.rawHeaders = [
    ...request.rawHeaders.filter((_, index, all) => !isHost(all[index - (index % 2)])),
    'Host',
    authority,
  ];
  return null;
}

/** The hosts that a target in absolute form may name: the public one, and the address that was connected to. */
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

/** The host and port of an authority, without the port that the scheme has anyway; null when it is none. */
function hostOf(scheme: string, authority: string): string | null {
  const text = `${scheme}://${authority}/`;
  return AUTHORITY.test(authority) && URL.canParse(text) ? new URL(text).host : null;
}
