/** What `verify` says of the signatures in a folder: checked, wrong, by a strange key, or not checked, and why. */
import { describe, expect, it } from 'vitest';
import type { SentManifest } from '../../../src/snapshot/format/manifest.ts';
import { signSnapshot } from '../../../src/snapshot/format/signature-files.ts';
import {
  signedBy,
  verifyOwnSignatures,
  verifySignatures,
} from '../../../src/snapshot/keep/verify-signatures.ts';
import { signingKeyOf } from '../../../src/signing/keys.ts';
import { instantOf } from '../../support/instant-of.ts';
import { KEY_ID, OTHER_SEED, SEED, signingWith } from '../../support/signing.ts';

const control_sha256 = 'b'.repeat(64);
const audit = Buffer.from('{"passed":true}');
const bytes = Buffer.from('{"the":"manifest"}');
const tables = [{ name: 'costs', sha256: 'a'.repeat(64) }];
/** Only what the check reads of a manifest. */
const manifest = {
  generated_at: instantOf('2026-03-01T02:00:00.000000Z'),
  tables,
  files: [{ name: 'control.json', sha256: control_sha256 }],
} as unknown as SentManifest;
const signed = signSnapshot({ manifest: bytes, tables, audit, control_sha256 }, signingKeyOf(SEED));

/** A folder with these files instead of its own; null: without the file. */
const folder =
  (changed: Readonly<Record<string, Uint8Array | null>> = {}) =>
  async (name: string): Promise<Uint8Array | null> =>
    ({ 'manifest.json': bytes, 'audit.json': audit, ...signed, ...changed })[name] ?? null;
const by = (keys = signingWith().keys) => ({ key_id: KEY_ID, day: '2026-03-01', keys });

describe('the signatures in a folder', () => {
  it('are checked without an offence, by the key and the day of the log entry', async () => {
    expect(await verifySignatures(by(), manifest, folder())).toEqual({ offences: [], unchecked: [] });
    const published_at = instantOf('2026-03-01T23:59:59.999999Z');
    const { keys } = signingWith();
    expect(signedBy({ sshsig_key: KEY_ID, published_at }, keys)).toEqual({
      key_id: KEY_ID,
      day: '2026-03-01',
      keys,
    });
  });

  it('are not expected of a snapshot from before signing, which is said', async () => {
    expect(signedBy({ published_at: manifest.generated_at }, new Map())).toBeNull();
    expect(await verifySignatures(null, manifest, folder())).toEqual({
      offences: [],
      unchecked: ['The signatures: the snapshot was published before snapshots were signed.'],
    });
  });

  it('are not checked where no key is known, which is said once', async () => {
    expect(await verifySignatures(by(new Map()), manifest, folder())).toEqual({
      offences: [],
      unchecked: [`The signatures: SIGNING_PUBLIC_KEYS does not name the key ${KEY_ID}.`],
    });
  });

  it('are an offence each where other keys are known, and where one is missing', async () => {
    const { offences } = await verifySignatures(by(signingWith(OTHER_SEED).keys), manifest, folder());
    expect(offences.map(({ subject, found }) => [subject, found])).toEqual(
      Object.keys(signed).map((name) => [name, KEY_ID]),
    );
    const missing = await verifySignatures(by(), manifest, folder({ 'manifest.json.ed25519': null }));
    expect(missing.offences).toEqual([
      {
        subject: 'manifest.json.ed25519',
        place: 'signature',
        expected: 'a valid signature',
        found: 'is missing',
      },
    ]);
  });
});

describe('the signatures in a folder without a log entry', () => {
  it('are checked by the key that they name, and it is said that nothing vouches for that key', async () => {
    expect(await verifyOwnSignatures(manifest, folder())).toEqual({
      offences: [],
      signed: true,
      unchecked: [
        `The signatures: The folder holds no log entry, so it is not known whose key made them: ${KEY_ID}.`,
      ],
    });
  });

  it('are not reported for a folder that has none of the three files', async () => {
    const none = Object.fromEntries(Object.keys(signed).map((name) => [name, null]));
    expect(await verifyOwnSignatures(manifest, folder(none))).toEqual({
      offences: [],
      signed: false,
      unchecked: ['The signatures: The folder has none.'],
    });
  });

  it('are an offence where the signature that names the key is damaged or missing', async () => {
    for (const sig of [null, Buffer.from('no signature')]) {
      const { offences, signed: isSigned } = await verifyOwnSignatures(
        manifest,
        folder({ 'manifest.json.sig': sig }),
      );
      expect([isSigned, offences.map(({ subject }) => subject)]).toEqual([true, ['manifest.json.sig']]);
    }
  });

  it('are an offence where the manifest is another', async () => {
    const { offences } = await verifyOwnSignatures(manifest, folder({ 'manifest.json': Buffer.from('{}') }));
    expect(offences.map(({ subject }) => subject)).toEqual(['manifest.json.sig', 'manifest.json.ed25519']);
  });
});
