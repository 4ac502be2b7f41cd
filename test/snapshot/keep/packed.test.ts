/** Snapshots in the packed layout beside those of the other: every reader and keeper of the store knows both. */
import { describe, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { findDamage } from '../../../src/snapshot/keep/find-damage.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { unpacked } from '../../../src/snapshot/read/unpacked-store.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { readAll } from '../../store/contract.ts';
import {
  aBuild,
  ACCOUNT,
  DAY,
  HOUR,
  MIDNIGHT,
  publishNow,
  readerAt,
  SECOND,
} from '../builder/build-harness.ts';
import { pruneNow } from './prune-harness.ts';
import { flipStored, scrubNow } from './scrub-harness.ts';

const [OLD, NEW] = ['20260301T000000Z', '20260302T000000Z'];

/** A night in each layout: the keys of the store, as a keeper sees them, and the store as it is read. */
async function bothLayouts() {
  const clock = { now: MIDNIGHT };
  const bare = clockedStore(clock);
  const store = unpacked(bare, () => clock.now);
  await publishNow(store, aBuild('old', MIDNIGHT));
  clock.now += DAY;
  await publishNow(store, { ...aBuild('new', MIDNIGHT + DAY), layout: 'packed' });
  clock.now += HOUR;
  return { clock, bare, store, reader: readerAt(store, () => clock.now) };
}

/** The files of a build in the store, by their names. */
function filesOf(keys: readonly string[], layout: 's' | 'p'): readonly string[] {
  return keys
    .filter((key) => key.startsWith(`v1/a/${ACCOUNT}/${layout}/`))
    .map((key) => key.split('/')[5] ?? '');
}

describe('a store with both layouts', () => {
  it('keeps the tables and the manifest of a packed build as objects, and all else in one', async () => {
    const { bare } = await bothLayouts();
    expect(filesOf(bare.keys(), 's')).toEqual([
      'audit.json',
      'costs.blocks',
      'costs.parquet',
      'manifest.json',
      'snapshot.blocks',
      'snapshot.parquet',
    ]);
    expect(filesOf(bare.keys(), 'p')).toEqual([
      'costs.parquet',
      'manifest.json',
      'rest.pack',
      'snapshot.parquet',
    ]);
  });

  it('is read alike, and no server sends where a file lies', async () => {
    const { reader } = await bothLayouts();
    expect((await reader.list(ACCOUNT)).map(({ snapshot_id }) => snapshot_id)).toEqual([NEW, OLD]);
    expect(Buffer.from(await reader.readFile(ACCOUNT, NEW, 'audit.json')).toString()).toBe('audit of new');
    expect(Buffer.from(await reader.readFile(ACCOUNT, OLD, 'audit.json')).toString()).toBe('audit of old');
    expect((await readAll(await reader.openTable(ACCOUNT, NEW, 'costs'))).toString()).toBe('costs of new');
    expect(await reader.latest(ACCOUNT)).not.toHaveProperty('packed');
  });

  it('is scrubbed whole, and prune deletes a packed build like any other', async () => {
    const { clock, bare, store } = await bothLayouts();
    expect((await scrubNow(store, clock, { which: 'all' })).told).toEqual([`read ${NEW}`, `read ${OLD}`]);
    for (const day of [2n, 3n]) {
      clock.now = MIDNIGHT + day * DAY;
      await publishNow(store, { ...aBuild(`day ${day}`, clock.now), layout: 'packed' });
    }
    clock.now = MIDNIGHT + 17n * DAY;
    expect((await pruneNow(store, clock)).told).toEqual([`expired ${OLD}`, `expired ${NEW}`]);
    expect(bare.keys().filter((key) => key.includes(OLD) || key.includes(NEW))).toEqual([]);
  });

  it('finds its files again a minute after a damaged manifest was restored', async () => {
    const { clock, bare, store } = await bothLayouts();
    const manifest = bare.keys().find((key) => /\/p\/.*manifest\.json$/.test(key)) ?? '';
    const audit = manifest.replace('manifest.json', 'audit.json');
    const intact = bare.objects.get(manifest) ?? new Uint8Array();
    // `audit of new` lies behind two lists of 32 bytes.
    const moved = Buffer.from(intact).toString().replaceAll('"size_bytes":32', '"size_bytes":30');
    bare.objects.set(manifest, Buffer.from(moved));
    const read = async (): Promise<string> =>
      Buffer.from((await store.readSmall(audit, 100)) ?? []).toString();
    expect(await read()).not.toBe('audit of new');
    bare.objects.set(manifest, intact);
    clock.now += 60n * SECOND;
    expect(await read()).toBe('audit of new');
  });

  it('counts an abandoned packed build and deletes it after its tombstone', async () => {
    const { clock, bare, store } = await bothLayouts();
    const prefix = `v1/a/${ACCOUNT}/p/20260301T120000Z-${'a'.repeat(32)}`;
    await bare.create(`${prefix}/rest.pack`, Buffer.from('left behind'));
    clock.now += 3n * DAY;
    expect((await pruneNow(store, clock)).told).toEqual(['abandoned 20260301T120000Z']);
    expect(bare.keys().filter((key) => key.startsWith(prefix))).toEqual([`${prefix}/manifest.json`]);
  });
});

describe('a damaged packed build', () => {
  const damages: readonly (readonly [
    string,
    (objects: Map<string, Uint8Array>, key: string) => unknown,
    readonly string[],
  ])[] = [
    ['changed', (objects) => flipStored(objects, /rest\.pack$/), ['snapshot.parquet']],
    ['missing', (objects, key) => objects.delete(key), ['snapshot.parquet', 'costs.parquet', 'audit.json']],
    [
      'shorter',
      (objects, key) => objects.set(key, (objects.get(key) ?? new Uint8Array()).slice(0, -1)),
      ['audit.json'],
    ],
    [
      'longer',
      (objects, key) =>
        objects.set(key, Buffer.concat([objects.get(key) ?? new Uint8Array(), Buffer.from('x')])),
      ['audit.json'],
    ],
  ];
  it.each(damages)(
    'whose shared object is %s is found by the names of its files',
    async (_, damage, files) => {
      const { clock, bare, store } = await bothLayouts();
      const pack = bare.keys().find((key) => key.endsWith('rest.pack')) ?? '';
      damage(bare.objects, pack);
      const [, entry] = (await readLog(store, ACCOUNT)).entries;
      if (entry === undefined) throw new Error('the packed snapshot is published');
      const skewed = { now: () => clock.now, random: () => 0.5, sleep: () => Promise.resolve() };
      const job = {
        account_id: ACCOUNT,
        entry,
        keys: bare.keys().filter((key) => key.startsWith(entry.prefix)),
      };
      const found = await findDamage(job, { store, clock: skewed, onRead: () => Promise.resolve() });
      expect(found.damaged).toEqual(files);
      expect(found.strange).toEqual([]);
    },
  );

  it('is not published if a file changed since its audit', async () => {
    const { store } = await bothLayouts();
    const build = aBuild('late', MIDNIGHT + 2n * DAY);
    const [audit] = build.files;
    if (audit === undefined) throw new Error('the build has an audit');
    const files = [{ ...audit, content: { ...audit.content, sha256: '0'.repeat(64) } }];
    await expect(publishNow(store, { ...build, files, layout: 'packed' })).rejects.toMatchObject({
      code: 'store_checksum_mismatch',
    });
    expect((await readLog(store, ACCOUNT)).entries).toHaveLength(2);
  });

  it('is refused to readers, and never sent half', async () => {
    const { bare, reader } = await bothLayouts();
    const pack = bare.keys().find((key) => key.endsWith('rest.pack')) ?? '';
    const bytes = Buffer.from(bare.objects.get(pack) ?? []);
    bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1); // the last byte of audit.json
    bare.objects.set(pack, bytes);
    const read = reader.readFile(ACCOUNT, NEW, 'audit.json');
    await expect(read).rejects.toBeInstanceOf(CrossfootError);
    await expect(read).rejects.toMatchObject({ code: 'file_corrupt' });
  });
});
