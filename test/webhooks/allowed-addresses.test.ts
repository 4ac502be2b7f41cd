import { assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowAddresses } from '../../src/webhooks/allowed-addresses.ts';

const PUBLIC = allowAddresses([]);
const HERE = allowAddresses(['127.0.0.0/8']);
const refusal = (url: string, allowed = PUBLIC): string | null => allowed.refuseUrl(new URL(url));

describe('an address that may be reached', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1'])(
    'is a public one: %s',
    (address) => expect(PUBLIC.mayReach(address)).toBe(true),
  );

  it.each([
    // Ours: this machine, private networks, the neighbours of a cloud's machine and its metadata.
    '0.0.0.0',
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '::',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    // Everyone's: multicast, broadcast, documentation, benchmarks.
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '203.0.113.9',
    'ff02::1',
    '2001:db8::1',
    // One of ours in the clothes of another family.
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    '2001:0:7f00:1::1',
    // None at all.
    'localhost',
    '',
  ])('is no other: %s', (address) => expect(PUBLIC.mayReach(address)).toBe(false));

  it('lies in a network of the settings, and in no other private network', () => {
    const allowed = allowAddresses(['10.20.0.0/16', 'fd00::1']);
    const reached = ['10.20.3.4', '10.21.0.1', 'fd00::1', 'fd00::2', '8.8.8.8'].filter((address) =>
      allowed.mayReach(address),
    );
    expect(reached).toEqual(['10.20.3.4', 'fd00::1', '8.8.8.8']);
  });

  it('A-29: is never in a private network, for any last numbers', () => {
    const byte = integer({ min: 0, max: 255 });
    const network = constantFrom('10', '127', '192.168', '169.254', '172.16', '172.31', '240');
    assert(
      property(network, byte, byte, byte, (start, ...rest) => {
        const address = [...start.split('.'), ...rest].slice(0, 4).join('.');
        expect(PUBLIC.mayReach(address)).toBe(false);
      }),
      { seed: 970 },
    );
  });
});

describe('an address of a webhook', () => {
  it('is https, of a name or of a public address', () => {
    expect(refusal('https://hooks.example/a?b=c')).toBeNull();
    expect(refusal('https://8.8.8.8:8443/')).toBeNull();
    expect(refusal('https://[2606:4700::1111]/')).toBeNull();
  });

  it.each([
    ['http://hooks.example/', 'it is not https'],
    ['ftp://hooks.example/', 'it is not https'],
    ['file:///etc/passwd', 'it is not https'],
    ['http://127.0.0.1/', 'it is not https'],
    ['https://127.0.0.1/', 'its address is private'],
    ['https://[::1]/', 'its address is private'],
    ['https://[::ffff:7f00:1]/', 'its address is private'],
    // As browsers and Node read it: 127.0.0.1.
    ['https://2130706433/', 'its address is private'],
    ['https://0x7f.1/', 'its address is private'],
    ['https://user:password@hooks.example/', 'it holds a login'],
    ['https://hooks.example/#a', 'it holds a fragment'],
  ])('cannot be: %s', (url, reason) => expect(refusal(url)).toBe(reason));

  it('is plain on this machine alone, and only where the settings name it', () => {
    expect(refusal('http://127.0.0.1:9000/', HERE)).toBeNull();
    expect(refusal('http://10.0.0.1/', allowAddresses(['10.0.0.0/8']))).toBe('it is not https');
    expect(refusal('http://localhost/', HERE)).toBe('it is not https');
  });
});
