/** Everything that the processes of one schedule share, and how a process is born into it. */
import { type CrossfootError, type ErrorCode, isCrossfootError } from '../../../src/errors.ts';
import type { Clock } from '../../../src/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { History } from './history.ts';
import { type Befallen, scheduledStore, type Weather } from './scheduled-store.ts';
import { type Actor, Scheduler } from './scheduler.ts';
import { Shelf } from './shelf.ts';
import { drawTheme, type Theme } from './theme.ts';

const SECOND = 1_000_000;
const CALM: Weather = { lost: 0, refused: 0, death: 0, stale: 0, torn: 0 };

/** One process: dies alone, and has a clock that goes a little wrong. */
export interface Process {
  readonly actor: Actor;
  readonly store: Store;
  readonly clock: Clock;
  readonly newNonce: () => string;
}

export interface World {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly shelf: Shelf;
  readonly history: History;
  readonly befallen: Befallen;
  readonly theme: Theme;
  /** Begins `work` at that moment; what it throws is held against the code under test. */
  begin(name: string, at: number, work: (process: Process) => Promise<void>): void;
  /** Faults from now on. */
  readonly storm: () => void;
  /** No more of them. */
  readonly calm: () => void;
}

/** The world of a seed, at its beginning and in calm weather. */
export function worldOf(seed: number, traced: boolean): World {
  const chance = chanceOf(seed);
  const theme = drawTheme(chance);
  let weather = CALM;
  const befallen: Befallen = { lost: 0, late: 0, refused: 0, deaths: 0, stale: 0, torn: 0 };
  const scheduler = new Scheduler(chance, { now: theme.begins_at, meetings: theme.meetings, traced });
  const history: History = new History({
    now: () => scheduler.now,
    bytesAt: (key) => shelf.bytesAt(key),
  });
  const shelf = new Shelf({
    onCreated: (key, bytes) => history.onCreated(key, bytes),
    onDeleted: (key) => history.onDeleted(key),
  });

  function born(name: string): Process {
    const { builders, others } = theme.pauses;
    const actor = { name, alive: true, pauses: name.startsWith('builder') ? builders : others };
    // Synchronised machines differ by less than the two minutes that are allowed.
    const skew = chance.below(60 * SECOND) - 30 * SECOND;
    return {
      actor,
      store: scheduledStore(actor, { scheduler, shelf, chance, befallen, weather: () => weather }),
      clock: {
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
    theme,
    begin: (name, at, work) => void live(born(name), at, work),
    storm: () => {
      weather = theme.weather;
      scheduler.pausing = true;
    },
    calm: () => {
      weather = CALM;
      scheduler.pausing = false;
    },
  };
}

const NO_ANSWER: readonly ErrorCode[] = ['store_outcome_unknown', 'store_unavailable'];

/** The error, if a fault of the world may lead to it; throws any other error. */
export function foreseen(error: unknown, ...codes: readonly ErrorCode[]): CrossfootError {
  if (isCrossfootError(error) && [...NO_ANSWER, ...codes].includes(error.code)) return error;
  throw error;
}
