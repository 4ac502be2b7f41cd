import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { pinCloses } from '../../../src/snapshot/builder/close-pins.ts';
import { formatInstant } from '../../../src/time.ts';
import { pin, unpin } from '../../../src/snapshot/keep/pins.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { clockedStore, type ClockedStore } from '../../store/clocked-store.ts';
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
import { flipStored, markTools, scrubNow } from './scrub-harness.ts';
import { FAULTS, faultyStore } from '../builder/faulty-store.ts';

const MINUTE = 60n * SECOND;

/** What the year remembers of a snapshot, on its own: nothing of it is read back from the store. */
interface Remembered {
  readonly id: string;
  readonly generated: bigint;
  /** Moved and released ends count as they are. */
  readonly pins: Map<string, bigint>;
  retracted: boolean;
  flipped: boolean;
  /** When every byte was last read: published a minute after its moment, then by scrubs. */
  read: bigint;
  found: boolean;
  gone: boolean;
}

/** The rule, worked out on its own from the days on which snapshots were made, replaced and held. */
function keptUntil(year: readonly Remembered[], number: number): bigint | null {
  const { generated = 0n, pins = new Map<string, bigint>() } = year[number] ?? {};
  const next = year[number + 1];
  if (next === undefined) return null;
  const replaced = next.generated + MINUTE + DAY; // published a minute after its moment, and a day more
  const kept = generated + SECOND + 14n * DAY; // the id says the second only, so it counts as the next one
  return [replaced, kept, ...pins.values()].reduce((latest, each) => (each > latest ? each : latest));
}

interface Night {
  readonly built: boolean;
  /** How far the two clocks stand apart while it is pruned; both tell the truth when it is 0. */
  readonly apart: bigint;
  /** The pruning that dies in a call of its own, before the pruning that ends. */
  readonly dies: { readonly fault: (typeof FAULTS)[number]; readonly call: number } | null;
  /** For so many days the newest is pinned. */
  readonly pinned: number | null;
  /** The oldest pin that somebody set ends now. */
  readonly released: boolean;
  readonly retracted: boolean;
  /** A bit of some snapshot flips: of this one from the newest back, which is never the newest. */
  readonly flips: number | null;
}

const seldom = <T>(weight: number, value: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, value);

const night: fc.Arbitrary<Night> = fc.record({
  built: fc.constantFrom(true, false, false),
  apart: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0n) },
    fc.constantFrom(365n * DAY, -365n * DAY, HOUR, -HOUR, 121n * SECOND, -121n * SECOND),
  ),
  dies: seldom(4, fc.record({ fault: fc.constantFrom(...FAULTS), call: fc.integer({ min: 1, max: 60 }) })),
  pinned: seldom(9, fc.integer({ min: 1, max: 60 })),
  released: seldom(19, fc.constant(true)).map((chosen) => chosen === true),
  retracted: seldom(29, fc.constant(true)).map((chosen) => chosen === true),
  flips: seldom(14, fc.integer({ min: 1, max: 8 })),
});

function filesOf(store: ClockedStore, { id }: Remembered): number {
  const stored = store.keys().filter((key) => key.includes(`/s/${id}-`));
  // A check leaves an object beside what it checked, and goes with it.
  const checked = stored.filter((key) => key.includes('/checked-')).length;
  return stored.length === checked ? stored.length : stored.length - checked;
}

it('the store keeps, pins, retracts and deletes as promised through a year of nights with moved clocks and deaths (F-34)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(night, { minLength: 365, maxLength: 365 }), async (nights) => {
      const clock = { now: MIDNIGHT + 2n * HOUR };
      const store = clockedStore(clock);
      const reader = readerAt(store, () => clock.now);
      const tools = markTools(store, clock);
      const year: Remembered[] = [];
      const closed: { month: string; locked_at: bigint }[] = [];
      const closes = new Set<string>();
      for (const { built, apart, dies, pinned, released, retracted, flips } of nights) {
        clock.now += DAY;
        const now = clock.now;
        const today = formatInstant(now).slice(0, 10);
        // Each month is closed on the fifth of the next, an hour before its night.
        if (today.endsWith('-05')) {
          const month = formatInstant(now - 5n * DAY).slice(0, 7);
          closed.push({ month, locked_at: now - HOUR });
        }
        if (built) {
          await publishNow(store, aBuild(`night ${now}`, now));
          const id = snapshotIdOf(now);
          const pins = new Map<string, bigint>();
          const facts = { retracted: false, flipped: false, found: false, gone: false };
          year.push({ id, generated: now, pins, read: now + MINUTE, ...facts });
          const snapshot = { account_id: ACCOUNT, snapshot_id: id, generated_at: now, by: 'test' };
          await pinCloses({ ...snapshot, closed }, tools);
          // The first snapshot after a close keeps it for 400 days, which no night of this year outlives.
          for (const { month } of closed) {
            if (!closes.has(month)) pins.set(`close-${month}`, now + 400n * DAY);
            closes.add(month);
          }
        }
        clock.now += HOUR;
        const newest = year.at(-1);
        const wanted = { account_id: ACCOUNT, by: 'test', now: clock.now };
        if (pinned !== null && newest !== undefined) {
          const until = clock.now + BigInt(pinned) * DAY;
          await pin({ ...wanted, snapshot_id: newest.id, name: 'mine', until }, tools);
          newest.pins.set('mine', until);
        }
        const oldest = year.find(({ pins }) => (pins.get('mine') ?? 0n) > clock.now);
        if (released && oldest !== undefined) {
          await unpin({ ...wanted, snapshot_id: oldest.id, name: 'mine' }, tools);
          oldest.pins.set('mine', clock.now);
        }
        if (retracted && newest !== undefined) {
          const said = { snapshot_id: newest.id, reason: 'A bill was loaded twice.', replaced_by: null };
          await retract({ ...wanted, ...said }, tools);
          newest.retracted = true;
        }
        const victim = flips === null ? undefined : year.at(-1 - flips);
        if (victim !== undefined && victim !== newest && !victim.gone && !victim.flipped) {
          flipStored(store.objects, new RegExp(`/s/${victim.id}-.*costs\\.parquet$`));
          victim.flipped = true;
        }

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

        // Two snapshots without damage stay, however old they are.
        const good = year.filter(({ found }) => !found).slice(-2);
        year.forEach((snapshot, number) => {
          const until = keptUntil(year, number);
          const due = until !== null && clock.now >= until + DAY && !good.includes(snapshot);
          if (due && apart === 0n) snapshot.gone = true;
        });
        // Six objects each, all of them or none; while the clocks disagree nothing more goes.
        expect(year.map((each) => filesOf(store, each))).toEqual(year.map(({ gone }) => (gone ? 0 : 6)));

        await scrubNow(store, clock);
        year.forEach((snapshot, number) => {
          const since = clock.now - snapshot.read;
          // The newest after half a day, the others after six: with a scrub each night within one and within seven.
          const due = snapshot.found || since >= (number === year.length - 1 ? 12n * HOUR : 6n * DAY);
          if (snapshot.gone || !due) return;
          if (snapshot.flipped) snapshot.found = true;
          else snapshot.read = clock.now - (clock.now % SECOND);
        });
        // Never a bad byte for longer than seven days.
        const hidden = year.filter(({ flipped, found, gone }) => flipped && !found && !gone);
        expect(hidden.filter(({ read }) => clock.now - read >= 7n * DAY)).toEqual([]);

        clock.now += MINUTE; // what was said is heard within a minute
        const readable = year.filter((snapshot, number) => {
          const until = keptUntil(year, number);
          return !snapshot.gone && (until === null || clock.now < until);
        });
        const listed = await reader.list(ACCOUNT);
        expect(
          listed.map(({ snapshot_id, pins, retraction, quarantine }) => ({
            snapshot_id,
            pins: pins.map(({ name }) => name),
            retracted: retraction !== null,
            damaged: quarantine?.files ?? [],
          })),
        ).toEqual(
          readable.toReversed().map(({ id, pins, retracted: taken, found }) => ({
            snapshot_id: id,
            pins: [...pins]
              .filter(([, until]) => until > clock.now)
              .map(([name]) => name)
              .toSorted(),
            retracted: taken,
            damaged: found ? ['costs.parquet'] : [],
          })),
        );
        clock.now -= HOUR + MINUTE;
      }
    }),
    // One year is a random one each time; its seed is printed when it fails. A shorter year would take minutes to find.
    { numRuns: 1, endOnFailure: true },
  );
});
