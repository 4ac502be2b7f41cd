/** What `doctor` makes of what it measured: fine, a warning or a failure, and what to do. */
import type { Settings } from '../../config.ts';
import { isCrossfootError } from '../../errors.ts';
import type { BuildCost } from '../../ledger/moment/build-cost.ts';
import { CLOCKS_AGREE_SECONDS, clockThatIsOff } from '../../clock-offsets.ts';
import { isOfFuture } from '../../snapshot/keep/future-heads.ts';
import { shownMegabytes } from '../../format.ts';

export interface Finding {
  readonly outcome: 'ok' | 'warning' | 'failed';
  readonly found: string;
  /** Null when there is nothing to do. */
  readonly advice: string | null;
}

const MICROSECONDS_PER_SECOND = 1_000_000n;
/** The files of a build, and as much again for what the audit engine writes beside them. */
const SPOOL_FACTOR = 2;
/** For an account that has no snapshot yet: the audit engine alone may write some hundred megabytes. */
const LEAST_SPOOL_BYTES = 1_000_000_000;
/** A build of any size is over by then. */
const LONG_WRITER_SECONDS = 3_600;

export function fine(found: string): Finding {
  return { outcome: 'ok', found, advice: null };
}

/** What an error tells of the check that it ended. */
export function failure(error: unknown): Finding {
  if (isCrossfootError(error)) {
    return { outcome: 'failed', found: error.message, advice: error.hint ?? null };
  }
  return {
    outcome: 'failed',
    found: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    advice: 'This was not foreseen: please report it.',
  };
}

/** Settings that are right one by one and make no sense together. */
export function judgeSettings({ host, baseUrl, objectStore, ledgerUrl }: Settings): Finding {
  const store = objectStore.protocol === 's3:' ? objectStore.href : 'a folder';
  const found = `${ledgerUrl === null ? 'embedded PostgreSQL' : 'a PostgreSQL of your own'}, objects in ${store}, listening on ${host}`;
  if (baseUrl === null && !/^(?:localhost|127\.|::1$)/.test(host)) {
    return {
      outcome: 'warning',
      found: `${found}, but no BASE_URL`,
      advice: 'Set BASE_URL to the public address: manifests name it in the URL of every file.',
    };
  }
  if (ledgerUrl !== null && objectStore.protocol === 'file:') {
    return {
      outcome: 'warning',
      found,
      advice: 'Fine on one machine; workers on others would publish where nobody looks: use a bucket.',
    };
  }
  return fine(found);
}

/** Three clocks, in microseconds since 1970, read one after the other. */
export function judgeClocks(clocks: {
  readonly database: bigint;
  readonly store: bigint;
  readonly here: bigint;
}): Finding {
  const times: readonly bigint[] = Object.values(clocks);
  const latest = times.reduce((a, b) => (a > b ? a : b));
  const apart = latest - times.reduce((a, b) => (a < b ? a : b));
  const seconds = apart / MICROSECONDS_PER_SECOND;
  if (apart <= CLOCKS_AGREE_SECONDS * MICROSECONDS_PER_SECOND) {
    return fine(`database, store and this machine agree within ${seconds + 1n} s`);
  }
  const [database, store] = [clocks.database - clocks.here, clocks.store - clocks.here];
  const off = clockThatIsOff({ ...clocks, database_offset: database, store_offset: store });
  return {
    outcome: 'failed',
    found: `${off?.sentence}: database ${database / MICROSECONDS_PER_SECOND} s, store ${store / MICROSECONDS_PER_SECOND} s from this machine`,
    advice: `${off?.cure} Until then nothing is queued, built, published or deleted.`,
  };
}

/** Snapshots that a wrong clock dated in the future: each keeps its account from being built. */
export function judgeHeads(
  heads: readonly { readonly account_id: bigint; readonly snapshot_id: string }[],
  now: bigint,
): Finding {
  const future = heads.filter(({ snapshot_id }) => isOfFuture(snapshot_id, now));
  const [first] = future;
  if (first === undefined) return fine('no newest snapshot is dated in the future');
  const listed = future.map(({ account_id, snapshot_id }) => `${snapshot_id} of account ${account_id}`);
  return {
    outcome: 'failed',
    found: `dated in the future, so that nothing newer can be published: ${listed.join(', ')}`,
    advice: `If the clocks are right, run crossfoot retract ${first.snapshot_id} --account ${first.account_id} --future-head, and so for each.`,
  };
}

/** Free bytes where builds write, against the largest snapshot there is. */
export function judgeSpool({
  folder,
  free_bytes,
  largest_bytes,
}: {
  readonly folder: string;
  readonly free_bytes: number;
  readonly largest_bytes: number;
}): Finding {
  const wanted = Math.max(LEAST_SPOOL_BYTES, SPOOL_FACTOR * largest_bytes);
  const found = `${shownMegabytes(free_bytes)} free in ${folder}, ${shownMegabytes(wanted)} wanted for one build`;
  if (free_bytes >= wanted) return fine(found);
  return {
    outcome: free_bytes < largest_bytes ? 'failed' : 'warning',
    found,
    advice: 'Free some disk, or set DATA_DIR to a larger one; each concurrent build needs as much.',
  };
}

/** What a build takes of the ledger, and what would hold it up now. */
export function judgeCost(cost: BuildCost, tables: number): Finding {
  const { locked_tables, oldest_writer_seconds, transactions_kept } = cost;
  const takes = `a build holds ACCESS SHARE on ${tables} tables and one snapshot while it reads`;
  if (locked_tables.length > 0) {
    return {
      outcome: 'warning',
      found: `${takes}; ${locked_tables.join(', ')} is being rewritten`,
      advice:
        'Builds wait 10 s for it and then give up: wait for the migration, or end the session that hangs.',
    };
  }
  const writer =
    oldest_writer_seconds === null
      ? 'a standby does not know of writers'
      : `the oldest writer is ${Math.floor(oldest_writer_seconds)} s old`;
  const found = `${takes}; vacuum now keeps what ${transactions_kept} transactions removed; ${writer}`;
  if (oldest_writer_seconds === null || oldest_writer_seconds < LONG_WRITER_SECONDS) return fine(found);
  return {
    outcome: 'warning',
    found,
    advice: 'Find it in pg_stat_activity and end it: vacuum waits for it, and changes_from stays behind.',
  };
}
