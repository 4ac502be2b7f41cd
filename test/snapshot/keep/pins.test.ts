import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endEarlierPins, pin, pinnedAs, unpin } from '../../../src/snapshot/keep/pins.ts';
import { readMarks } from '../../../src/snapshot/read/read-marks.ts';
import { snapshotStatus } from '../../../src/snapshot/format/snapshot-status.ts';
import type { Store } from '../../../src/store/store.ts';
import { ACCOUNT, DAY, HOUR, MIDNIGHT, readerAt, SECOND } from '../builder/build-harness.ts';
import { pruneNow } from './prune-harness.ts';
import { markTools } from './scrub-harness.ts';
import { openThreeNights } from './three-nights.ts';
import { FAULTS, faultyStore } from '../builder/faulty-store.ts';
import { instantOf } from '../../support/instant-of.ts';

const FIRST = '20260301T000000Z';
const SECOND_NIGHT = '20260302T000000Z';
const THIRD = '20260303T000000Z';
/** The first was superseded on 2 March, so it expires on 15 March 00:00:01 and may be deleted a day later. */
const EXPIRED = MIDNIGHT + 14n * DAY + SECOND;

/** Three nights, 1 to 3 March 2026. */
async function threeNights() {
  const { clock, store } = await openThreeNights();
  const wanted = { account_id: ACCOUNT, snapshot_id: FIRST, name: 'close', by: 'test' };
  return {
    clock,
    store,
    pinUntil: (until: bigint, on: Store = store, snapshot_id = FIRST) =>
      pin({ ...wanted, snapshot_id, now: clock.now, until }, markTools(on, clock)),
    release: () => unpin({ ...wanted, now: clock.now }, markTools(store, clock)),
    /** Whether a server that has just begun serves the first. */
    serves: () =>
      readerAt(store, () => clock.now)
        .pinned(ACCOUNT, FIRST)
        .then(
          (snapshot) => snapshot?.pins.map(({ name }) => name),
          (error: unknown) => error,
        ),
    left: () => store.keys().filter((key) => key.includes(`/s/${FIRST}-`)).length,
  };
}

describe('a pinned snapshot', () => {
  it('is read and kept until the pin ends, and its files a day longer', async () => {
    const { clock, store, pinUntil, serves, left } = await threeNights();
    const end = MIDNIGHT + 100n * DAY;
    await pinUntil(end);
    const listed = await readerAt(store, () => clock.now).pinned(ACCOUNT, FIRST);
    // 1 March and 100 days: 30 of March, 30 of April, 31 of May, 9 of June.
    expect(listed).toMatchObject({
      expires_at: instantOf('2026-06-09T00:00:00.000000Z'),
      pins: [
        {
          name: 'close',
          at: instantOf('2026-03-03T01:00:00.000000Z'),
          until: instantOf('2026-06-09T00:00:00.000000Z'),
        },
      ],
    });
    clock.now = end - 1n;
    await pruneNow(store, clock);
    expect(await serves()).toEqual(['close']);
    clock.now = end;
    expect(await serves()).toMatchObject({
      code: 'snapshot_expired',
      message: 'This snapshot was kept by a pin and expired on 2026-06-09.',
    });
    clock.now = end + DAY - 1n;
    expect((await pruneNow(store, clock)).told).toEqual([]);
    clock.now = end + DAY;
    expect((await pruneNow(store, clock)).told).toEqual([`expired ${FIRST}`]);
    expect(left()).toBe(0);
  });

  it('expires as any other when the pin ends before its fourteen days', async () => {
    const { clock, store, pinUntil, serves } = await threeNights();
    await pinUntil(MIDNIGHT + 3n * DAY);
    clock.now = EXPIRED - 1n;
    expect(await serves()).toEqual([]);
    clock.now = EXPIRED;
    expect(await serves()).toMatchObject({
      message: 'This snapshot was kept for 14 days and expired on 2026-03-15.',
    });
    clock.now = EXPIRED + DAY;
    expect((await pruneNow(store, clock)).removed).toBe(1);
  });

  it('is let go by unpin, with a day for those who are reading it', async () => {
    const { clock, store, pinUntil, release, serves } = await threeNights();
    await pinUntil(MIDNIGHT + 400n * DAY);
    clock.now = MIDNIGHT + 50n * DAY;
    expect(await serves()).toEqual(['close']);
    await release();
    await release(); // again is the same
    expect(await serves()).toMatchObject({ code: 'snapshot_expired' });
    clock.now += DAY - 1n;
    expect((await pruneNow(store, clock)).removed).toBe(0);
    clock.now += 1n;
    expect((await pruneNow(store, clock)).removed).toBe(1);
  });

  it('is pinned again after an unpin, also until the same end', async () => {
    const { clock, pinUntil, release, serves } = await threeNights();
    await pinUntil(MIDNIGHT + 400n * DAY);
    await release();
    await pinUntil(MIDNIGHT + 400n * DAY);
    clock.now = MIDNIGHT + 50n * DAY;
    expect(await serves()).toEqual(['close']);
  });

  it('cannot be a snapshot whose deletion has begun, even if it was pinned before', async () => {
    const { clock, store, pinUntil } = await threeNights();
    await pinUntil(MIDNIGHT + 3n * DAY);
    clock.now = EXPIRED + DAY;
    const stopped: Store = { ...store, delete: () => Promise.reject(new Error('stopped')) };
    await pruneNow(stopped, clock).catch(() => undefined);
    await expect(pinUntil(clock.now + DAY)).rejects.toMatchObject({ code: 'snapshot_expired' });
  });

  it('is kept until the end that was named last, whichever way it moved', async () => {
    const { clock, store, pinUntil, serves } = await threeNights();
    await pinUntil(MIDNIGHT + 400n * DAY);
    await pinUntil(MIDNIGHT + 30n * DAY);
    await pinUntil(MIDNIGHT + 30n * DAY);
    expect((await readMarks(store, ACCOUNT)).length).toBe(2); // the very same again says nothing new
    clock.now = MIDNIGHT + 30n * DAY;
    expect(await serves()).toMatchObject({ code: 'snapshot_expired' });
  });

  it('may have expired already, as long as its files are there', async () => {
    const { clock, store, pinUntil, serves } = await threeNights();
    clock.now = EXPIRED + HOUR;
    expect(await serves()).toMatchObject({ code: 'snapshot_expired' });
    await pinUntil(clock.now + DAY);
    expect(await serves()).toEqual(['close']);
    clock.now = EXPIRED + DAY;
    expect((await pruneNow(store, clock)).removed).toBe(0);
  });

  it.each([
    ['nobody published', '20260401T000000Z', 'not_found'],
    ['was deleted', FIRST, 'snapshot_expired'],
  ])('cannot be a snapshot that %s', async (_, snapshot_id, code) => {
    const { clock, store, pinUntil } = await threeNights();
    clock.now = EXPIRED + DAY;
    await pruneNow(store, clock);
    await expect(pinUntil(clock.now + DAY, store, snapshot_id)).rejects.toMatchObject({ code });
  });

  it('cannot be a snapshot whose manifest was deleted before pins existed', async () => {
    const { clock, store, pinUntil } = await threeNights();
    await store.delete(
      store.keys().find((key) => key.includes(FIRST) && key.endsWith('manifest.json')) ?? '',
    );
    await expect(pinUntil(clock.now + DAY)).rejects.toMatchObject({ code: 'snapshot_expired' });
  });

  it('is not unpinned by a name that it was never pinned under', async () => {
    const { release } = await threeNights();
    await expect(release()).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('a snapshot is pinned for good, or not at all, whichever call of the store fails', async () => {
  for (const fault of FAULTS) {
    for (let call = 1; call < 40; call += 1) {
      const { clock, store, pinUntil, serves } = await threeNights();
      const faulty = faultyStore(store, fault, call);
      const outcome = await pinUntil(MIDNIGHT + 100n * DAY, faulty).then(
        () => 'pinned',
        () => 'failed',
      );
      if (!faulty.reached()) break;
      const { length } = await readMarks(store, ACCOUNT);
      // A mark that failed for its caller may have been written all the same: its reply was lost.
      expect([fault, call, length]).toEqual([fault, call, outcome === 'pinned' ? 1 : Math.min(length, 1)]);
      await pinUntil(MIDNIGHT + 100n * DAY);
      expect((await readMarks(store, ACCOUNT)).length).toBe(1);
      clock.now = MIDNIGHT + 99n * DAY;
      expect(await serves()).toEqual(['close']);
    }
  }
});

async function moveTo(
  snapshot_id: string,
  until: bigint,
  clock: { readonly now: bigint },
  tools: Parameters<typeof pin>[1],
): Promise<void> {
  const of = { account_id: ACCOUNT, name: 'close', by: 'test', now: clock.now };
  await pin({ ...of, snapshot_id, until, free: false }, tools);
  await endEarlierPins(of, tools);
}

it('a name on two snapshots moves to the older one, also with the same end', async () => {
  const { clock, store, pinUntil } = await threeNights();
  const until = clock.now + DAY;
  await pinUntil(until);
  await pinUntil(until, store, SECOND_NIGHT);
  await moveTo(FIRST, until, clock, markTools(store, clock));
  expect(pinnedAs(await readMarks(store, ACCOUNT), 'close', clock.now)).toEqual([FIRST]);
});

it('a name that several people move at once stands on the snapshot that was pinned last, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { clock, store, pinUntil } = await threeNights();
      const until = clock.now + DAY;
      await pinUntil(until);
      const turn = scheduler.scheduleFunction(async () => undefined);
      const slow: Store = {
        ...store,
        create: (key, body) => turn().then(() => store.create(key, body)),
        readSmall: (key, cap) => turn().then(() => store.readSmall(key, cap)),
      };
      const tools = markTools(slow, clock);
      const moved = Promise.all([SECOND_NIGHT, THIRD, FIRST].map((id) => moveTo(id, until, clock, tools)));
      await scheduler.waitFor(moved);
      const marks = await readMarks(store, ACCOUNT);
      const all = [...marks.of.values()].flat().toSorted((a, b) => a.seq - b.seq);
      const last = all.findLast(({ kind }) => kind === 'pinned')?.snapshot_id;
      expect(pinnedAs(marks, 'close', clock.now)).toEqual([last]);
    }),
    { numRuns: 50 },
  );
});

it('a snapshot is whole if it was pinned and deleted if it was not, in any order of pinning and deleting', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { clock, store, pinUntil, serves, left } = await threeNights();
      clock.now = EXPIRED + DAY;
      const turn = scheduler.scheduleFunction(async () => undefined);
      const slow: Store = {
        ...store,
        create: (key, body) => turn().then(() => store.create(key, body)),
        readSmall: (key, cap) => turn().then(() => store.readSmall(key, cap)),
        delete: (key) => turn().then(() => store.delete(key)),
      };
      const running = Promise.allSettled([
        pinUntil(clock.now + DAY, slow),
        turn().then(() => pruneNow(slow, clock)),
        turn().then(() => pruneNow(slow, clock)),
      ]);
      await scheduler.waitFor(running);
      const [pinned, ...pruned] = await running;
      expect(pruned.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      const held = pinned?.status === 'fulfilled';
      expect(left()).toBe(held ? 6 : 0);
      const marks = await readMarks(store, ACCOUNT);
      const { removed, pins } = snapshotStatus(marks, FIRST);
      expect([removed, pins.size]).toEqual(held ? [false, 1] : [true, 0]);
      expect(marks.length).toBe(1); // of two collectors one says that it is removed
      const served = await serves();
      expect(served instanceof Error ? 'refused' : served).toEqual(held ? ['close'] : 'refused');
    }),
    { numRuns: 150 },
  );
});
