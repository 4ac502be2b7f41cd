/** Entries of the publish log and marks that carry a signature. */
import { describe, expect, it } from 'vitest';
import type { Signing } from '../../../src/signing/keys.ts';
import { keysById, readPublicKey, signingKeyOf } from '../../../src/signing/keys.ts';
import { armor } from '../../../src/signing/sshsig.ts';
import { decodeCanonical, encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { encodeNextMark, followMarks, type Marks, noMarks } from '../../../src/snapshot/format/marks.ts';
import {
  emptyLog,
  encodeNextEntry,
  follow,
  type NewEntry,
  type PublishLog,
} from '../../../src/snapshot/format/publish-log.ts';
import { instantOf } from '../../support/instant-of.ts';
import { KEY_ID, OTHER_SEED, PUBLIC_KEY, SEED, signingWith } from '../../support/signing.ts';

const SIGNING = signingWith();
const OTHERS = signingWith(OTHER_SEED);
const READER: Signing = { ...SIGNING, signer: null };
const KEYLESS: Signing = { signer: null, keys: new Map() };

const night = (day: number): NewEntry => ({
  snapshot_id: `2026030${day}T020000Z`,
  manifest_sha256: 'a'.repeat(64),
  nonce: String(day).repeat(32),
  night: `2026-03-0${day}`,
  published_at: instantOf(`2026-03-0${day}T02:01:00.000000Z`),
  builder: 'b',
});

/** The log after these nights, each written by a process with that signing. */
function written(...by: readonly (Signing | undefined)[]): Uint8Array[] {
  let log = emptyLog(7n);
  return by.map((signing, at) => {
    const bytes = encodeNextEntry({ ...log, signing: signing ?? null }, night(at + 1));
    log = follow(log, [bytes]);
    return bytes;
  });
}

const read = (bodies: readonly Uint8Array[], signing: Signing | undefined = READER): PublishLog =>
  follow(emptyLog(7n, signing), bodies);

function changed(bytes: Uint8Array | undefined, change: Readonly<Record<string, unknown>>): Uint8Array {
  return encodeCanonical({ ...(decodeCanonical(bytes ?? Buffer.alloc(0)) as object), ...change });
}

describe('a signed log', () => {
  it('is read to its end with the key, without keys, and with another key', () => {
    const bodies = written(SIGNING, SIGNING);
    expect(read(bodies)).toMatchObject({ fault: null, signed: true, unknown_key: null });
    expect(read(bodies, KEYLESS)).toMatchObject({ fault: null, signed: true, unknown_key: null });
    expect(read(bodies, { ...OTHERS, signer: null })).toMatchObject({ fault: null, unknown_key: KEY_ID });
    expect(read(bodies).entries).toHaveLength(2);
  });

  it('names the key of the newest record that an unknown key signed, also behind a record of a known one', () => {
    const other = signingKeyOf(OTHER_SEED).public_key.key_id;
    expect(read(written(OTHERS, SIGNING))).toMatchObject({ fault: null, unknown_key: other });
    const third = signingKeyOf('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7');
    const strange = { signer: null, keys: keysById([third.public_key]) };
    expect(read(written(OTHERS, SIGNING), strange)).toMatchObject({ fault: null, unknown_key: KEY_ID });
    expect(read(written(SIGNING, OTHERS), strange)).toMatchObject({ fault: null, unknown_key: other });
  });

  it('has the signature and its key as the last two fields of each entry', () => {
    const [first] = written(SIGNING);
    const text = Buffer.from(first ?? []).toString();
    const fields = Object.keys(JSON.parse(text) as object);
    expect(fields.slice(-2)).toEqual(['sshsig', 'sshsig_key']);
    const { sshsig } = JSON.parse(text) as { sshsig: string };
    expect(armor(Buffer.from(sshsig, 'base64'))).toContain('BEGIN SSH SIGNATURE');
  });

  it('may begin unsigned, and refuses an unsigned entry after a signed one', () => {
    expect(read(written(undefined, SIGNING))).toMatchObject({ fault: null, signed: true });
    const [first] = written(SIGNING);
    const log = read([first ?? Buffer.alloc(0)]);
    // As an older program writes it, which knows no signatures.
    const unsigned = encodeNextEntry({ ...log, signing: null, signed: false }, night(2));
    for (const signing of [READER, KEYLESS, undefined]) {
      const { entries, fault } = read([first ?? Buffer.alloc(0), unsigned], signing);
      expect(entries).toHaveLength(1);
      expect(fault?.message).toBe(
        'publish log of account 7: entry 2 is not signed, and the one before it is.',
      );
    }
  });

  it('is not continued without a key', () => {
    const log = read(written(SIGNING));
    expect(() => encodeNextEntry(log, night(2))).toThrow(
      'SIGNING_KEYS must be set: earlier entries are signed.',
    );
  });

  it.each([
    ['builder', 'c', `does not match its signature by the key ${KEY_ID}`],
    ['note', 'added', `does not match its signature by the key ${KEY_ID}`],
    ['sshsig', Buffer.alloc(180).toString('base64'), 'has a signature that cannot be read'],
    ['sshsig', undefined, 'names a key and has no signature'],
    ['sshsig_key', 'SHA256:other', 'names a key that did not sign it'],
    ['sshsig_key', undefined, 'names a key that did not sign it'],
  ])('ends before an entry whose %s was changed to %j', (field, value, why) => {
    const [first] = written(SIGNING);
    const { entries, fault } = read([changed(first, { [field]: value })]);
    expect(entries).toEqual([]);
    expect(fault?.message).toBe(`publish log of account 7: entry 1 ${why}.`);
  });

  it('ends before an entry signed on a day on which its key was not valid', () => {
    const dated = readPublicKey(`${PUBLIC_KEY}@..2026-03-01`);
    const keys = keysById(dated === null ? [] : [dated]);
    const { entries, fault } = read(written(SIGNING, SIGNING), { signer: null, keys });
    expect(entries).toHaveLength(1);
    expect(fault?.message).toContain(
      `entry 2 is signed with the key ${KEY_ID}, which was not valid on 2026-03-02`,
    );
  });

  it('takes the entries of a new key beside those of the old one', () => {
    const keys = keysById([signingKeyOf(SEED), signingKeyOf(OTHER_SEED)].map((pair) => pair.public_key));
    expect(read(written(SIGNING, OTHERS), { signer: null, keys })).toMatchObject({
      fault: null,
      unknown_key: null,
    });
  });
});

describe('signed marks', () => {
  const at = instantOf('2026-03-05T00:00:00.000000Z');
  const by = 'test';
  const snapshot_id = '20260301T020000Z';
  const mark = { kind: 'unpinned', name: 'close', snapshot_id, at, by } as const;
  const next = (marks: Marks): Uint8Array => encodeNextMark(marks, mark, '0'.repeat(32));

  it('are read with the key, and refused when one byte of them was changed', () => {
    const first = next(noMarks(7n, SIGNING));
    expect(followMarks(noMarks(7n, READER), [first])).toMatchObject({ fault: null, length: 1, signed: true });
    const { length, fault } = followMarks(noMarks(7n, READER), [changed(first, { name: 'other' })]);
    expect(length).toBe(0);
    expect(fault?.message).toBe(
      `marks of account 7: mark 1 does not match its signature by the key ${KEY_ID}.`,
    );
  });

  it('are followed by signed ones only', () => {
    const first = next(noMarks(7n, SIGNING));
    const marks = followMarks(noMarks(7n, READER), [first]);
    expect(() => next(marks)).toThrow('SIGNING_KEYS must be set');
    const unsigned = next({ ...marks, signing: null, signed: false });
    expect(followMarks(marks, [unsigned]).fault?.message).toContain('mark 2 is not signed');
  });

  it('hold no signature of a log entry', () => {
    const [entry] = written(SIGNING);
    const { sshsig } = decodeCanonical(entry ?? Buffer.alloc(0)) as { sshsig: string };
    const first = next(noMarks(7n, SIGNING));
    const { fault } = followMarks(noMarks(7n, READER), [changed(first, { sshsig })]);
    expect(fault?.message).toContain('has a signature for "crossfoot-log"');
  });
});
