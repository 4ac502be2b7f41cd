import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readToken } from '../../../src/serve/auth/credentials.ts';

const basic = (pair: string) => `Basic ${Buffer.from(pair, 'latin1').toString('base64')}`;

describe('reading a token out of an Authorization header', () => {
  it.each([
    ['Bearer cf_pat_x', 'cf_pat_x'],
    ['bearer cf_pat_x', 'cf_pat_x'],
    ['BEARER   cf_pat_x ', 'cf_pat_x'],
    [basic('warehouse:cf_pat_x'), 'cf_pat_x'],
    [basic(':cf_pat_x'), 'cf_pat_x'],
    [basic('a:b:c'), 'b:c'],
    [basic('a:').replace(/=+$/, ''), ''],
    [basic('a:cf_pat_x').replace('Basic', 'bASIC'), 'cf_pat_x'],
    [basic('a:\xfcmlaut'), '\xfcmlaut'],
  ])('finds it in %s', (header, token) => {
    expect(readToken(header)).toBe(token);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'cf_pat_x',
    'Token cf_pat_x',
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer a,b',
    'Basic',
    'Basic cf_pat_x', // not base64: an underscore
    'Basic !!!!',
    basic('nocolon'),
    `${basic('a:b')}, ${basic('c:d')}`,
    'Digest username="a"',
  ])('finds no token in %j', (header) => {
    expect(readToken(header)).toBeNull();
  });

  it('A-14: takes everything after the first colon, for any user name and password', () => {
    const text = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCodePoint(code)),
    });
    fc.assert(
      fc.property(text, text, (user, password) => {
        fc.pre(!user.includes(':'));
        expect(readToken(basic(`${user}:${password}`))).toBe(password);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the whole text or nothing, for any 8 kB after Bearer', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8192 }), (text) => {
        expect([text.trim(), null]).toContain(readToken(`Bearer ${text}`));
      }),
    );
  });
});
