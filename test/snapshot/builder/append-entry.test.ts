/** The commit point by itself: what an entry comes to, whatever the log and the store say. */
import { describe, expect, test } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { appendEntry } from '../../../src/snapshot/builder/append-entry.ts';
import {
  emptyLog,
  encodeNextEntry,
  follow,
  type NewEntry,
} from '../../../src/snapshot/format/publish-log.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { ACCOUNT, MIDNIGHT, clockAt } from './build-harness.ts';
import { instantOf } from '../../support/instant-of.ts';

const clock = clockAt(MIDNIGHT);
const EMPTY = emptyLog(ACCOUNT);

/** The entry of a night of March 2026. */
function entryOf(day: number, nonce = day): NewEntry {
  const two = String(day).padStart(2, '0');
  return {
    snapshot_id: `202603${two}T020000Z`,
    manifest_sha256: 'a'.repeat(64),
    nonce: String(nonce).padStart(32, '0'),
    night: `2026-03-${two}`,
    published_at: instantOf('2026-03-31T02:01:00.000000Z'),
    builder: 'test',
  };
}

/** A store whose log has these nights. */
async function logOf(...days: readonly number[]): Promise<Store> {
  const store = memoryStore();
  for (const day of days) await append(store, entryOf(day));
  return store;
}

/** Appends to what is known: nothing, so that every entry there is a race that was lost. */
const append = (store: Store, entry: NewEntry, { known = EMPTY, once = false } = {}) =>
  appendEntry(store, clock, known, entry, { once });

const saysExists: Store['create'] = async () => 'exists';

const nightsOf = async (store: Store): Promise<readonly string[]> =>
  (await readLog(store, ACCOUNT)).entries.map(({ night }) => night);

describe('an entry', () => {
  test('comes after all those that were there before, however many races it lost', async () => {
    const store = await logOf(1, 2, 3);
    expect(await append(store, entryOf(4))).toEqual({ outcome: 'published', seq: 4 });
    expect(await nightsOf(store)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']);
  });

  test('that exists already is found with its own number, not with the newest number', async () => {
    const store = await logOf(1, 2, 3);
    for (const once of [false, true]) {
      expect(await append(store, entryOf(2), { once })).toEqual({ outcome: 'published', seq: 2 });
    }
    expect(await nightsOf(store)).toHaveLength(3);
  });

  test('of a moment that is not the newest gives way to the newest, and is not created', async () => {
    const store = await logOf(1, 5);
    expect(await append(store, entryOf(3))).toEqual({ outcome: 'superseded', seq: 2 });
    expect(await append(store, entryOf(5, 99))).toEqual({ outcome: 'superseded', seq: 2 });
    expect(await nightsOf(store)).toHaveLength(2);
  });

  test('of a night that was published gives way to that night alone, wherever it stands', async () => {
    const store = await logOf(1, 2, 3);
    const again = { ...entryOf(4), night: '2026-03-02' };
    expect(await append(store, again, { once: true })).toEqual({ outcome: 'skipped', seq: 2 });
    expect(await nightsOf(store)).toHaveLength(3);
    expect(await append(store, again)).toEqual({ outcome: 'published', seq: 4 });
  });
});

describe('no entry is created', () => {
  test('where the log is known to be broken, though its place is free', async () => {
    const fault = new CrossfootError('publish_log_broken', 'entry 1 is missing');
    const store = memoryStore();
    await expect(append(store, entryOf(1), { known: { ...EMPTY, fault } })).rejects.toBe(fault);
    expect(await nightsOf(store)).toEqual([]);
  });

  test('after an invalid entry: the error names the fault, not a missing entry', async () => {
    const store = memoryStore();
    await store.create('v1/a/7/log/0000000001.json', Buffer.from('{}'));
    await expect(append(store, entryOf(1))).rejects.toMatchObject({
      code: 'publish_log_broken',
      message: 'publish log of account 7: entry 1 is malformed.',
    });
  });

  test('after an entry that is listed but cannot be read', async () => {
    const store = await logOf(1);
    const known = await readLog(store, ACCOUNT);
    await expect(append({ ...store, create: saysExists }, entryOf(2), { known })).rejects.toMatchObject({
      code: 'publish_log_broken',
      message: 'publish log of account 7: entry 2 exists but is not found.',
    });
  });
});

describe('an answer that never came', () => {
  const unknown = new CrossfootError('store_outcome_unknown', 'no answer');
  const silentAfter = (store: Store, applied: boolean): Store => ({
    ...store,
    create: async (key, body) => {
      if (applied) await store.create(key, body);
      throw unknown;
    },
  });

  test('is looked for: the entry that is there was published', async () => {
    const store = await logOf(1);
    expect(
      await append(silentAfter(store, true), entryOf(2), { known: await readLog(store, ACCOUNT) }),
    ).toEqual({
      outcome: 'published',
      seq: 2,
    });
  });

  test('is reported as an error when the entry does not exist', async () => {
    await expect(append(silentAfter(memoryStore(), false), entryOf(1))).rejects.toBe(unknown);
  });

  test('does not hide a winner: a newer moment with the same number is reported', async () => {
    const store = await logOf(5);
    expect(await append(silentAfter(store, true), entryOf(1))).toEqual({ outcome: 'superseded', seq: 1 });
  });

  test('differs from a refusal, which is reported at once without reading the log', async () => {
    const refusal = new CrossfootError('store_unavailable', 'refused');
    const reads: string[] = [];
    const store: Store = {
      ...memoryStore(),
      create: () => Promise.reject(refusal),
      readSmall: async (key) => (reads.push(key), null),
    };
    await expect(append(store, entryOf(1))).rejects.toBe(refusal);
    expect(reads).toEqual([]);
  });
});

test('the bytes of an entry name the head that it was made after', async () => {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  const first = encodeNextEntry(EMPTY, entryOf(1));
  await append(store, entryOf(1));
  await append(store, entryOf(2));
  expect([...objects.keys()]).toEqual(['v1/a/7/log/0000000001.json', 'v1/a/7/log/0000000002.json']);
  expect(objects.get('v1/a/7/log/0000000002.json')).toEqual(
    new Uint8Array(encodeNextEntry(follow(EMPTY, [first]), entryOf(2))),
  );
});
