import { describe, expect, it } from 'vitest';
import { networkOf, trustProxies } from '../../../src/serve/http/client-address.ts';

const ours = trustProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);

describe('the address of a client', () => {
  it.each([
    ['203.0.113.9', undefined, '203.0.113.9'],
    // From anyone but a proxy of ours the header is hearsay.
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['192.0.2.8', '198.51.100.1', '192.0.2.8'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['192.0.2.7', '198.51.100.1', '198.51.100.1'],
    // The first and the last address of a trusted network, and the addresses beside it.
    ['10.0.0.0', '198.51.100.1', '198.51.100.1'],
    ['10.255.255.255', '198.51.100.1', '198.51.100.1'],
    ['9.255.255.255', '198.51.100.1', '9.255.255.255'],
    ['11.0.0.0', '198.51.100.1', '11.0.0.0'],
    ['fdff::1', '198.51.100.1', '198.51.100.1'],
    ['fe00::1', '198.51.100.1', 'fe00::1'],
    ['fd00::1', '2001:db8::5', '2001:db8::5'],
    ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    // What the client wrote itself stands left of what our proxy heard.
    ['10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['10.1.2.3', '10.4.4.4, 10.9.9.9', '10.4.4.4'],
    ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['10.1.2.3', '[2001:DB8::5]:4711', '2001:db8::5'],
    ['10.1.2.3', 'unknown', '10.1.2.3'],
    ['10.1.2.3', '198.51.100.1, nonsense', '10.1.2.3'],
    ['10.1.2.3', 'nonsense, 10.9.9.9', '10.9.9.9'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['10.1.2.3', undefined, '10.1.2.3'],
    [undefined, '198.51.100.1', 'unknown'],
    // 0808 in hexadecimal is 8 and 8; cb00:7109 is 203.0 and 113.9.
    ['::ffff:808:808', undefined, '8.8.8.8'],
    ['::FFFF:cb00:7109', undefined, '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['0000:0000:0000:0000:0000:FFFF:CB00:7109', undefined, '203.0.113.9'],
    ['::ffff:a01:203', '[::ffff:c633:6401]:4711', '198.51.100.1'],
    // Not of that form: an address of its own.
    ['::fffe:808:808', undefined, '::fffe:808:808'],
    ['::ffff:0:808:808', undefined, '::ffff:0:808:808'],
  ])('connection from %s, forwarded for %s: %s', (remote, forwarded, expected) => {
    expect(ours.addressOf(remote, forwarded)).toBe(expected);
  });

  it('is that of the connection where no proxy is trusted', () => {
    expect(trustProxies([]).addressOf('10.1.2.3', '198.51.100.1')).toBe('10.1.2.3');
  });

  it('is known as a proxy’s, or not', () => {
    expect(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.8', undefined].map((each) => ours.isProxy(each))).toEqual(
      [true, true, false, false],
    );
  });
});

describe('the address that limits count', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1::', '2001:db8:1:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (address, expected) => {
    expect(networkOf(address)).toBe(expected);
  });
});
