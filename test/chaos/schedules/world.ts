/** Everything that the processes of one schedule share, and how a process is born into it. */
import { type CrossfootError, type ErrorCode, isCrossfootError } from '../../../src/errors.ts';
import type { Pace } from '../../../src/store/retry.ts';
import type { Store } from '../../../src/store/store.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { History } from './history.ts';
import { type Befallen, scheduledStore, type Weather } from './scheduled-store.ts';
import { type Actor, Scheduler } from './scheduler.ts';
import { Shelf } from './shelf.ts';

/** 2026-03-01T00:00:00Z: day 56 × 365 + 14 leap days + 59 = 20,513 since 1970. */
const MIDNIGHT = 20_513 * 86_400_000_000;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CALM: Weather = { lost: 0, refused: 0, death: 0, stale: 0, torn: 0 };

/** One process: dies alone, and has a clock that goes a little wrong. */
export interface Process {
  readonly actor: Actor;
  readonly store: Store;
  readonly pace: Pace;
  readonly newNonce: () => string;
}

export interface World {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly shelf: Shelf;
  readonly history: History;
  readonly befallen: Befallen;
  /** Moments that processes begin at. */
  readonly meetings: readonly number[];
  /** Begins `work` at that moment; what it throws is held against the code under test. */
  begin(name: string, at: number, work: (process: Process) => Promise<void>): void;
  /** No more faults from now on. */
  calm(): void;
}

/** The world of a seed, at its beginning. */
export function worldOf(seed: number, traced: boolean): World {
  const chance = chanceOf(seed);
  const meetings = drawMeetings(chance);
  let weather = drawWeather(chance);
  const befallen: Befallen = { lost: 0, late: 0, refused: 0, deaths: 0, stale: 0, torn: 0 };
  const mishaps = { pauses: chance.oneOf([0, 0.005, 0.02, 0.05]) };
  const scheduler = new Scheduler(chance, { now: MIDNIGHT, mishaps, meetings, traced });
  const history: History = new History({
    now: () => scheduler.now,
    bytesAt: (key) => shelf.bytesAt(key),
  });
  const shelf = new Shelf({
    onCreated: (key, bytes) => history.onCreated(key, bytes),
    onDeleted: (key) => history.onDeleted(key),
  });

  function born(name: string): Process {
    const actor = { name, alive: true };
    // Synchronised machines differ by less than the two minutes that are allowed.
    const skew = chance.below(60 * SECOND) - 30 * SECOND;
    return {
      actor,
      store: scheduledStore(actor, { scheduler, shelf, chance, befallen, weather: () => weather }),
      pace: {
        now: () => BigInt(scheduler.now + skew),
        sleep: (ms) => scheduler.turn(actor, 'waits', scheduler.now + Math.round(ms * 1000)),
        random: chance.next,
      },
      newNonce: () => chance.hex(32),
    };
  }

  async function live(
    process: Process,
    at: number,
    work: (process: Process) => Promise<void>,
  ): Promise<void> {
    await scheduler.turn(process.actor, 'begins', at);
    try {
      await work(process);
      scheduler.note(process.actor, 'ends');
    } catch (error) {
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
      history.bad.push(`${process.actor.name} broke: ${why}`);
    }
  }

  return {
    chance,
    scheduler,
    shelf,
    history,
    befallen,
    meetings,
    begin: (name, at, work) => void live(born(name), at, work),
    calm: () => {
      weather = CALM;
      scheduler.calm();
    },
  };
}

/** Days on which something goes on, seconds or weeks apart. */
function drawMeetings(chance: Chance): readonly number[] {
  let at = MIDNIGHT;
  return Array.from({ length: 1 + chance.below(3) }, () => {
    at += chance.oneOf([20 * SECOND, 10 * MINUTE, DAY, 3 * DAY, 15 * DAY, 17 * DAY]);
    return at;
  });
}

function drawWeather(chance: Chance): Weather {
  return {
    lost: chance.oneOf([0, 0.02, 0.1, 0.3]),
    refused: chance.oneOf([0, 0, 0.01]),
    death: chance.oneOf([0, 0.003, 0.01, 0.03]),
    stale: chance.oneOf([0, 0.3, 0.8]),
    torn: chance.oneOf([0, 0, 0, 0.1]),
  };
}

const NO_ANSWER: readonly ErrorCode[] = ['store_outcome_unknown', 'store_unavailable'];

/** The error, if it is one that a fault of the world may lead to; any other is thrown on. */
export function foreseen(error: unknown, ...codes: readonly ErrorCode[]): CrossfootError {
  if (isCrossfootError(error) && [...NO_ANSWER, ...codes].includes(error.code)) return error;
  throw error;
}
