/** Retention and the clocks: nothing is deleted by one clock alone. */
import { describe, expect, it } from 'vitest';
import { publish } from '../../../src/snapshot/builder/publish.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, publishNow, readerAt, SECOND } from '../builder/build-harness.ts';
import { clockOf, pruneNow } from './prune-harness.ts';

/** Published at MIDNIGHT (20260301T000000Z) and on the two days after, each a minute after its moment. */
async function threeNights() {
  const clock = { now: MIDNIGHT };
  const store = clockedStore(clock);
  for (const [day, label] of ['first', 'second', 'third'].entries()) {
    await publishNow(store, aBuild(label, MIDNIGHT + BigInt(day) * DAY));
  }
  return { clock, store };
}

describe('nothing is deleted', () => {
  it.each([-121n, 121n])('when this machine is %i s off the two others', async (seconds) => {
    const { clock, store } = await threeNights();
    clock.now = MIDNIGHT + 40n * DAY;
    const keys = store.keys();
    const skewed = clockOf({ now: clock.now + seconds * SECOND });
    await expect(pruneNow(store, clock, {}, { clock: skewed })).rejects.toMatchObject({
      code: 'clocks_disagree',
    });
    expect(store.keys()).toEqual(keys);
  });

  it.each(['readDatabaseClock', 'readStoreClock', 'clock'] as const)(
    'before it is due by every clock: %s is 60 s behind',
    async (behind) => {
      const { clock, store } = await threeNights();
      // Deleted 15 days and a second after its moment: 14 days kept, a day of grace, its second rounded up.
      const due = MIDNIGHT + 15n * DAY + SECOND;
      clock.now = due + 59n * SECOND;
      const late = { now: due - SECOND };
      const read = async (): Promise<bigint> => late.now;
      const tools = { readDatabaseClock: read, readStoreClock: read, clock: clockOf(late) };
      expect((await pruneNow(store, clock, {}, { [behind]: tools[behind] })).told).toEqual([]);
      clock.now += SECOND;
      late.now += SECOND;
      expect((await pruneNow(store, clock, {}, { [behind]: tools[behind] })).told).toEqual([
        'expired 20260301T000000Z',
      ]);
    },
  );

  it('by an entry that a machine two days behind dated: the moment of its snapshot counts', async () => {
    const clock = { now: MIDNIGHT };
    const store = clockedStore(clock);
    await publishNow(store, aBuild('first', MIDNIGHT));
    clock.now = MIDNIGHT + 20n * DAY;
    const log = await readLog(store, ACCOUNT);
    const skewed = clockOf({ now: clock.now - 2n * DAY });
    await publish(aBuild('second', clock.now), log, { store, clock: skewed });
    // Replaced a second ago, after 20 days: it is promised for another day.
    const reader = readerAt(store, () => clock.now + SECOND);
    expect((await reader.list(ACCOUNT)).map(({ snapshot_id }) => snapshot_id)).toEqual([
      '20260321T000000Z',
      '20260301T000000Z',
    ]);
  });
});
