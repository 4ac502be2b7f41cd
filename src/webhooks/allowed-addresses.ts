/**
 * Where a webhook may go. Its address was chosen by somebody outside, and the machine that calls it stands inside: an
 * address of our own network is refused unless the settings name it, whatever name leads there.
 */
import { BlockList, isIP } from 'node:net';

export interface AllowedAddresses {
  /** Why this address cannot be one of a webhook, in a few words; null when nothing is wrong with it. */
  refuseUrl(url: URL): string | null;
  /** Whether a connection to this address may be made. */
  mayReach(address: string): boolean;
}

/** Everything that is not the public internet, of the registries of IANA for special-purpose addresses. */
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
/** Of IPv6 only this is given out, and within it these are not for everyone, or hide an IPv4 address. */
const GIVEN_OUT_IPV6 = ['2000::/3'];
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const LOOPBACK = listOf(['127.0.0.0/8', '::1/128']);
const PRIVATE_IPV4 = listOf(NOT_PUBLIC_IPV4);
const PUBLIC_IPV6 = listOf(GIVEN_OUT_IPV6);
const PRIVATE_IPV6 = listOf(NOT_PUBLIC_IPV6);

/** The public internet, and these networks (CIDR) besides. */
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
      // In the clear on this machine alone: what is sent there crosses no wire.
      const isPlain = url.protocol === 'http:' && isIn(LOOPBACK, host) && mayReach(host);
      if (url.protocol !== 'https:' && !isPlain) return 'it is not https';
      if (isIP(host) !== 0 && !mayReach(host)) return 'its address is private';
      return null;
    },
  };
}

/** The host of a URL, an IPv6 address without its brackets. */
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
