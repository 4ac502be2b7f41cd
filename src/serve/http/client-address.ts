/** The address of a client: that of the connection, or the address that our own proxies report. */
import { BlockList, isIP } from 'node:net';

export interface Proxies {
  /** The address of the client; `forwarded` is the X-Forwarded-For header, if any. */
  addressOf(remote: string | undefined, forwarded: string | undefined): string;
  /** Whether a connection comes from a proxy, which sends the requests of many clients. */
  readonly isProxy: (remote: string | undefined) => boolean;
}

const NOWHERE = 'unknown'; // the socket closed before its address was read
// An IPv4-mapped IPv6 address, as a dual-stack socket reports it, in the spelling that a URL has.
const MAPPED = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/;
// Some proxies append the port.
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** Trusts X-Forwarded-For from these networks (CIDR) only: any client can send the header. */
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
      // From the right: each proxy appends the address of its client, so the first address that is no proxy is the client's.
      const hops = forwarded?.split(',').map((hop) => plain(hop.trim())) ?? [];
      while (isTrusted(address)) {
        const before = hops.pop();
        if (before === undefined || before === null) break; // a forged header, or the proxy itself is the client
        address = before;
      }
      return address;
    },
  };
}

/** The address in its plain spelling, or null when the text is not an address. */
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

/** The network that limits count by: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer. */
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
