import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { publish } from '../../../src/snapshot/builder/publish.ts';
import { keptAfter } from '../../../src/snapshot/keep/removals.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { readMarks } from '../../../src/snapshot/read/read-marks.ts';
import type { Store } from '../../../src/store/store.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import {
  aBuild,
  ACCOUNT,
  DAY,
  HOUR,
  MIDNIGHT,
  publishNow,
  readerAt,
  SECOND,
  servedWhole,
} from '../builder/build-harness.ts';
import { clockOf, pruneNow } from './prune-harness.ts';
import { openThreeNights } from './three-nights.ts';
import { FAULTS, faultyStore } from '../builder/faulty-store.ts';

/** Published at MIDNIGHT (20260301T000000Z), a day later and 30 days later, each a minute after its moment. */
async function threeSnapshots() {
  const clock = { now: MIDNIGHT };
  const store = clockedStore(clock);
  for (const [label, day] of [
    ['first', 0n],
    ['second', 1n],
    ['third', 30n],
  ] as const) {
    clock.now = MIDNIGHT + day * DAY;
    await publishNow(store, aBuild(label, clock.now));
  }
  return { clock, store };
}

const FIRST = 'v1/a/7/s/20260301T000000Z-';
const below = (store: { keys(): string[] }, prefix: string): string[] =>
  store.keys().filter((key) => key.startsWith(prefix));

describe('an expired snapshot', () => {
  // Superseded on 2 March 00:01, so its 14 days count: expired on 15 March 00:00:01, deleted from 16 March 00:00:01 on.
  const DELETABLE = MIDNIGHT + 15n * DAY + SECOND;

  it('keeps its files through the day of grace and loses them when it has passed (F-46)', async () => {
    const { clock, store } = await openThreeNights();
    clock.now = DELETABLE - 1n;
    expect((await pruneNow(store, clock)).told).toEqual([]);
    clock.now = DELETABLE;
    expect(await pruneNow(store, clock)).toMatchObject({
      told: ['expired 20260301T000000Z'],
      removed: 1,
      faults: 0,
    });
    expect(below(store, FIRST)).toEqual([]);
    expect(await servedWhole(store, ['day 2'])).toBe('day 2');
    // A server whose clock is two days behind says the same: what is being removed is not looked for.
    for (const behind of [0n, 2n * DAY]) {
      const reader = readerAt(store, () => clock.now - behind);
      await expect(reader.pinned(ACCOUNT, '20260301T000000Z')).rejects.toMatchObject({
        code: 'snapshot_expired',
      });
      const listed = (await reader.list(ACCOUNT)).map(({ snapshot_id }) => snapshot_id);
      expect(listed).not.toContain('20260301T000000Z');
    }
  });

  it('stays while it is one of the last two with a good manifest', async () => {
    const { clock, store } = await threeSnapshots();
    // A year on, the second is long expired, and still the last but one.
    clock.now = MIDNIGHT + 395n * DAY;
    expect((await pruneNow(store, clock)).told).toEqual(['expired 20260301T000000Z']);
    const damaged =
      store.keys().find((key) => key.includes('20260302T') && key.endsWith('manifest.json')) ?? '';
    const again = await threeSnapshots();
    again.clock.now = clock.now;
    again.store.objects.set(damaged, Buffer.from('{}'));
    // Now the first is the last good snapshot but one; the damaged snapshot does not count.
    expect((await pruneNow(again.store, again.clock)).told).toEqual(['expired 20260302T000000Z']);
  });

  it('is not the next that may go once its own time has passed', async () => {
    const { store } = await threeSnapshots();
    const published = { log: await readLog(store, ACCOUNT), marks: await readMarks(store, ACCOUNT) };
    const next = (now: bigint) => keptAfter([], published, now).next_at;
    // The newest two always stay: of three, the first alone has a time.
    expect([next(DELETABLE - 1n), next(DELETABLE)]).toEqual([DELETABLE, null]);
  });

  it('loses its manifest first', async () => {
    const { clock, store } = await threeSnapshots();
    clock.now = MIDNIGHT + 40n * DAY;
    const deleted: string[] = [];
    const watched: Store = { ...store, delete: (key) => (deleted.push(key), store.delete(key)) };
    await pruneNow(watched, clock);
    expect(deleted[0]).toMatch(/\/20260301T000000Z-[0-9a-f]{32}\/manifest\.json$/);
    expect(deleted).toHaveLength(6); // two tables with their digests, the audit's report, the manifest
  });
});

describe('a build that was never published', () => {
  const dead = aBuild('dead', MIDNIGHT);
  /** Everything up to, not including, the first call whose key ends so. */
  async function buildUntil(store: Store, last: string): Promise<void> {
    const dying: Store = {
      ...store,
      create: (key, body) =>
        key.endsWith(last) ? Promise.reject(new Error('killed')) : store.create(key, body),
      // A killed builder deletes nothing of what it created.
      delete: () => Promise.reject(new Error('killed')),
    };
    await expect(publishNow(dying, dead)).rejects.toThrow('killed');
  }

  it('is left alone for 48 hours, then fenced off and deleted; the fence stays 400 days', async () => {
    const clock = { now: MIDNIGHT };
    const store = clockedStore(clock);
    await buildUntil(store, 'manifest.json');
    clock.now = MIDNIGHT + 48n * HOUR;
    expect((await pruneNow(store, clock)).told).toEqual([]);
    clock.now += 1n;
    const fenced = clock.now;
    expect((await pruneNow(store, clock)).told).toEqual(['abandoned 20260301T000000Z']);
    expect(below(store, FIRST)).toEqual([`v1/a/7/s/20260301T000000Z-${dead.nonce}/manifest.json`]);

    // Its builder wakes up, writes its files again, and is stopped by the fence. Its credentials may not delete them.
    const withoutDelete: Store = { ...store, delete: () => Promise.reject(new Error('refused')) };
    await expect(publishNow(withoutDelete, dead)).rejects.toMatchObject({ code: 'publish_aborted' });
    // Two tables with their digests, the audit's report, the fence.
    expect(below(store, FIRST)).toHaveLength(6);
    clock.now += 48n * HOUR + 1n;
    expect((await pruneNow(store, clock)).told).toEqual(['abandoned 20260301T000000Z']);
    expect(below(store, FIRST)).toEqual([`v1/a/7/s/20260301T000000Z-${dead.nonce}/manifest.json`]);

    clock.now = fenced + 400n * DAY;
    expect((await pruneNow(store, clock)).told).toEqual([]);
    clock.now += 1n;
    expect((await pruneNow(store, clock)).told).toEqual(['tombstone 20260301T000000Z']);
    expect(store.keys()).toEqual([]);
  });

  it('is as old as its newest object', async () => {
    const clock = { now: MIDNIGHT };
    const store = clockedStore(clock);
    await buildUntil(store, 'manifest.json');
    clock.now += 3n * DAY;
    // Neither the first of its keys nor the last: audit.json, control.json, costs.blocks.
    await store.create(`${FIRST}${dead.nonce}/control.json`, Buffer.from('{}'));
    clock.now += 48n * HOUR;
    expect((await pruneNow(store, clock)).told).toEqual([]);
    clock.now += 1n;
    expect((await pruneNow(store, clock)).told).toEqual(['abandoned 20260301T000000Z']);
  });

  it('is kept with its manifest whole until a newer snapshot makes it impossible', async () => {
    const clock = { now: MIDNIGHT };
    const store = clockedStore(clock);
    await buildUntil(store, '/log/0000000001.json');
    clock.now = MIDNIGHT + 30n * DAY;
    expect((await pruneNow(store, clock)).told).toEqual([]);
    await publishNow(store, aBuild('next', clock.now));
    expect((await pruneNow(store, clock)).told).toEqual(['abandoned 20260301T000000Z']);
    expect(below(store, FIRST)).toEqual([]);
    expect(await publishNow(store, dead)).toMatchObject({ outcome: 'superseded' });
  });

  it('is whole if it wins against the pruning, in any order of their calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 0, max: 8 }), async (scheduler, asleepAfter) => {
        const clock = { now: MIDNIGHT };
        const store = clockedStore(clock);
        let calls = 0;
        const turn = scheduler.scheduleFunction(async () => undefined);
        // The builder sleeps three days in the middle, so that all it wrote before looks abandoned.
        const slow: Store = {
          ...store,
          async create(key, body) {
            if (calls++ === asleepAfter) clock.now += 72n * HOUR;
            await turn();
            return await store.create(key, body);
          },
        };
        const collecting: Store = {
          ...store,
          create: (key, body) => turn().then(() => store.create(key, body)),
          readSmall: (key, cap) => turn().then(() => store.readSmall(key, cap)),
          delete: (key) => turn().then(() => store.delete(key)),
        };
        const log = await readLog(store, ACCOUNT);
        const running = Promise.allSettled([
          publish(dead, log, { store: slow, clock: clockOf(clock) }),
          turn().then(() => pruneNow(collecting, clock)),
          turn().then(() => pruneNow(collecting, clock)),
        ]);
        await scheduler.waitFor(running);
        const [published] = await running;
        const served = await servedWhole(store, ['dead']);
        expect(served).toBe(published?.status === 'fulfilled' ? 'dead' : null);
      }),
      { numRuns: 300 },
    );
  });
});

describe('nothing is deleted', () => {
  it.each([
    ['ahead', 121n, true],
    ['ahead', 120n, false],
    ['behind', -121n, true],
    ['behind', -120n, false],
  ])("when the store's clock is %s by %i s: %s", async (_, seconds, refused) => {
    const { clock, store } = await threeSnapshots();
    clock.now = MIDNIGHT + 40n * DAY;
    const running = pruneNow(store, clock, {}, { readStoreClock: async () => clock.now + seconds * SECOND });
    const refusal = await running.then(
      () => null,
      (error: unknown) => error,
    );
    expect(isCrossfootError(refusal, 'clocks_disagree')).toBe(refused);
    expect(below(store, FIRST)).toHaveLength(refused ? 6 : 0);
  });

  it('while the newest snapshot is damaged, and the other accounts go on', async () => {
    const { clock, store } = await threeSnapshots();
    for (const [key, bytes] of store.objects) await store.create(key.replace('v1/a/7/', 'v1/a/12/'), bytes);
    clock.now = MIDNIGHT + 40n * DAY;
    const head = store.keys().find((key) => /v1\/a\/7\/s\/20260331T.*costs\.parquet$/.test(key)) ?? '';
    store.objects.set(head, Buffer.from('costs of thirD'));
    const pruned = await pruneNow(store, clock);
    // The copied account's log is not its own, which is a fault too.
    expect(pruned).toMatchObject({ accounts: 2, removed: 0, faults: 2 });
    expect(pruned.faults_told).toMatchObject([{ code: 'publish_log_broken' }, { code: 'file_corrupt' }]);
    expect(below(store, FIRST)).toHaveLength(6);
  });

  it('of an account whose log has a gap', async () => {
    const { clock, store } = await threeSnapshots();
    clock.now = MIDNIGHT + 40n * DAY;
    await store.delete('v1/a/7/log/0000000002.json');
    expect((await pruneNow(store, clock)).faults_told).toMatchObject([{ code: 'publish_log_broken' }]);
    expect(below(store, FIRST)).toHaveLength(6);
  });

  it('in a dry run, which only names what is due', async () => {
    const { clock, store } = await threeSnapshots();
    clock.now = MIDNIGHT + 40n * DAY;
    const before = store.keys();
    expect((await pruneNow(store, clock, { dryRun: true })).told).toEqual(['expired 20260301T000000Z']);
    expect(store.keys()).toEqual(before);
  });

  it('of another account than the one asked for, or of a folder that is not a build of ours', async () => {
    const { clock, store } = await threeSnapshots();
    clock.now = MIDNIGHT + 40n * DAY;
    await store.create('v1/a/7/s/20260399T000000Z-00000000000000000000000000000000/x', Buffer.from('x'));
    expect(await pruneNow(store, clock, { account_id: 8n })).toMatchObject({ accounts: 0, removed: 0 });
    expect((await pruneNow(store, clock, { account_id: 7n })).told).toEqual(['expired 20260301T000000Z']);
    expect(below(store, 'v1/a/7/s/20260399T')).toHaveLength(1);
  });
});

it.each(FAULTS)(
  'prune reaches the same end when it runs again after a failure at any of its calls %s (F-45)',
  async (fault) => {
    for (let call = 1; ; call += 1) {
      const { clock, store } = await threeSnapshots();
      clock.now = MIDNIGHT + 40n * DAY;
      const faulty = faultyStore(store, fault, call);
      await pruneNow(faulty, clock).catch(() => undefined);
      expect(await servedWhole(store, ['third'])).toBe('third');
      await pruneNow(store, clock);
      expect(below(store, FIRST)).toEqual([]);
      expect(below(store, 'v1/a/7/s/')).toHaveLength(12);
      if (!faulty.reached()) break;
    }
  },
);
