/**
 * What a person runs next for an account whose build or newest snapshot has a fault. Commands, pages and the
 * records of builds share these words, so that no two surfaces advise different steps.
 */
import { shownInstant } from './format.ts';
import type { Instant } from './instant.ts';

export interface NextCommand {
  readonly command: string;
  readonly why: string;
}

/** A build of the queue that waits or runs. */
export interface PendingBuild {
  readonly account_id: bigint;
  /** `retry`: an attempt failed, and a further one follows. */
  readonly state: 'queued' | 'retry' | 'building';
  /** The earliest begin of the next attempt; of a running attempt its begin. */
  readonly at: Instant;
  /** The number of that attempt; the first is 1. */
  readonly tries: number;
  readonly max_tries: number;
  /** True if no worker takes it: it is minutes overdue while no build runs, or its heartbeats stopped minutes ago. */
  readonly untaken: boolean;
}

/** Why the newest snapshot needs a newer one; null if it does not. */
export type NewestFault = 'damaged' | 'retracted' | null;

/** What waits or runs, such as `a retry follows at about 2026-07-15 02:31 UTC, try 2 of 6`. */
export function pendingWords({ state, at, tries, max_tries, untaken }: PendingBuild): string {
  const overdue = {
    queued: `a build was due at ${shownInstant(at)}`,
    retry: `a retry was due at about ${shownInstant(at)}`,
    building: `a build began at ${shownInstant(at)} and its worker ended`,
  };
  if (untaken) return `${overdue[state]}, try ${tries} of ${max_tries}; no worker takes it`;
  const words = {
    queued: `a build is queued for ${shownInstant(at)}`,
    retry: `a retry follows at about ${shownInstant(at)}`,
    building: `a build is running since ${shownInstant(at)}`,
  };
  return `${words[state]}, try ${tries} of ${max_tries}`;
}

/**
 * A look at the pending build: a build by hand beside it would publish a second equal snapshot. A worker, if none takes it.
 */
export function nextLook(pending: PendingBuild): NextCommand {
  if (pending.untaken) {
    const why = `${pendingWords(pending)}: start a worker, or read the log of the running one`;
    return { command: 'npx --no crossfoot work', why };
  }
  const command = `npx --no crossfoot why --account ${pending.account_id}`;
  return { command, why: `${pendingWords(pending)}; look again then` };
}

/** That next command as a sentence; the caller adds the full stop. */
export function lookWords(pending: PendingBuild): string {
  const { command, why } = nextLook(pending);
  return `${why.slice(0, 1).toUpperCase()}${why.slice(1)}: ${command}`;
}

/** The command that gives readers a whole newest snapshot again. */
export function mendingCommand(
  account_id: bigint | string,
  fault: NonNullable<NewestFault>,
  pending: PendingBuild | null,
): NextCommand {
  if (pending !== null) return nextLook(pending);
  const command = `npx --no crossfoot enqueue --account ${account_id}`;
  const why =
    fault === 'damaged'
      ? 'builds a new snapshot in the place of the damaged one; restoring its files helps, too'
      : 'builds a new snapshot in the place of the retracted one, once the ledger is right';
  return { command, why };
}

/** The same advice as a sentence of a report; the caller adds the full stop. */
export function mendingWords(
  account_id: bigint,
  fault: NonNullable<NewestFault>,
  pending: PendingBuild | null,
): string {
  if (pending !== null) return lookWords(pending);
  const { command } = mendingCommand(account_id, fault, pending);
  return fault === 'damaged'
    ? `Build a new one: ${command}. Or restore the files from a copy, then run npx --no crossfoot scrub --account ${account_id}`
    : `Correct the ledger, then build a new one: ${command}`;
}

/** The name as a shell takes it: quoted, if it has blanks or other letters that mean something there. */
export function shellWord(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
