/** The publish log as the proof checks it: numbers, digests and signatures of every entry. */
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../src/prover/bytes.ts';
import { type Part, prove } from '../../src/prover/prove.ts';
import {
  emptyLog,
  encodeNextEntry,
  follow,
  type NewEntry,
  type PublishLog,
} from '../../src/snapshot/format/publish-log.ts';
import { instantOf } from '../support/instant-of.ts';
import { PUBLIC_KEY, signingWith } from '../support/signing.ts';

const KEY = { openssh: `ssh-ed25519 ${PUBLIC_KEY}`, valid_from: null, valid_until: null };

const night = (day: number): NewEntry => ({
  snapshot_id: `202607${day}T020000Z`,
  manifest_sha256: 'a'.repeat(64),
  nonce: String(day).padStart(32, '0'),
  night: `2026-07-${day}`,
  published_at: instantOf(`2026-07-${day}T02:01:00.000000Z`),
  builder: 'test',
});

/** The texts of a signed log of these nights. */
function written(...nights: readonly NewEntry[]): readonly string[] {
  let known: PublishLog = emptyLog(7n, signingWith());
  return nights.map((each) => {
    const bytes = encodeNextEntry(known, each);
    known = follow(known, [bytes]);
    return Buffer.from(bytes).toString();
  });
}

const [FIRST = '', LAST = ''] = written(night(14), night(15));

/** The part of the proof about the log, of a snapshot of which nothing else is here. */
async function log(texts: readonly string[]): Promise<Part | undefined> {
  const empty = utf8('');
  const loaded = { snapshot_id: '20260715T020000Z', manifest: empty, signature: null, files: new Map() };
  const proof = await prove(
    { ...loaded, log: texts, keys: [KEY] },
    { key: null, turn: async () => undefined },
  );
  return proof.parts[1];
}

it('the log is followed from its first entry to that of the snapshot', async () => {
  expect(await log([FIRST, LAST])).toMatchObject({
    outcome: 'proven',
    text: '2 entries follow each other from the first to this snapshot; 2 are signed.',
  });
});

describe('a changed publish log is refused', () => {
  it('with one changed byte of an entry', async () => {
    for (const change of ['"night":"2026-07-14"', '"builder":"test"', '"sshsig":"U']) {
      expect(FIRST).toContain(change);
      const text = FIRST.replace(change, `${change.slice(0, -2)}0${change.slice(-1)}`);
      expect(await log([text, LAST])).toMatchObject({ outcome: 'refused' });
    }
  });

  it('with an entry too few, in another order, or of another snapshot', async () => {
    expect(await log([])).toMatchObject({ outcome: 'refused' });
    expect(await log([LAST])).toMatchObject({
      text: 'The publish log has a fault: entry 1 has the number 2.',
    });
    expect(await log([LAST, FIRST])).toMatchObject({ outcome: 'refused' });
    expect(await log([FIRST])).toMatchObject({ text: 'The publish log does not name this snapshot.' });
  });

  it('with another first entry, though the same key signed it', async () => {
    const fork = written({ ...night(14), manifest_sha256: 'b'.repeat(64) });
    expect(await log([...fork, LAST])).toMatchObject({
      text: 'The publish log has a fault: entry 2 does not name the digest of the entry before it.',
    });
  });

  it('with an unsigned entry behind a signed one', async () => {
    const unsigned = LAST.replace(/,"sshsig":.*$/, '}');
    expect(await log([FIRST, unsigned])).toMatchObject({
      text: 'The publish log has a fault: entry 2 is not signed, and the one before it is.',
    });
  });

  it('with a first entry that names one before it, also where no entry is signed', async () => {
    const later = FIRST.replace(/,"sshsig":.*$/, '}').replace('0'.repeat(64), 'b'.repeat(64));
    expect(later).toContain('b'.repeat(64));
    expect(await log([later])).toMatchObject({
      text: 'The publish log has a fault: entry 1 does not name the digest of the entry before it.',
    });
  });

  it('with an entry that names another key than the key that signed it', async () => {
    const named = FIRST.replace(/"sshsig_key":"[^"]+"/, `"sshsig_key":"SHA256:${'A'.repeat(43)}"`);
    expect(await log([named, LAST])).toMatchObject({
      text: 'The publish log has a fault: entry 1 names a key that did not sign it.',
    });
  });

  it('with a signature that names no key: it does not count as unsigned', async () => {
    const nameless = FIRST.replace(/,"sshsig_key":"[^"]+"/, '');
    expect(nameless).not.toBe(FIRST);
    expect(await log([nameless])).toMatchObject({
      text: 'The publish log has a fault: entry 1 has a signature that cannot be read.',
    });
  });

  it('with a field behind the signature, which would win over a signed one', async () => {
    const text = LAST.replace(/\}$/, `,"snapshot_id":"20260714T020000Z"}`);
    expect(await log([FIRST, text])).toMatchObject({
      text: 'The publish log has a fault: entry 2 has a signature that cannot be read.',
    });
  });
});
