/**
 * Restricts the addresses of webhooks. A customer chooses the address, but the worker calls it from inside the operator's
 * network. So private addresses are refused unless the settings allow them, also if a public name resolves to them.
 */
import { BlockList, isIP } from 'node:net';

export interface AllowedAddresses {
  /** Why this URL cannot be a webhook, in a few words; null if it can. */
  refuseUrl(url: URL): string | null;
  /** True if a connection to this IP address is allowed. */
  mayReach(address: string): boolean;
}

/** Every range that is not public internet, by IANA's registries of special-purpose addresses. */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Only this range of IPv6 is allocated. The ranges in `NOT_PUBLIC_IPV6` within are not public, or contain an IPv4 address. */
const GIVEN_OUT_IPV6 = ['2000::/3'];
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const LOOPBACK = listOf(['127.0.0.0/8', '::1/128']);
const PRIVATE_IPV4 = listOf(NOT_PUBLIC_IPV4);
const PUBLIC_IPV6 = listOf(GIVEN_OUT_IPV6);
const PRIVATE_IPV6 = listOf(NOT_PUBLIC_IPV6);

/** Allows the public internet and, in addition, these networks (CIDR). */
export function allowAddresses(networks: readonly string[]): AllowedAddresses {
  const allowed = listOf(networks);
  const mayReach = (address: string): boolean =>
    isIn(allowed, address) ||
    (isIP(address) === 4 && !isIn(PRIVATE_IPV4, address)) ||
    (isIP(address) === 6 && isIn(PUBLIC_IPV6, address) && !isIn(PRIVATE_IPV6, address));
  return {
    mayReach,
    refuseUrl(url) {
      const host = hostOf(url);
      if (url.username + url.password !== '') return 'it holds a login';
      if (url.hash !== '') return 'it holds a fragment';
      // http is allowed only to this machine itself, because the message then crosses no network.
      const isPlain = url.protocol === 'http:' && isIn(LOOPBACK, host) && mayReach(host);
      if (url.protocol !== 'https:' && !isPlain) return 'it is not https';
      if (isIP(host) !== 0 && !mayReach(host)) return 'its address is private';
      return null;
    },
  };
}

/** The host of a URL; an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
