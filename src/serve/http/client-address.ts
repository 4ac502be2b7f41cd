/** Whose request it is: the address of the connection, or the one that proxies of ours say they had it from. */
import { BlockList, isIP } from 'node:net';

export interface Proxies {
  /** The address of whoever asks; `forwarded` is the X-Forwarded-For header, if any. */
  addressOf(remote: string | undefined, forwarded: string | undefined): string;
  /** Whether a connection comes from a proxy, which asks for many. */
  readonly isProxy: (remote: string | undefined) => boolean;
}

const NOWHERE = 'unknown'; // a socket that was gone before it was asked
// An IPv4 address inside an IPv6 address, as a socket of both families shows it, in the one spelling that a URL has.
const MAPPED = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/;
// Some proxies add the port.
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** Trusts the word of these networks (CIDR) and of nobody else: anyone can send the header. */
export function trustProxies(networks: readonly string[]): Proxies {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    trusted.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return {
    isProxy: (remote) => isTrusted(plain(remote ?? '') ?? ''),
    addressOf(remote, forwarded) {
      let address = plain(remote ?? '');
      if (address === null) return NOWHERE;
      // From the right: each proxy appends whom it heard from, so the first that is none of ours is the client's.
      const hops = forwarded?.split(',').map((hop) => plain(hop.trim())) ?? [];
      while (isTrusted(address)) {
        const before = hops.pop();
        if (before === undefined || before === null) break; // made up, or the proxy itself is asking
        address = before;
      }
      return address;
    },
  };
}

/** The address as such, or null when it is none. */
function plain(text: string): string | null {
  const port = WITH_PORT.exec(text);
  const address = port?.[1] ?? port?.[2] ?? text;
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : null;
  const spelled = URL.parse(`http://[${address.replace(/%.*$/, '')}]`)?.hostname ?? '';
  const mapped = MAPPED.exec(spelled)
    ?.slice(1)
    .map((group) => Number.parseInt(group, 16));
  return mapped?.flatMap((group) => [group >> 8, group & 0xff]).join('.') ?? address.toLowerCase();
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address, within which anyone has as many as they like. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const missing = address.includes('::') ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array<string>(Math.max(0, missing)).fill('0'), ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
