/** The signatures of snapshots as they are published, read and scrubbed. */
import { verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { checkEnvelope } from '../../../src/signing/dsse.ts';
import { checkSsh, unarmor } from '../../../src/signing/sshsig.ts';
import { keysById, readPublicKey, signingKeyOf } from '../../../src/signing/keys.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { SIGNATURE_FILES } from '../../../src/snapshot/format/signature-files.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { createSignedReader } from '../../../src/snapshot/read/signed-reader.ts';
import type { Store } from '../../../src/store/store.ts';
import { KEY_ID, OTHER_SEED, PUBLIC_KEY, SEED, signingWith } from '../../support/signing.ts';
import { aBuild, ACCOUNT, DAY, HOUR, MIDNIGHT, publishNow } from '../builder/build-harness.ts';
import { aSignedBuild, signedStore } from '../builder/signed-build.ts';
import { flipStored, scrubNow } from './scrub-harness.ts';

const ID = '20260301T000000Z';
const { keys } = signingWith();
const day = '2026-03-01';

async function published() {
  const clock = { now: MIDNIGHT };
  const store = signedStore(clock);
  await publishNow(store, aSignedBuild('one', MIDNIGHT));
  clock.now += DAY + HOUR;
  const named = (name: string): Uint8Array => {
    const [, bytes] = [...store.objects].find(([key]) => key.endsWith(`/${name}`)) ?? [];
    if (bytes === undefined) throw new Error(`there is no ${name}`);
    return bytes;
  };
  return { clock, store, named };
}

const readerOf = (store: Store) =>
  createSignedReader(store, createReader({ store, now: () => MIDNIGHT, onFault: () => undefined }));

const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error: unknown) => (error instanceof CrossfootError ? `${error.code}: ${error.message}` : 'unforeseen'),
  );

describe('a published snapshot', () => {
  it('has its signatures after the manifest and before the log entry', async () => {
    const { store } = await published();
    const names = [...store.objects.keys()].map((key) => key.split('/').at(-1));
    expect(names.slice(-5)).toEqual(['manifest.json', ...SIGNATURE_FILES, '0000000001.json']);
  });

  it('is signed three times over the very bytes of its manifest', async () => {
    const { named } = await published();
    const manifest = named('manifest.json');
    const blob = unarmor(Buffer.from(named('manifest.json.sig')).toString()) ?? Buffer.alloc(0);
    expect(checkSsh(blob, { namespace: 'crossfoot', message: manifest, day }, keys)).toEqual({
      outcome: 'valid',
      key_id: KEY_ID,
    });
    const { key } = signingKeyOf(SEED).public_key;
    expect(verify(null, manifest, key, named('manifest.json.ed25519'))).toBe(true);
    const statement = {
      subjects: [
        { name: 'snapshot.parquet', sha256: sha256Hex(Buffer.from('snapshot of one')) },
        { name: 'costs.parquet', sha256: sha256Hex(Buffer.from('costs of one')) },
      ],
      predicate: {
        audit: { checks: [], label: 'one', passed: true },
        control_sha256: sha256Hex(Buffer.from('control of one')),
      },
    };
    const envelope = named('audit.dsse.json');
    expect(checkEnvelope(envelope, statement, { keys, day })).toEqual({ outcome: 'valid', key_id: KEY_ID });
    expect(checkEnvelope(envelope, { ...statement, predicate: {} }, { keys, day })).toEqual({
      outcome: 'invalid',
      why: 'states other files or another audit than the manifest',
    });
  });

  it('is signed on the day on which it was published, which may be the day after that of its data', async () => {
    const late = MIDNIGHT + DAY - 30_000_000n; // published a minute later, on 2 March
    const signing = signingWith();
    const outcomesWith = async (days: string) => {
      const dated = readPublicKey(`${PUBLIC_KEY}@${days}`);
      const store = {
        ...signedStore({ now: late }),
        signing: { ...signing, keys: keysById(dated === null ? [] : [dated]) },
      };
      await publishNow({ ...store, signing }, aSignedBuild('late', late));
      return await codeOf(readerOf(store).signature(ACCOUNT, '20260301T235930Z', 'manifest.json.sig'));
    };
    expect(await outcomesWith('2026-03-02..')).toBe('read');
    expect(await outcomesWith('..2026-03-01')).toContain('which was not valid on 2026-03-02');
  });

  it('is not published again unsigned', async () => {
    const { store } = await published();
    const { signing: _, ...keyless } = store;
    await expect(publishNow(keyless, aBuild('two', MIDNIGHT + 1_000_000n))).rejects.toMatchObject({
      code: 'settings_invalid',
    });
  });
});

describe('a reader of signatures', () => {
  it('sends the manifest, the entry and each signature as they are stored', async () => {
    const { store, named } = await published();
    const reader = readerOf(store);
    expect(await reader.manifest(ACCOUNT, ID)).toEqual(named('manifest.json'));
    expect(await reader.entryOf(ACCOUNT, ID)).toEqual(named('0000000001.json'));
    expect(await reader.entry(ACCOUNT, 1)).toEqual(named('0000000001.json'));
    for (const name of SIGNATURE_FILES)
      expect(await reader.signature(ACCOUNT, ID, name)).toEqual(named(name));
    expect(await codeOf(reader.entry(ACCOUNT, 2))).toBe('not_found: The publish log has 1 entries.');
    expect(await codeOf(reader.manifest(ACCOUNT, '20260302T000000Z'))).toContain('not_found');
  });

  it('sends of two snapshots the files and the entry of each', async () => {
    const { store } = await published();
    await publishNow(store, aSignedBuild('two', MIDNIGHT + DAY));
    const reader = readerOf(store);
    const second = '20260302T000000Z';
    const [one, two] = [await reader.entry(ACCOUNT, 1), await reader.entry(ACCOUNT, 2)];
    expect([await reader.entryOf(ACCOUNT, ID), await reader.entryOf(ACCOUNT, second)]).toEqual([one, two]);
    const label = async (id: string) => {
      const envelope = Buffer.from(await reader.signature(ACCOUNT, id, 'audit.dsse.json')).toString();
      const { payload } = JSON.parse(envelope) as { payload: string };
      return /"label":"(\w+)"/.exec(Buffer.from(payload, 'base64').toString())?.[1];
    };
    expect([await label(ID), await label(second)]).toEqual(['one', 'two']);
    // The log up to a snapshot never shows a later entry.
    const to = (id: string, from: number, most: number) => reader.entriesTo(ACCOUNT, id, { from, most });
    expect(await to(second, 1, 10)).toEqual([one, two]);
    expect([await to(second, 1, 1), await to(second, 2, 1), await to(second, 3, 1)]).toEqual([
      [one],
      [two],
      [],
    ]);
    expect([await to(ID, 1, 10), await to(ID, 2, 10)]).toEqual([[one], []]);
    expect(await codeOf(to('20260303T000000Z', 1, 10))).toContain('not_found');
  });

  it('says which file hinders the check where the report of the audit is damaged or gone', async () => {
    const { store } = await published();
    const said = 'file_corrupt: audit.json of 20260301T000000Z is missing or damaged.';
    flipStored(store.objects, /\/audit\.json$/);
    expect(await codeOf(readerOf(store).signature(ACCOUNT, ID, 'manifest.json.sig'))).toBe(said);
    store.objects.delete(store.keys().find((key) => key.endsWith('/audit.json')) ?? '');
    expect(await codeOf(readerOf(store).signature(ACCOUNT, ID, 'manifest.json.sig'))).toBe(said);
  });

  it.each(SIGNATURE_FILES)('refuses %s with a byte changed', async (name) => {
    const { store } = await published();
    flipStored(store.objects, new RegExp(`/${name}$`));
    expect(await codeOf(readerOf(store).signature(ACCOUNT, ID, name))).toMatch(
      new RegExp(`^file_corrupt: ${name} of ${ID} `),
    );
  });

  it('reports a snapshot from before signing as not signed', async () => {
    const { signing: _, ...store } = signedStore({ now: MIDNIGHT });
    await publishNow(store, aBuild('old', MIDNIGHT));
    expect(await codeOf(readerOf(store).signature(ACCOUNT, ID, 'manifest.json.sig'))).toBe(
      'not_found: This snapshot is not signed: a version of Crossfoot that did not sign published it.',
    );
  });
});

describe('a scrub', () => {
  it('finds nothing wrong with right signatures', async () => {
    const { store, clock } = await published();
    expect((await scrubNow(store, clock)).told).toEqual([`read ${ID}`]);
  });

  it.each(SIGNATURE_FILES)('quarantines a snapshot whose %s has a byte changed', async (name) => {
    const { store, clock } = await published();
    flipStored(store.objects, new RegExp(`/${name}$`));
    expect((await scrubNow(store, clock)).told).toEqual([`read ${ID}`, `damaged ${ID} ${name} head`]);
  });

  it('quarantines a snapshot whose signature is missing', async () => {
    const { store, clock } = await published();
    const key = store.keys().find((each) => each.endsWith('.sig')) ?? '';
    store.objects.delete(key);
    expect((await scrubNow(store, clock)).told).toContain(`damaged ${ID} manifest.json.sig head`);
  });

  it('tells of a key that it does not know, and leaves the snapshot readable', async () => {
    const { store, clock } = await published();
    const signing = signingWith(OTHER_SEED);
    const { told, damaged } = await scrubNow({ ...store, signing }, clock);
    expect(told).toEqual([`read ${ID}`, `unknown ${ID} ${KEY_ID}`]);
    expect(damaged).toBe(0);
  });
});
