import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import { snapshotIdOf } from '../../src/snapshot/snapshot-id.ts';
import { clockedStore, type ClockedStore } from '../store/clocked-store.ts';
import { aBuild, ACCOUNT, DAY, HOUR, MIDNIGHT, publishNow, readerAt, SECOND } from './a-build.ts';
import { pruneNow } from './a-prune.ts';
import { FAULTS, faultyStore } from './faulty-store.ts';

const MINUTE = 60n * SECOND;

/** The rule, worked out on its own from the days on which snapshots were made and replaced. */
function promised(published: readonly bigint[], number: number): bigint | null {
  const generated = published[number] ?? 0n;
  const next = published[number + 1];
  if (next === undefined) return null;
  const replaced = next + MINUTE + DAY; // published a minute after its moment, and a day more
  const kept = generated + SECOND + 14n * DAY; // the id says the second only, so it counts as the next one
  return kept > replaced ? kept : replaced;
}

interface Night {
  readonly built: boolean;
  /** How far the two clocks stand apart while it is pruned; both tell the truth when it is 0. */
  readonly apart: bigint;
  /** The pruning that dies in a call of its own, before the one that ends. */
  readonly dies: { readonly fault: (typeof FAULTS)[number]; readonly call: number } | null;
}

const night: fc.Arbitrary<Night> = fc.record({
  built: fc.boolean(),
  apart: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0n) },
    fc.constantFrom(365n * DAY, -365n * DAY, HOUR, -HOUR, 121n * SECOND, -121n * SECOND),
  ),
  dies: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    fc.record({ fault: fc.constantFrom(...FAULTS), call: fc.integer({ min: 1, max: 60 }) }),
  ),
});

function filesOf(store: ClockedStore, snapshot_id: string): number {
  return store.keys().filter((key) => key.includes(`/s/${snapshot_id}-`)).length;
}

it('keeps and deletes exactly as promised through a year of nights with moved clocks and deaths', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(night, { minLength: 365, maxLength: 365 }), async (nights) => {
      const clock = { now: MIDNIGHT + 2n * HOUR };
      const store = clockedStore(clock);
      const reader = readerAt(store, () => clock.now);
      const published: bigint[] = [];
      const gone = new Set<number>();
      for (const { built, apart, dies } of nights) {
        clock.now += DAY;
        if (built) {
          await publishNow(store, aBuild(`night ${clock.now}`, clock.now));
          published.push(clock.now);
        }
        clock.now += HOUR;
        const told = {
          readDatabaseClock: () => Promise.resolve(clock.now),
          readStoreClock: () => Promise.resolve(clock.now + apart),
        };
        if (dies !== null) {
          await pruneNow(faultyStore(store, dies.fault, dies.call), clock, {}, told).catch(() => undefined);
        }
        const refusal = await pruneNow(store, clock, {}, told).then(
          () => null,
          (error: unknown) => error,
        );
        expect(isCrossfootError(refusal, 'clocks_disagree')).toBe(apart !== 0n);

        const files = published.map((generated) => filesOf(store, snapshotIdOf(generated)));
        published.forEach((_, number) => {
          const expires = promised(published, number);
          const deletable = expires !== null && clock.now >= expires + DAY && number < published.length - 2;
          if (deletable && apart === 0n) gone.add(number);
        });
        // Six objects each, all of them or none; while the clocks disagree nothing more goes.
        expect(files).toEqual(published.map((_, number) => (gone.has(number) ? 0 : 6)));

        const readable = published.filter((_, number) => {
          const expires = promised(published, number);
          return expires === null || clock.now < expires;
        });
        const listed = await reader.list(ACCOUNT);
        expect(listed).toHaveLength(readable.length);
      }
    }),
    // One year is a random one each time; its seed is printed when it fails.
    { numRuns: 1 },
  );
});
