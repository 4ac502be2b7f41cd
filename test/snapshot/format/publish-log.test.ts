import { describe, expect, test } from 'vitest';
import { decodeCanonical, encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { logKey } from '../../../src/snapshot/format/keys.ts';
import {
  emptyLog,
  encodeNextEntry,
  follow,
  type LogEntry,
} from '../../../src/snapshot/format/publish-log.ts';
import { glanceAtHead, readLog, readOn } from '../../../src/snapshot/read/read-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { instantOf } from '../../support/instant-of.ts';

function newEntry(number: number) {
  return {
    snapshot_id: `202603${String(number).padStart(2, '0')}T020000Z`,
    manifest_sha256: 'a'.repeat(64),
    nonce: String(number).padStart(32, '0'),
    night: '2026-03-01',
    published_at: instantOf('2026-03-01T02:01:00.000000Z'),
    builder: 'test',
  };
}

/** A store holding a good log of this many entries, as account 7. */
function logOf(length: number): Map<string, Uint8Array> {
  const objects = new Map<string, Uint8Array>();
  let log = emptyLog(7n);
  for (let seq = 1; seq <= length; seq += 1) {
    const bytes = encodeNextEntry(log, newEntry(seq));
    objects.set(logKey(7n, seq), bytes);
    log = follow(log, [bytes]);
  }
  return objects;
}

/** Rewrites one stored entry and says nothing to those after it. */
function edit(objects: Map<string, Uint8Array>, seq: number, change: Partial<LogEntry>): void {
  const entry = decodeCanonical(objects.get(logKey(7n, seq)) ?? new Uint8Array()) as LogEntry; // just written by us
  objects.set(logKey(7n, seq), encodeCanonical({ ...entry, ...change }));
}

test('each entry of a log is chained to the exact bytes of the one before, beginning with zeros', async () => {
  const objects = logOf(2);
  const { entries, fault } = await readLog(memoryStore(objects), 7n);
  expect(fault).toBeNull();
  expect(entries.map((entry) => entry.prev_sha256)).toEqual([
    '0'.repeat(64),
    sha256Hex(objects.get(logKey(7n, 1)) ?? new Uint8Array()),
  ]);
  expect(entries[1]).toMatchObject({ seq: 2, prefix: `v1/a/7/s/20260302T020000Z-${'2'.padStart(32, '0')}` });
});

test('a log of any length is read, also beyond one batch and beyond a stale listing (F-25)', async () => {
  for (const length of [0, 1, 16, 17, 28]) {
    const store = memoryStore(logOf(length));
    expect((await readLog(store, 7n)).entries).toHaveLength(length);
    const stale: Store = { ...store, list: () => memoryStore().list('v1/a/7/log/') };
    expect((await readLog(stale, 7n)).entries).toHaveLength(length);
  }
});

test('a known log is read on with one call when nothing is new', async () => {
  const objects = logOf(3);
  const store = memoryStore(objects);
  const log = await readLog(memoryStore(logOf(2)), 7n);
  const asked: string[] = [];
  const counted: Store = {
    ...store,
    readSmall: (key, cap) => {
      asked.push(key);
      return store.readSmall(key, cap);
    },
  };
  const next = await readOn(counted, log);
  expect(next.entries).toHaveLength(3);
  expect(asked.splice(0)).toEqual([logKey(7n, 3), logKey(7n, 4)]);
  expect(await readOn(counted, next)).toBe(next);
  expect(asked).toEqual([logKey(7n, 4)]);
});

describe('a glance at the head', () => {
  test('shows the last listed entry, even if earlier entries are damaged', async () => {
    const objects = logOf(3);
    objects.set(logKey(7n, 2), Buffer.from('{}'));
    expect(await glanceAtHead(memoryStore(objects), 7n)).toMatchObject({ seq: 3 });
  });

  test('shows nothing where nothing is listed, and asks for nothing', async () => {
    const asked: string[] = [];
    const store = memoryStore();
    const counted: Store = {
      ...store,
      readSmall: (key, cap) => (asked.push(key), store.readSmall(key, cap)),
    };
    expect([await glanceAtHead(counted, 7n), asked]).toEqual([null, []]);
  });

  test('shows nothing of an invalid entry, or of an entry that has disappeared', async () => {
    const objects = logOf(2);
    objects.set(logKey(7n, 2), Buffer.from('{}'));
    expect(await glanceAtHead(memoryStore(objects), 7n)).toBeNull();
    const stale: Store = { ...memoryStore(), list: () => memoryStore(objects).list('v1/a/7/log/') };
    expect(await glanceAtHead(stale, 7n)).toBeNull();
  });
});

describe('A-37: a log that was tampered with is followed to its last good entry (F-42)', () => {
  const tampered: Record<string, (objects: Map<string, Uint8Array>) => unknown> = {
    'an edited builder': (objects) => edit(objects, 3, { builder: 'someone else' }),
    'another seq': (objects) => edit(objects, 4, { seq: 5 }),
    'a cut chain': (objects) => edit(objects, 4, { prev_sha256: '0'.repeat(64) }),
    "another account's prefix": (objects) =>
      edit(objects, 4, { prefix: `v1/a/8/s/20260304T020000Z-${'4'.padStart(32, '0')}` }),
    'a prefix that climbs out': (objects) => edit(objects, 4, { prefix: 'v1/a/7/s/../../8' }),
    'a moment before its predecessor': (objects) =>
      edit(objects, 4, {
        snapshot_id: '20260228T020000Z',
        prefix: `v1/a/7/s/20260228T020000Z-${'4'.padStart(32, '0')}`,
      }),
    'the moment of its predecessor': (objects) =>
      edit(objects, 4, {
        snapshot_id: '20260303T020000Z',
        prefix: `v1/a/7/s/20260303T020000Z-${'4'.padStart(32, '0')}`,
      }),
    'a malformed digest': (objects) => edit(objects, 4, { manifest_sha256: 'x' }),
    'a missing entry': (objects) => objects.delete(logKey(7n, 4)),
    'an empty entry': (objects) => objects.set(logKey(7n, 4), new Uint8Array()),
    'an oversized entry': (objects) => objects.set(logKey(7n, 4), Buffer.alloc(100_000, ' ')),
    'white space': (objects) =>
      objects.set(
        logKey(7n, 4),
        Buffer.concat([objects.get(logKey(7n, 4)) ?? new Uint8Array(), Buffer.from('\n')]),
      ),
    'two entries exchanged': (objects) => {
      const [fourth, fifth] = [logKey(7n, 4), logKey(7n, 5)].map(
        (key) => objects.get(key) ?? new Uint8Array(),
      );
      objects.set(logKey(7n, 4), fifth ?? new Uint8Array()).set(logKey(7n, 5), fourth ?? new Uint8Array());
    },
  };

  test.each(Object.entries(tampered))('with %s', async (_, tamper) => {
    const objects = logOf(5);
    tamper(objects);
    const log = await readLog(memoryStore(objects), 7n);
    // Entry 4 is wrong or, where entry 3 was edited, no longer fits it.
    expect(log.entries.map((entry) => entry.seq)).toEqual([1, 2, 3]);
    expect(log.fault).toMatchObject({ code: 'publish_log_broken', data: { account: 7n, seq: 4 } });
    // The alarm stays while the log is as it is.
    expect((await readOn(memoryStore(objects), log)).fault).toMatchObject({ code: 'publish_log_broken' });
    expect(
      (
        await readOn(memoryStore(logOf(5)), {
          ...log,
          entries: log.entries.slice(0, 0),
          head_sha256: '0'.repeat(64),
        })
      ).fault,
    ).toBeNull();
  });

  test('and says which entry is missing where a later one proves that it was there', async () => {
    const objects = logOf(5);
    objects.delete(logKey(7n, 4));
    expect((await readLog(memoryStore(objects), 7n)).fault).toMatchObject({
      message: 'publish log of account 7: entry 4 is missing.',
    });
  });

  test('whichever bit of an entry is flipped', async () => {
    const sound = logOf(3);
    const length = sound.get(logKey(7n, 2))?.length ?? 0;
    for (let at = 0; at < length; at += 1) {
      const objects = new Map(sound);
      const bytes = Uint8Array.from(objects.get(logKey(7n, 2)) ?? []);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      objects.set(logKey(7n, 2), bytes);
      const log = await readLog(memoryStore(objects), 7n);
      expect(log.fault).toMatchObject({ code: 'publish_log_broken' });
      expect(log.entries.length).toBeLessThan(3);
    }
  });
});
