/** Signatures that somebody else made, or made for something else, as the page of a proof reads them. */
import { beforeAll, expect, it } from 'vitest';
import { checkSignature, importKey, type TrustedKey, unarmor } from '../../src/prover/signatures.ts';
import { signingKeyOf } from '../../src/signing/keys.ts';
import { armor, type Namespace, signSsh } from '../../src/signing/sshsig.ts';
import { KEY_ID, PUBLIC_KEY, SEED } from '../support/signing.ts';

const MESSAGE = new Uint8Array(Buffer.from('the manifest'));
const DAY = '2026-07-15';

let keys: readonly TrustedKey[];
beforeAll(async () => {
  const key = await importKey({ openssh: `ssh-ed25519 ${PUBLIC_KEY}`, valid_from: null, valid_until: null });
  if (key === null) throw new Error('the key of the test cannot be read');
  keys = [key];
});

const signedFor = (namespace: Namespace): Uint8Array<ArrayBuffer> =>
  unarmor(armor(signSsh(signingKeyOf(SEED), namespace, MESSAGE))) ?? new Uint8Array();
const check = (blob: Uint8Array<ArrayBuffer>) =>
  checkSignature(blob, { namespace: 'crossfoot', message: MESSAGE, day: DAY }, keys);

it('a signature of a manifest names its key', async () => {
  expect(await check(signedFor('crossfoot'))).toEqual({ key_id: KEY_ID });
});

it('a key that is listed twice counts on the days of its later entry alone', async () => {
  const signed = { namespace: 'crossfoot', message: MESSAGE, day: DAY } as const;
  const outcome = (...lasts: readonly (string | null)[]) =>
    checkSignature(
      signedFor('crossfoot'),
      signed,
      lasts.flatMap((valid_until) => keys.map((key) => ({ ...key, valid_until }))),
    );
  const why = `is signed with the key ${KEY_ID}, which was not valid on ${DAY}`;
  expect(await outcome(null, '2026-07-14')).toEqual({ why });
  expect(await outcome('2026-07-14', null)).toEqual({ key_id: KEY_ID });
});

it('a signature of a log entry does not pass for one of a manifest, and the reason says so', async () => {
  expect(await check(signedFor('crossfoot-log'))).toEqual({ why: 'has a signature for something else' });
});

it('a signature with a reserved text cannot be read', async () => {
  const blob = Buffer.from(signedFor('crossfoot'));
  // The reserved text is the empty string after the namespace. Here it has one byte.
  const at = blob.indexOf('crossfoot') + 'crossfoot'.length;
  const longer = Buffer.concat([blob.subarray(0, at), Buffer.from([0, 0, 0, 1, 120]), blob.subarray(at + 4)]);
  expect(await check(new Uint8Array(longer))).toEqual({ why: 'has a signature that cannot be read' });
});
