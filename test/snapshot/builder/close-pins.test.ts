import { describe, expect, it } from 'vitest';
import { pinCloses } from '../../../src/snapshot/builder/close-pins.ts';
import { formatInstant } from '../../../src/time.ts';
import { unpin } from '../../../src/snapshot/keep/pins.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { ACCOUNT, DAY, HOUR, MIDNIGHT, publishNow, readerAt, aBuild } from './build-harness.ts';
import { markTools } from '../keep/scrub-harness.ts';
import { FAULTS, faultyStore } from './faulty-store.ts';

/** February, locked on 5 March 2026 at noon; each night's snapshot is of midnight. */
const LOCKED = MIDNIGHT + 4n * DAY + 12n * HOUR;
const february = { month: '2026-02', locked_at: LOCKED };

async function nights() {
  const clock = { now: MIDNIGHT };
  const store = clockedStore(clock);
  /** Publishes the night and pins what it is the first to see closed. */
  async function night(
    day: bigint,
    closed = [february],
    on = store as Parameters<typeof markTools>[0],
    generated_at = MIDNIGHT + day * DAY,
  ) {
    clock.now = generated_at + HOUR;
    await publishNow(store, aBuild(`night ${day}`, generated_at));
    const snapshot = { account_id: ACCOUNT, snapshot_id: snapshotIdOf(generated_at), generated_at };
    return await pinCloses({ ...snapshot, closed, by: 'test' }, markTools(on, clock));
  }
  const pins = async () => {
    const listed = await readerAt(store, () => clock.now).list(ACCOUNT);
    return listed
      .toReversed()
      .map((each) => each.pins.map(({ name, until }) => `${name} ${formatInstant(until)}`));
  };
  return { clock, store, night, pins };
}

describe('the close of a month', () => {
  it('is kept by the first snapshot that sees it, for 400 days, and by no other', async () => {
    const { night, pins } = await nights();
    expect(await night(4n, [])).toEqual([]);
    expect(await night(5n)).toEqual(['close-2026-02']);
    expect(await night(6n)).toEqual([]);
    const until = formatInstant(MIDNIGHT + 405n * DAY);
    expect(await pins()).toEqual([[], [`close-2026-02 ${until}`], []]);
  });

  it('in the very second of a snapshot is kept by that snapshot, and by no later one', async () => {
    const { night, pins } = await nights();
    // Locked 0.3 s before the snapshot's moment: the id says the second only.
    const generated_at = MIDNIGHT + 5n * DAY + 500_000n;
    const closed = [{ ...february, locked_at: generated_at - 300_000n }];
    expect(await night(5n, closed, undefined, generated_at)).toEqual(['close-2026-02']);
    expect(await night(6n, closed)).toEqual([]);
    expect((await pins()).map(({ length }) => length)).toEqual([1, 0]);
  });

  it('is made up for by the next night when a build died before it pinned', async () => {
    for (const fault of FAULTS) {
      const { store, night, pins } = await nights();
      await night(5n, [february], faultyStore(store, fault, 3)).catch(() => undefined);
      await night(6n);
      const kept = (await pins()).flat();
      expect([fault, kept.length]).toEqual([fault, 1]);
    }
  });

  it('is kept again when the month was reopened and locked anew, beside the first', async () => {
    const { night, pins } = await nights();
    await night(5n);
    expect(await night(9n, [{ ...february, locked_at: MIDNIGHT + 8n * DAY }])).toEqual(['close-2026-02']);
    expect((await pins()).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('is not pinned again after a person removed the pin', async () => {
    const { clock, store, night, pins } = await nights();
    await night(5n);
    const pinned = { snapshot_id: snapshotIdOf(MIDNIGHT + 5n * DAY), name: 'close-2026-02' };
    const wanted = { ...pinned, account_id: ACCOUNT, by: 'test', now: clock.now };
    await unpin(wanted, markTools(store, clock));
    expect(await night(6n)).toEqual([]);
    expect(await pins()).toEqual([[], []]);
  });

  it('of several months at once is kept by one snapshot under each name', async () => {
    const { night } = await nights();
    const january = { month: '2026-01', locked_at: LOCKED };
    expect(await night(5n, [january, february])).toEqual(['close-2026-01', 'close-2026-02']);
  });
});
