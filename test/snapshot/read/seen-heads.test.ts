/** A log that is shorter than the log that was seen, or differs from it, is refused until a person accepts it. */
import { describe, expect, it } from 'vitest';
import { readKnownLog } from '../../../src/snapshot/builder/build-start.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { type SeenHead, type SeenHeads, watchHeads } from '../../../src/snapshot/read/seen-heads.ts';
import type { Store } from '../../../src/store/store.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, clockAt, publishNow } from '../builder/build-harness.ts';
import { pruneNow } from '../keep/prune-harness.ts';

/** A memory that counts how often it is asked. */
function memory(head: SeenHead | null = null) {
  const kept = { head, reads: 0 };
  const heads: SeenHeads = {
    read: async () => {
      kept.reads += 1;
      return kept.head;
    },
    write: async (_, next) => void (kept.head = next),
  };
  return { kept, heads };
}

/** A store with these builds, each a day after the one before. */
async function storeOf(...labels: readonly string[]): Promise<Store> {
  const store = memoryStore();
  for (const [day, label] of labels.entries()) {
    await publishNow(store, aBuild(label, MIDNIGHT + BigInt(day) * DAY));
  }
  return store;
}

describe('the head of a log', () => {
  it('is remembered after the check, and a longer log of the same chain passes', async () => {
    const { kept, heads } = memory();
    const store = await storeOf('one', 'two');
    const log = await readLog(store, ACCOUNT);
    await watchHeads([heads])(log);
    expect(kept.head).toEqual({ generation: 0n, seq: 2, entry_sha256: log.head_sha256 });
    await publishNow(store, aBuild('three', MIDNIGHT + 2n * DAY));
    await watchHeads([heads])(await readLog(store, ACCOUNT));
    expect(kept.head?.seq).toBe(3);
  });

  it('is not read from a memory again while it does not change', async () => {
    const { kept, heads } = memory();
    const check = watchHeads([heads]);
    const log = await readLog(await storeOf('one'), ACCOUNT);
    for (let times = 0; times < 5; times += 1) await check(log);
    expect(kept.reads).toBe(1);
  });

  it('moves on with the log in a server that runs on, and a log set back to an earlier entry is refused', async () => {
    const { kept, heads } = memory();
    const check = watchHeads([heads]);
    const store = await storeOf('one');
    const first = await readLog(store, ACCOUNT);
    await check(first);
    await publishNow(store, aBuild('two', MIDNIGHT + DAY));
    await check(await readLog(store, ACCOUNT));
    expect(kept.head?.seq).toBe(2);
    await expect(check(first)).rejects.toMatchObject({ code: 'log_older' });
  });

  it('refuses a log that ends before it, and stays remembered', async () => {
    const { kept, heads } = memory();
    await watchHeads([heads])(await readLog(await storeOf('one', 'two'), ACCOUNT));
    const before = kept.head;
    for (const shorter of [await storeOf('one'), await storeOf()]) {
      const log = await readLog(shorter, ACCOUNT);
      await expect(watchHeads([heads])(log)).rejects.toMatchObject({
        code: 'log_older',
        message: `publish log of account 7: ends at entry ${log.entries.length}; expected entry 2, which was seen before.`,
        hint: expect.stringContaining('npx --no crossfoot snapshots --account 7 --accept-head'),
      });
    }
    expect(kept.head).toEqual(before);
  });

  it('refuses a log with another entry in its place, however long that log is', async () => {
    const { heads } = memory();
    await watchHeads([heads])(await readLog(await storeOf('one', 'two'), ACCOUNT));
    for (const other of [await storeOf('other', 'two'), await storeOf('other', 'two', 'three', 'four')]) {
      await expect(watchHeads([heads])(await readLog(other, ACCOUNT))).rejects.toMatchObject({
        message: expect.stringContaining('has a different entry 2 from the one seen before'),
      });
    }
  });

  it('refuses a shorter log, also if only one of two memories holds the head', async () => {
    const seen = memory();
    await watchHeads([seen.heads])(await readLog(await storeOf('one', 'two'), ACCOUNT));
    const shorter = await readLog(await storeOf('one'), ACCOUNT);
    for (const memories of [
      [memory().heads, seen.heads],
      [seen.heads, memory().heads],
    ]) {
      await expect(watchHeads(memories)(shorter)).rejects.toMatchObject({ code: 'log_older' });
    }
  });

  it('of a later generation replaces the head in the other memory', async () => {
    const shorter = await readLog(await storeOf('new'), ACCOUNT);
    const old = memory({ generation: 0n, seq: 9, entry_sha256: 'a'.repeat(64) });
    const accepted = memory({ generation: 1n, seq: 1, entry_sha256: shorter.head_sha256 });
    await watchHeads([old.heads, accepted.heads])(shorter);
    expect(old.kept.head).toEqual({ generation: 1n, seq: 1, entry_sha256: shorter.head_sha256 });
  });
});

/** A check that remembers a log of two entries. */
async function rememberTwoEntries() {
  const { heads } = memory();
  await watchHeads([heads])(await readLog(await storeOf('one', 'two'), ACCOUNT));
  return watchHeads([heads]);
}

describe('a store that was emptied, or emptied and rebuilt', () => {
  it('is not served', async () => {
    const checkHead = await rememberTwoEntries();
    const store = await storeOf('new');
    const reader = createReader({ store, now: () => MIDNIGHT, onFault: () => undefined, checkHead });
    await expect(reader.latest(ACCOUNT)).rejects.toMatchObject({ code: 'log_older', status: 503 });
    await expect(reader.list(ACCOUNT)).rejects.toMatchObject({ code: 'log_older' });
  });

  it('is not built into', async () => {
    const checkHead = await rememberTwoEntries();
    const tools = { store: await storeOf(), clock: clockAt(MIDNIGHT), checkHead };
    await expect(readKnownLog(ACCOUNT, tools)).rejects.toMatchObject({ code: 'log_older' });
  });

  it('is not pruned', async () => {
    const checkHead = await rememberTwoEntries();
    const clock = { now: MIDNIGHT };
    const store = clockedStore(clock);
    await publishNow(store, aBuild('new', MIDNIGHT));
    await store.create('v1/a/7/s/20260201T000000Z-' + 'b'.repeat(32) + '/costs.parquet', Buffer.from('old'));
    clock.now = MIDNIGHT + 30n * DAY;
    const keys = store.keys();
    const { faults, faults_told } = await pruneNow(store, clock, {}, { checkHead });
    expect(faults).toBe(1);
    expect(faults_told).toMatchObject([{ code: 'log_older' }]);
    expect(store.keys()).toEqual(keys);
  });
});
