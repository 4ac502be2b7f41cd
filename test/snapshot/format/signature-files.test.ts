/** The three signature files of a snapshot, each checked alone: keys, days, and what may not take the place of another. */
import { describe, expect, it } from 'vitest';
import { keysById, readPublicKey, signingKeyOf } from '../../../src/signing/keys.ts';
import { armor, signSsh } from '../../../src/signing/sshsig.ts';
import {
  checkSignatureFile,
  SIGNATURE_FILES,
  signSnapshot,
} from '../../../src/snapshot/format/signature-files.ts';
import { KEY_ID, OTHER_SEED, PUBLIC_KEY, SEED, signingWith } from '../../support/signing.ts';

const snapshot = {
  manifest: Buffer.from('{"the":"manifest"}'),
  tables: [{ name: 'costs', sha256: 'a'.repeat(64) }],
  audit: Buffer.from('{"passed":true}'),
  control_sha256: 'b'.repeat(64),
};
const day = '2026-03-01';
const { keys } = signingWith();
const by = { key_id: KEY_ID, day, keys };
const other = signingKeyOf(OTHER_SEED);
const files = signSnapshot(snapshot, signingKeyOf(SEED));
const byOther = signSnapshot(snapshot, other);

describe.each(SIGNATURE_FILES)('the file %s', (name) => {
  it('is valid for its snapshot, and invalid for another manifest, table or audit', () => {
    expect(checkSignatureFile(name, files[name], snapshot, by)).toEqual({ outcome: 'valid', key_id: KEY_ID });
    const changed =
      name === 'audit.dsse.json'
        ? [
            { ...snapshot, tables: [] },
            { ...snapshot, audit: Buffer.from('{"passed":false}') },
            { ...snapshot, control_sha256: 'c'.repeat(64) },
          ]
        : [{ ...snapshot, manifest: Buffer.from('{"the":"manifesu"}') }];
    for (const each of changed) {
      expect(checkSignatureFile(name, files[name], each, by).outcome).toBe('invalid');
    }
  });

  it('is invalid when it is missing, empty, or holds another of the three', () => {
    expect(checkSignatureFile(name, null, snapshot, by)).toEqual({ outcome: 'invalid', why: 'is missing' });
    const others = SIGNATURE_FILES.filter((each) => each !== name).map((each) => files[each]);
    for (const bytes of [Buffer.alloc(0), ...others]) {
      expect(checkSignatureFile(name, bytes, snapshot, by).outcome).toBe('invalid');
    }
  });

  it('counts on the days of its key, the first and the last included', () => {
    const dated = readPublicKey(`${PUBLIC_KEY}@2026-03-01..2026-03-31`);
    const known = { ...by, keys: keysById(dated === null ? [] : [dated]) };
    const on = (each: string) =>
      checkSignatureFile(name, files[name], snapshot, { ...known, day: each }).outcome;
    expect(['2026-03-01', '2026-03-31'].map(on)).toEqual(['valid', 'valid']);
    expect(['2026-02-28', '2026-04-01'].map(on)).toEqual(['invalid', 'invalid']);
  });

  it('by an unknown key is distinguished from a wrong signature', () => {
    const { key_id } = other.public_key;
    const unknown = checkSignatureFile(name, byOther[name], snapshot, { ...by, key_id });
    expect(unknown).toEqual({ outcome: 'unknown-key', key_id });
  });
});

it('a signature for the publish log is no signature for the manifest', () => {
  const blob = signSsh(signingKeyOf(SEED), 'crossfoot-log', snapshot.manifest);
  expect(checkSignatureFile('manifest.json.sig', Buffer.from(armor(blob)), snapshot, by)).toEqual({
    outcome: 'invalid',
    why: 'has a signature for "crossfoot-log"',
  });
});

it('a raw signature by another known key than the log entry names is invalid', () => {
  const both = keysById([signingKeyOf(SEED).public_key, other.public_key]);
  expect(
    checkSignatureFile('manifest.json.ed25519', byOther['manifest.json.ed25519'], snapshot, {
      ...by,
      keys: both,
    }),
  ).toEqual({ outcome: 'invalid', why: `is no signature of the manifest by the key ${KEY_ID}` });
});
