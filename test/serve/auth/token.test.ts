import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  makeToken,
  TOKEN_PATTERN,
  tokenDigest,
  tokenKind,
  tokenMarks,
} from '../../../src/serve/auth/token.ts';

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const kinds = fc.constantFrom('personal' as const, 'reporting' as const);

describe('a token', () => {
  it('A-10: is prefix, 43 digits and a checksum', () => {
    // 32 bytes of which only the last is set: 255 = 4 × 62 + 7, so the digits end in "47".
    const token = makeToken('personal', Uint8Array.of(...Array<number>(31).fill(0), 255));
    expect(token).toMatch(/^cf_pat_0{41}47[0-9A-Za-z]{6}$/);
  });

  it('carries the CRC-32 of everything before it', () => {
    // crc32 of "cf_rpt_" and 43 zeros, worked by another program (Python zlib.crc32): 4190582466,
    // which in base 62 with the digits 0-9A-Za-z is 4ZbFvm.
    expect(makeToken('reporting', new Uint8Array(32))).toBe(`cf_rpt_${'0'.repeat(43)}4ZbFvm`);
  });

  it('has the kind that it was made for, for any random bytes', () => {
    fc.assert(
      fc.property(kinds, bytes, (kind, random) => {
        const token = makeToken(kind, random);
        expect(tokenKind(token)).toBe(kind);
        expect(TOKEN_PATTERN.exec(`leaked: "${token}".`)?.[0]).toBe(token);
      }),
    );
  });

  it('differs whenever its bytes differ', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        fc.pre(Buffer.compare(one, other) !== 0);
        expect(makeToken('personal', one)).not.toBe(makeToken('personal', other));
      }),
    );
  });

  it('is refused with any one character changed', () => {
    fc.assert(
      fc.property(
        kinds,
        bytes,
        fc.nat(55),
        fc.constantFrom('0', '9', 'a', 'z', 'A', 'Z', '_', '-'),
        (kind, random, at, other) => {
          const token = makeToken(kind, random);
          fc.pre(token[at] !== other);
          expect(tokenKind(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
        },
      ),
    );
  });

  it('is refused when cut, continued, spaced or of another make', () => {
    const token = makeToken('personal', new Uint8Array(32));
    for (const text of [
      '',
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      `ghp_${token.slice(4)}`,
    ]) {
      expect(tokenKind(text)).toBeNull();
    }
    expect(tokenKind(`${token.slice(0, -1)}\n`)).toBeNull();
  });

  it('is not made of fewer or more bytes than it holds', () => {
    expect(() => makeToken('personal', new Uint8Array(31))).toThrow(RangeError);
    expect(() => makeToken('personal', new Uint8Array(33))).toThrow(RangeError);
  });

  it('leaves its prefix, checksum, last four characters and digest behind, and nothing random', () => {
    const token = `cf_rpt_${'0'.repeat(43)}4ZbFvm`;
    expect(tokenMarks(token)).toEqual({
      prefix: 'cf_rpt_',
      last_four: 'bFvm',
      checksum: '4ZbFvm',
      sha256: tokenDigest(token),
    });
  });

  it('is kept as its SHA-256', () => {
    expect(tokenDigest('abc')).toEqual(createHash('sha256').update('abc').digest());
    // FIPS 180-4, example B.1.
    expect(tokenDigest('abc').toString('hex')).toMatch(/^ba7816bf8f01cfea.*15ad$/);
  });
});
