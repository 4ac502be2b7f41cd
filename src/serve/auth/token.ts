/**
 * Access tokens: `cf_pat_` (personal) or `cf_rpt_` (reporting), then 43 base62 digits with 256 random bits, then 6 digits
 * with the CRC-32 of all before. The checksum is not secret: a mistyped token needs no look-up, and a scanner can tell a
 * leaked token from other text.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIXES = { personal: 'cf_pat_', reporting: 'cf_rpt_' } as const;
const RANDOM_BYTES = 32;
const RANDOM_DIGITS = 43; // 62^43 > 2^256
const CHECKSUM_DIGITS = 6; // 62^6 > 2^32
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type TokenKind = keyof typeof PREFIXES;

/** Finds our tokens in any text; published for secret scanners. */
export const TOKEN_PATTERN = /\bcf_(?:pat|rpt)_[0-9A-Za-z]{49}\b/;

/** A new token from 32 random bytes. */
export function makeToken(kind: TokenKind, random: Uint8Array): string {
  if (random.length !== RANDOM_BYTES) throw new RangeError(`a token is made of ${RANDOM_BYTES} bytes`);
  const number = BigInt(`0x${Buffer.from(random).toString('hex')}`);
  const body = PREFIXES[kind] + base62(number, RANDOM_DIGITS);
  return body + checksum(body);
}

/** The kind of a token; null if the text is not one of our tokens or was mistyped. */
export function tokenKind(text: string): TokenKind | null {
  if (text.length !== PREFIXES.personal.length + RANDOM_DIGITS + CHECKSUM_DIGITS) return null;
  if (!TOKEN_PATTERN.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_DIGITS);
  if (checksum(body) !== text.slice(-CHECKSUM_DIGITS)) return null;
  return kindOf(text);
}

function kindOf(token: string): TokenKind {
  return token.startsWith(PREFIXES.personal) ? 'personal' : 'reporting';
}

/** The SHA-256 by which a token is stored and looked up. The token itself is stored nowhere. */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Everything the ledger stores of a token: marks by which a person recognises it, and its digest. */
export function tokenMarks(token: string) {
  return {
    prefix: PREFIXES[kindOf(token)],
    last_four: token.slice(-4),
    checksum: token.slice(-CHECKSUM_DIGITS),
    sha256: tokenDigest(token),
  };
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_DIGITS);
}

function base62(number: bigint, length: number): string {
  let digits = '';
  for (let rest = number; digits.length < length; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits;
}
