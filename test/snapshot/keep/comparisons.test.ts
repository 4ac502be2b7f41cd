/** A stored comparison goes with either of its snapshots, and a scrub knows it. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { encodeComparison } from '../../../src/snapshot/format/comparison.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { aBuild, ACCOUNT, DAY, HOUR, MIDNIGHT, publishNow, SECOND } from '../builder/build-harness.ts';
import { FAULTS, faultyStore } from '../builder/faulty-store.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { pruneNow } from './prune-harness.ts';
import { flipStored, markTools, scrubNow } from './scrub-harness.ts';

const [FIRST, SECOND_DAY, THIRD] = ['20260301T000000Z', '20260302T000000Z', '20260303T000000Z'];
const ROWS = Buffer.from('{"table":"costs"}\n');

/** Stores a comparison of two published snapshots, with one changed row. */
async function compare(store: Store, from: string, to: string): Promise<void> {
  const log = await readLog(store, ACCOUNT);
  const [earlier, later] = [from, to].map((id) => log.entries.find((one) => one.snapshot_id === id));
  if (earlier === undefined || later === undefined) throw new Error(`${from} and ${to} are published`);
  const packed = gzipSync(ROWS);
  const prefix = `v1/a/${ACCOUNT}/d/${from}~${to}`;
  await store.create(`${prefix}/changes.ndjson.gz`, packed);
  const facts = {
    rules_sha256: '0'.repeat(64),
    made_at: MIDNIGHT,
    tables: [{ name: 'costs', added: 1, removed: 0, changed: 0 }],
    rows_bytes: ROWS.length,
    size_bytes: packed.length,
    sha256: sha256Hex(packed),
  };
  await store.create(`${prefix}/comparison.json`, encodeComparison({ log, from: earlier, to: later }, facts));
}

/** Snapshots of 1, 2 and 3 March, each a minute after midnight; each later one is compared with the one before. */
async function compared() {
  const clock = { now: MIDNIGHT };
  const store = clockedStore(clock);
  for (const day of [0n, 1n, 2n]) {
    clock.now = MIDNIGHT + day * DAY;
    await publishNow(store, aBuild(`day ${day}`, clock.now));
  }
  await compare(store, FIRST, SECOND_DAY);
  await compare(store, SECOND_DAY, THIRD);
  clock.now += HOUR;
  return { clock, store };
}

const comparisonsIn = (store: { keys(): string[] }): string[] =>
  store.keys().filter((key) => key.startsWith(`v1/a/${ACCOUNT}/d/`));
const objectsOf = (from: string, to: string): string[] =>
  ['changes.ndjson.gz', 'comparison.json'].map((name) => `v1/a/${ACCOUNT}/d/${from}~${to}/${name}`);
/** As for a snapshot in prune.test.ts: expired on 15 March 00:00:01, deleted from a day later on. */
const DELETABLE = MIDNIGHT + 15n * DAY + SECOND;

describe('a stored comparison', () => {
  it('is kept as long as both snapshots, and goes before the first of them', async () => {
    const { clock, store } = await compared();
    clock.now = DELETABLE - 1n;
    expect((await pruneNow(store, clock)).told).toEqual([]);
    clock.now = DELETABLE;
    const deleted: string[] = [];
    const watched: Store = { ...store, delete: (key) => (deleted.push(key), store.delete(key)) };
    expect((await pruneNow(watched, clock)).told).toEqual([`comparison ${SECOND_DAY}`, `expired ${FIRST}`]);
    // The record first: without it the rows are not read.
    expect(deleted.slice(0, 2)).toEqual(objectsOf(FIRST, SECOND_DAY).toReversed());
    expect(comparisonsIn(store)).toEqual(objectsOf(SECOND_DAY, THIRD));
  });

  it('is kept while both of its snapshots are pinned', async () => {
    const { clock, store } = await compared();
    const pinned = { account_id: ACCOUNT, name: 'audit', until: MIDNIGHT + 400n * DAY, by: 'test' };
    for (const snapshot_id of [FIRST, SECOND_DAY]) {
      await pin({ ...pinned, snapshot_id, now: clock.now }, markTools(store, clock));
    }
    clock.now = MIDNIGHT + 100n * DAY;
    expect((await pruneNow(store, clock)).told).toEqual([]);
    expect(comparisonsIn(store)).toHaveLength(4);
  });

  it('goes with a retracted snapshot on either side, whose own files stay', async () => {
    const { clock, store } = await compared();
    const retraction = {
      account_id: ACCOUNT,
      reason: 'wrong',
      replaced_by: null,
      by: 'test',
      now: clock.now,
    };
    await retract({ ...retraction, snapshot_id: SECOND_DAY }, markTools(store, clock));
    expect((await pruneNow(store, clock)).told).toEqual([`comparison ${SECOND_DAY}`, `comparison ${THIRD}`]);
    expect(comparisonsIn(store)).toEqual([]);
    expect(store.keys().filter((key) => key.includes(`/s/${SECOND_DAY}-`))).not.toEqual([]);
  });

  it('that a build wrote after its snapshot was deleted goes the next time', async () => {
    const { clock, store } = await compared();
    const late = objectsOf(FIRST, SECOND_DAY).map((key) => [key, store.objects.get(key)] as const);
    clock.now = DELETABLE;
    await pruneNow(store, clock);
    for (const [key, bytes] of late) await store.create(key, bytes ?? new Uint8Array());
    expect((await pruneNow(store, clock)).told).toEqual([`comparison ${SECOND_DAY}`]);
    expect(comparisonsIn(store)).toEqual(objectsOf(SECOND_DAY, THIRD));
  });

  it('of snapshots that no log names goes, and so does one without a record', async () => {
    const { clock, store } = await compared();
    await store.create(`v1/a/${ACCOUNT}/d/20260101T000000Z~${THIRD}/changes.ndjson.gz`, ROWS);
    await store.delete(`v1/a/${ACCOUNT}/d/${FIRST}~${SECOND_DAY}/comparison.json`);
    expect((await pruneNow(store, clock)).told).toEqual([`comparison ${THIRD}`]);
    clock.now = DELETABLE;
    expect((await pruneNow(store, clock)).told).toContain(`comparison ${SECOND_DAY}`);
    expect(comparisonsIn(store)).toEqual(objectsOf(SECOND_DAY, THIRD));
  });

  it('stays in a dry run, and where the log is broken', async () => {
    const { clock, store } = await compared();
    clock.now = DELETABLE;
    expect((await pruneNow(store, clock, { dryRun: true })).told).toContain(`comparison ${SECOND_DAY}`);
    store.objects.set(`v1/a/${ACCOUNT}/log/0000000002.json`, Buffer.from('{}'));
    expect(await pruneNow(store, clock)).toMatchObject({ told: [], faults: 1 });
    expect(comparisonsIn(store)).toHaveLength(4);
  });

  it.each(FAULTS)('never outlives a snapshot, whichever call the store %s of', async (fault) => {
    for (let call = 1; ; call += 1) {
      const { clock, store } = await compared();
      clock.now = DELETABLE;
      const faulty = faultyStore(store, fault, call);
      await pruneNow(faulty, clock).catch((error: unknown) => {
        if (!isCrossfootError(error)) throw error;
      });
      const manifest = store
        .keys()
        .some((key) => key.includes(`/s/${FIRST}-`) && key.endsWith('manifest.json'));
      const record = store.objects.has(`v1/a/${ACCOUNT}/d/${FIRST}~${SECOND_DAY}/comparison.json`);
      expect({ call, outlives: record && !manifest }).toEqual({ call, outlives: false });
      // Whatever was left, the next prune ends it.
      await pruneNow(store, clock);
      expect(comparisonsIn(store)).toEqual(objectsOf(SECOND_DAY, THIRD));
      if (!faulty.reached()) break;
    }
  });
});

describe('a scrub', () => {
  it('reads the comparison of each due snapshot with the one before, and says nothing of a whole one', async () => {
    const { clock, store } = await compared();
    clock.now = MIDNIGHT + 10n * DAY;
    const told = (await scrubNow(store, clock)).told;
    expect(told.toSorted()).toEqual([`read ${FIRST}`, `read ${SECOND_DAY}`, `read ${THIRD}`]);
  });

  it.each([
    ['a bit of its rows', /d\/20260302.*changes/],
    ['a bit of its record', /d\/20260302.*comparison\.json/],
  ])('reports %s, and neither deletes it nor calls the snapshot damaged', async (_, key) => {
    const { clock, store } = await compared();
    clock.now = MIDNIGHT + 10n * DAY;
    flipStored(store.objects, key);
    const { told, damaged } = await scrubNow(store, clock);
    expect(told).toContain(`comparison ${THIRD} v1/a/${ACCOUNT}/d/${SECOND_DAY}~${THIRD}`);
    expect([told.filter((line) => line.startsWith('comparison')).length, damaged]).toEqual([1, 0]);
    expect(comparisonsIn(store)).toHaveLength(4);
  });

  it('reports rows that are missing or go on after their end', async () => {
    const { clock, store } = await compared();
    clock.now = MIDNIGHT + 10n * DAY;
    const [first = '', second = ''] = [objectsOf(FIRST, SECOND_DAY)[0], objectsOf(SECOND_DAY, THIRD)[0]];
    store.objects.delete(first);
    store.objects.set(second, Buffer.concat([store.objects.get(second) ?? new Uint8Array(), ROWS]));
    const told = (await scrubNow(store, clock)).told.filter((line) => line.startsWith('comparison'));
    expect(told).toEqual([
      `comparison ${THIRD} v1/a/${ACCOUNT}/d/${SECOND_DAY}~${THIRD}`,
      `comparison ${SECOND_DAY} v1/a/${ACCOUNT}/d/${FIRST}~${SECOND_DAY}`,
    ]);
  });

  it('believes damage only after three reads over new connections', async () => {
    const { clock, store } = await compared();
    const bad = clockedStore(clock);
    for (const [key, bytes] of store.objects) bad.objects.set(key, bytes);
    flipStored(bad.objects, /d\/20260302.*changes/);
    let opened = 0;
    const openStore = async () => ((opened += 1), opened < 3 ? bad : store);
    const { told } = await scrubNow(store, clock, {}, { openStore });
    expect(told.filter((line) => line.startsWith('comparison'))).toEqual([]);
  });

  it('names a strange object beside the comparisons, and ignores rows without a record', async () => {
    const { clock, store } = await compared();
    clock.now = MIDNIGHT + 10n * DAY;
    const strange = `v1/a/${ACCOUNT}/d/${SECOND_DAY}~${THIRD}/notes.txt`;
    await store.create(strange, ROWS);
    await store.delete(`v1/a/${ACCOUNT}/d/${FIRST}~${SECOND_DAY}/comparison.json`);
    const { told } = await scrubNow(store, clock);
    expect(told).toEqual([
      `read ${THIRD}`,
      `strange ${THIRD} ${strange}`,
      `read ${FIRST}`,
      `read ${SECOND_DAY}`,
    ]);
  });
});
