/**
 * One scheduler for all actors of a schedule, with a time of its own. Every actor waits for its turn before each call
 * of the store and while it sleeps; whose turn comes is drawn from those that wait. Between two turns nothing else
 * runs, so the same draws give the same history.
 */
import type { Chance } from '../chance.ts';

const MS = 1_000;
const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
/** A call of a store takes up to this long. */
const LONGEST_CALL = 30 * MS;
/** A schedule takes less than a tenth of these steps, unless it goes round in circles. */
const MAX_TURNS = 20_000;

/** An actor: a process, with a name for the trace. */
export interface Actor {
  readonly name: string;
  alive: boolean;
  /** How often, of one turn, it stands still for long. */
  readonly pauses: number;
}

const NETWORK: Actor = { name: 'network', alive: true, pauses: 0 };

interface Waiting {
  readonly actor: Actor;
  readonly what: string;
  readonly go: () => void;
  ready_at: number;
}

export class Scheduler {
  /** Microseconds since 1970; a number holds them exactly for centuries to come. */
  now: number;
  turns = 0;
  pauses = 0;
  /** Whether processes may stand still. */
  pausing = false;
  readonly trace: string[] | null;
  readonly #chance: Chance;
  /** Moments at which others begin: who wakes up there meets them. */
  readonly #meetings: readonly number[];
  #waiting: Waiting[] = [];

  constructor(
    chance: Chance,
    given: {
      readonly now: number;
      readonly meetings: readonly number[];
      readonly traced: boolean;
    },
  ) {
    this.#chance = chance;
    this.#meetings = given.meetings;
    this.now = given.now;
    this.trace = given.traced ? [] : null;
  }

  /** Resolves when it is this actor's turn, at `ready_at` at the earliest; never, once it is dead. */
  turn(actor: Actor, what: string, ready_at: number = this.now): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push({ actor, what, go, ready_at });
    });
  }

  /** Lets an event happen later without a waiter: a request whose caller gave up. */
  later(what: string, act: () => void): void {
    const ready_at = this.now + this.#chance.oneOf([10 * MS, 2_000 * MS, HOUR, 3 * DAY]);
    this.#waiting.push({ actor: NETWORK, what, go: act, ready_at });
  }

  /** The process is gone: what it was about to do does not happen. */
  kill(actor: Actor): void {
    actor.alive = false;
    this.#waiting = this.#waiting.filter((each) => each.actor !== actor);
    this.note(actor, 'dies');
  }

  note(actor: Actor, what: string): void {
    this.trace?.push(`${this.now} ${actor.name}: ${what}`);
  }

  /** Gives turns until no actor waits any more; false if that does not end. */
  async run(): Promise<boolean> {
    for (;;) {
      await quiet();
      if (this.#waiting.length === 0) return true;
      if (this.turns === MAX_TURNS) return false;
      this.#giveTurn();
    }
  }

  #giveTurn(): void {
    let ready = this.#waiting.filter((each) => each.ready_at <= this.now);
    if (ready.length === 0) {
      this.now = Math.min(...this.#waiting.map((each) => each.ready_at));
      ready = this.#waiting.filter((each) => each.ready_at <= this.now);
    }
    const next = this.#chance.oneOf(ready);
    if (this.pausing && next.actor.pauses > 0 && this.#chance.happens(next.actor.pauses)) {
      this.#pause(next.actor);
      return;
    }
    this.turns += 1;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.now += 1 + this.#chance.below(LONGEST_CALL);
    this.trace?.push(`${this.now} ${next.actor.name}: ${next.what}`);
    next.go();
  }

  /** The process stands still: for a while, or until others are about. */
  #pause(actor: Actor): void {
    const ahead = this.#meetings.filter((meeting) => meeting > this.now);
    const until =
      ahead.length > 0 && this.#chance.happens(0.5)
        ? this.#chance.oneOf(ahead) + this.#chance.oneOf([0, 300 * MS, 3_000 * MS, HOUR])
        : this.now + this.#chance.oneOf([1_000 * MS, HOUR, 49 * HOUR, 4 * DAY, 16 * DAY]);
    this.pauses += 1;
    this.note(actor, 'stands still');
    for (const each of this.#waiting) {
      if (each.actor === actor && each.ready_at < until) each.ready_at = until;
    }
  }
}

/** Resolves when no promise is left to be settled: each actor then waits for its turn, or has ended. */
function quiet(): Promise<void> {
  // Node empties the queue of promises before it looks at this one.
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
