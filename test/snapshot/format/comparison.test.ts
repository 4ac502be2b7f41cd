/** The record of a stored comparison: whose signature counts, and which snapshots it is of. */
import { describe, expect, it } from 'vitest';
import {
  type ComparedRows,
  decodeComparison,
  encodeComparison,
  type PublishedPair,
} from '../../../src/snapshot/format/comparison.ts';
import { emptyLog, type LogEntry } from '../../../src/snapshot/format/publish-log.ts';
import type { Signing } from '../../../src/signing/keys.ts';
import { instantOf } from '../../support/instant-of.ts';
import { OTHER_SEED, signingWith } from '../../support/signing.ts';

const entry = (snapshot_id: string, digit: string): LogEntry =>
  ({ snapshot_id, manifest_sha256: digit.repeat(64) }) as LogEntry; // a record names no more of it
const [FROM, TO] = [entry('20260714T020000Z', '1'), entry('20260715T020000Z', '2')];
const compared: ComparedRows = {
  rules_sha256: '3'.repeat(64),
  made_at: instantOf('2026-07-15T02:01:00.000000Z'),
  tables: [{ name: 'costs', added: 1, removed: 0, changed: 2 }],
  rows_bytes: 600,
  size_bytes: 200,
  sha256: '4'.repeat(64),
};

function pairWith(signing: Signing | undefined, signed: boolean, account_id = 7n): PublishedPair {
  return { log: { ...emptyLog(account_id, signing), signed }, from: FROM, to: TO };
}
const corrupt = { code: 'file_corrupt' };

describe('the record of a comparison', () => {
  it('is read as it was written', () => {
    const pair = pairWith(undefined, false);
    expect(decodeComparison(encodeComparison(pair, compared), pair)).toEqual({
      account_id: 7,
      from: { snapshot_id: '20260714T020000Z', manifest_sha256: '1'.repeat(64) },
      to: { snapshot_id: '20260715T020000Z', manifest_sha256: '2'.repeat(64) },
      ...compared,
    });
  });

  it.each([
    ['another account', { ...pairWith(undefined, false, 8n) }],
    ['another earlier snapshot', { ...pairWith(undefined, false), from: entry('20260713T020000Z', '1') }],
    [
      'another build of the later snapshot',
      { ...pairWith(undefined, false), to: entry(TO.snapshot_id, '5') },
    ],
    ['the same two, the other way round', { ...pairWith(undefined, false), from: TO, to: FROM }],
  ])('is refused for %s', (_, other) => {
    const bytes = encodeComparison(pairWith(undefined, false), compared);
    expect(() => decodeComparison(bytes, other)).toThrow(expect.objectContaining(corrupt));
  });
});

describe('the record in a signed log', () => {
  const signing = signingWith();
  const read = pairWith(signing, true);

  it('is signed too, and read', () => {
    const bytes = encodeComparison(pairWith(signing, true), compared);
    expect(decodeComparison(bytes, read)).toMatchObject(compared);
  });

  it('is refused without a signature', () => {
    const bytes = encodeComparison(pairWith(undefined, false), compared);
    expect(() => decodeComparison(bytes, read)).toThrow('is not signed');
  });

  it('is refused with the signature of a key that the reader does not know', () => {
    const bytes = encodeComparison(pairWith(signingWith(OTHER_SEED), true), compared);
    expect(() => decodeComparison(bytes, read)).toThrow('unknown key');
    // An unknown key in the log itself changes nothing.
    const strange = { ...read, log: { ...read.log, unknown_key: 'SHA256:other' } };
    expect(decodeComparison(encodeComparison(read, compared), strange)).toMatchObject(compared);
  });

  it('is refused if one of its facts was changed since', () => {
    const text = Buffer.from(encodeComparison(read, compared))
      .toString()
      .replace('"rows_bytes":600', '"rows_bytes":601');
    expect(() => decodeComparison(Buffer.from(text), read)).toThrow('does not match its signature');
  });

  it('is not written without a key', () => {
    expect(() => encodeComparison(pairWith({ signer: null, keys: signing.keys }, true), compared)).toThrow(
      'SIGNING_KEYS',
    );
  });
});
