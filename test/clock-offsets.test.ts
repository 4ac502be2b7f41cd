/** Three clocks: how far apart they are, which one is off, and what is refused then. */
import { describe, expect, it } from 'vitest';
import {
  clockThatIsOff,
  type Clocks,
  earliestOf,
  readClocks,
  requireAgreement,
} from '../src/clock-offsets.ts';
import { SECOND } from './snapshot/builder/build-harness.ts';

const NOON = 1_800_000_000n * SECOND;

const offset = (seconds: number): bigint => BigInt(seconds) * SECOND;

/** Clocks of which the database's and the store's are so many seconds ahead of this machine's. */
function clocksAhead(database: number, store: number | null): Clocks {
  return {
    database: NOON + offset(database),
    store: store === null ? null : NOON + offset(store),
    database_offset: offset(database),
    store_offset: store === null ? null : offset(store),
  };
}

describe('three clocks', () => {
  it.each([
    [0, 0],
    [120, 0],
    [-120, 0],
    [0, 120],
    [60, -60],
    [120, null],
  ])('agree within 120 s: database %d s, store %d s from this machine', (database, store) => {
    expect(clockThatIsOff(clocksAhead(database, store))).toBeNull();
    requireAgreement(clocksAhead(database, store), 'published');
  });

  it.each([
    // Two agree, so the third is off.
    [
      -172_800,
      -172_800,
      "This machine's clock is 172800 s ahead of the database's clock and the store's clock",
    ],
    [121, 121, "This machine's clock is 121 s behind the database's clock and the store's clock"],
    [172_800, 0, "The database's clock is 172800 s ahead of this machine's clock and the store's clock"],
    [-121, 0, "The database's clock is 121 s behind this machine's clock and the store's clock"],
    [0, -3_600, "The store's clock is 3600 s behind this machine's clock and the database's clock"],
    [0, 121, "The store's clock is 121 s ahead of this machine's clock and the database's clock"],
    // None agrees with another, or each agrees with the middle one: no clock can be named.
    [1_000, 5_000, "The store's clock is 5000 s ahead of this machine's clock"],
    [100, 200, "The store's clock is 200 s ahead of this machine's clock"],
    // A store that does not answer has no clock.
    [121, null, "The database's clock is 121 s ahead of this machine's clock"],
  ])(
    'name the clock that is off: database %d s, store %s s from this machine',
    (database, store, sentence) => {
      expect(clockThatIsOff(clocksAhead(database, store))?.sentence).toBe(sentence);
      expect(() => requireAgreement(clocksAhead(database, store), 'built')).toThrow(
        `${sentence}; nothing was built.`,
      );
    },
  );

  it('give the earliest, by which alone everything is due', () => {
    expect(earliestOf(clocksAhead(60, 30))).toBe(NOON);
    expect(earliestOf(clocksAhead(-60, 30))).toBe(NOON - 60n * SECOND);
    expect(earliestOf(clocksAhead(60, -90))).toBe(NOON - 90n * SECOND);
    expect(earliestOf(clocksAhead(-60, null))).toBe(NOON - 60n * SECOND);
  });

  it('are not off because one of them answers slowly', async () => {
    // The database answers after 200 s, the store after another 300: each answer is right when it is given.
    let own = NOON;
    const after = (seconds: bigint) => async (): Promise<bigint> => {
      own += seconds * SECOND;
      return own;
    };
    expect(
      await readClocks({
        readDatabaseClock: after(200n),
        readStoreClock: after(300n),
        readOwnClock: () => own,
      }),
    ).toEqual({
      database: NOON + 200n * SECOND,
      store: NOON + 500n * SECOND,
      database_offset: 0n,
      store_offset: 0n,
    });
  });

  it('show how far each is from this machine, ahead and behind', async () => {
    expect(
      await readClocks({
        readDatabaseClock: async () => NOON + 7n,
        readStoreClock: async () => NOON - 9n,
        readOwnClock: () => NOON,
      }),
    ).toEqual({ database: NOON + 7n, store: NOON - 9n, database_offset: 7n, store_offset: -9n });
  });
});
