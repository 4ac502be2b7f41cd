/** Evaluates the measurements of `doctor`: ok, a warning with advice, or a failure with advice. */
import type { Settings } from '../../config.ts';
import { isCrossfootError } from '../../errors.ts';
import type { BuildCost } from '../../ledger/moment/build-cost.ts';
import { CLOCKS_AGREE_SECONDS, clockThatIsOff } from '../../clock-offsets.ts';
import { isOfFuture } from '../../snapshot/keep/future-heads.ts';
import { shownMegabytes } from '../../format.ts';
import { grantScript, type MissingGrant } from '../../ledger/grants.ts';
import type { NewestSnapshot } from '../terminal/newest-snapshots.ts';
import { SUPPORTED_VERSIONS } from '../../ledger/server-version.ts';
import { unmigratedLedger } from '../../postgres-errors.ts';
import { type Instant, SECOND } from '../../instant.ts';
import { FREE_SPACE } from '../../full-disk.ts';
import { mendingWords, type NewestFault, type PendingBuild } from '../../next-step.ts';

export interface Finding {
  readonly outcome: 'ok' | 'warning' | 'failed';
  readonly found: string;
  /** Null when there is nothing to do. */
  readonly advice: string | null;
}

/** The spool holds the files of a build, and temporary files of the audit engine of the same size. */
const SPOOL_FACTOR = 2;
/** With less, the first file of any build fails, and so does the write-ahead log of an embedded PostgreSQL. */
const FULL_SPOOL_BYTES = 16 * 1024 ** 2;
/** For an account without a snapshot: the audit engine alone may write some hundred megabytes. */
const LEAST_SPOOL_BYTES = 1_000_000_000;
const NIGHT_ROLES: readonly string[] = ['cf_reader', 'cf_service'];
const LISTED = new Intl.ListFormat('en-GB');
/** A writing transaction of this age delays vacuum and `changes_from`. */
const LONG_WRITER_SECONDS = 3_600;

/** A finding without advice. */
export function fine(found: string): Finding {
  return { outcome: 'ok', found, advice: null };
}

/** The finding of a check that threw an error. */
export function failure(thrown: unknown): Finding {
  const error = unmigratedLedger(thrown) ?? thrown;
  if (isCrossfootError(error)) {
    return { outcome: 'failed', found: error.message, advice: error.hint ?? null };
  }
  return {
    outcome: 'failed',
    found: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    advice: 'This is an unexpected error; please report it.',
  };
}

/** The version of the ledger's server, such as `17.10`. */
export function judgeVersion(version: string): Finding {
  const found = `the ledger answers, on PostgreSQL ${version}; ${LISTED.format(SUPPORTED_VERSIONS.map(String))} are supported`;
  if (SUPPORTED_VERSIONS.includes(Number.parseInt(version, 10))) return fine(found);
  return {
    outcome: 'warning',
    found,
    advice: 'Move the ledger to a supported version: this one was never tried.',
  };
}

/** The grants that the roles of the product lack. It is a failure if cf_reader or cf_service lacks one, else a warning. */
export function judgeGrants(missing: readonly MissingGrant[]): Finding {
  if (missing.length === 0) return fine('each role has every grant that it needs');
  const absent = [
    ...new Set(missing.filter(({ statement }) => statement === null).map(({ object }) => object)),
  ];
  if (absent.length > 0) {
    return {
      outcome: 'failed',
      found: `${absent.length} objects of the ledger are not there, such as ${absent[0]}`,
      advice: 'Run npx --no crossfoot migrate with OWNER_URL.',
    };
  }
  const roles = [...new Set(missing.map(({ role }) => role))];
  const lacking = roles.map(
    (role) => `${role} on ${missing.filter((each) => each.role === role).length} objects`,
  );
  return {
    outcome: roles.some((role) => NIGHT_ROLES.includes(role)) ? 'failed' : 'warning',
    found: `grants are missing: ${lacking.join(', ')}`,
    advice: ['Run as the login of OWNER_URL:', ...grantScript(missing)].join('\n'),
  };
}

/** Snapshots with files that a scrub found damaged. Damage of older snapshots alone is a warning. */
export function judgeDamage(
  accounts: readonly Pick<NewestSnapshot, 'account_id' | 'damaged_snapshots' | 'newest_fault'>[],
  pending: Pending,
): Finding {
  const damaged = accounts.flatMap(({ account_id, damaged_snapshots }) =>
    damaged_snapshots.map(
      (each) => `${each.snapshot_id} of account ${account_id} (${each.files.join(', ')})`,
    ),
  );
  if (damaged.length === 0) return fine('no snapshot has a file that was found damaged');
  const newest = accounts.filter(({ newest_fault }) => newest_fault === 'damaged');
  const found = `files are damaged or missing: ${damaged.join('; ')}`;
  if (newest.length === 0)
    return {
      outcome: 'warning',
      found,
      advice: 'Restore them from a copy, then run npx --no crossfoot scrub.',
    };
  return { outcome: 'failed', found, advice: mendingAdvice(newest, 'damaged', pending) };
}

/** Newest snapshots that were retracted: readers of the newest get them until a newer one is published. */
export function judgeRetracted(
  accounts: readonly Pick<NewestSnapshot, 'account_id' | 'retracted_newest'>[],
  pending: Pending,
): Finding {
  const retracted = accounts.flatMap(({ account_id, retracted_newest }) =>
    retracted_newest === null ? [] : [{ account_id, ...retracted_newest }],
  );
  if (retracted.length === 0) return fine('no newest snapshot is retracted');
  const listed = retracted.map(
    ({ account_id, snapshot_id, reason }) => `${snapshot_id} of account ${account_id} (${reason})`,
  );
  return {
    outcome: 'warning',
    found: `retracted, and still served as the newest: ${listed.join('; ')}`,
    advice: mendingAdvice(retracted, 'retracted', pending),
  };
}

/** The builds that wait or run, by account. */
type Pending = ReadonlyMap<bigint, PendingBuild>;

/** What helps each account. */
function mendingAdvice(
  accounts: readonly { readonly account_id: bigint }[],
  fault: NonNullable<NewestFault>,
  pending: Pending,
): string {
  return accounts
    .map(({ account_id }) => `${mendingWords(account_id, fault, pending.get(account_id) ?? null)}.`)
    .join('\n');
}

/** The login of DATABASE_URL or OWNER_URL. A fault is only a warning if the URL equals LEDGER_URL. */
export function judgeLogin(
  fault: Finding | null,
  { role, isNamed }: { readonly role: string; readonly isNamed: boolean },
): Finding {
  if (fault === null) return fine(`its login may be ${role}`);
  return isNamed ? fault : { ...fault, outcome: 'warning' };
}

/** Settings that are valid one by one but do not fit together. */
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
      advice:
        'This works on one machine. Use a bucket if workers run on other machines: servers would not see their snapshots.',
    };
  }
  return fine(found);
}

/** Where the night reads rates. The address of a setting may carry a key, so it is not shown. */
export function judgeRates(
  plan: { readonly url: string; readonly byDefault: boolean } | null,
  areSample: boolean,
): Finding {
  const stored = areSample ? ". The stored rates are the demo's sample, which was never published" : '';
  if (plan === null) return fine(`the night reads no rates; rates import reads a file${stored}`);
  const source = plan.byDefault ? `${plan.url}; RATES_URL=off reads none` : 'the source of RATES_URL';
  return fine(`the night reads rates from ${source}${stored}`);
}

/** The three clocks, read one after the other. */
export function judgeClocks(clocks: {
  readonly database: Instant;
  readonly store: Instant;
  readonly here: bigint;
}): Finding {
  const times: readonly bigint[] = Object.values(clocks);
  const latest = times.reduce((a, b) => (a > b ? a : b));
  const apart = latest - times.reduce((a, b) => (a < b ? a : b));
  const seconds = apart / SECOND;
  if (apart <= CLOCKS_AGREE_SECONDS * SECOND) {
    return fine(`database, store and this machine agree within ${seconds + 1n} s`);
  }
  const [database, store] = [clocks.database - clocks.here, clocks.store - clocks.here];
  const off = clockThatIsOff({ ...clocks, database_offset: database, store_offset: store });
  return {
    outcome: 'failed',
    found: `${off?.sentence}: database ${database / SECOND} s, store ${store / SECOND} s from this machine`,
    advice: `${off?.cure} Until then nothing is queued, built, published or deleted.`,
  };
}

/** Newest snapshots that a wrong clock dated in the future: no build of their account can publish. */
export function judgeHeads(
  heads: readonly { readonly account_id: bigint; readonly snapshot_id: string }[],
  now: Instant,
): Finding {
  const future = heads.filter(({ snapshot_id }) => isOfFuture(snapshot_id, now));
  const [first] = future;
  if (first === undefined) return fine('no newest snapshot is dated in the future');
  const listed = future.map(({ account_id, snapshot_id }) => `${snapshot_id} of account ${account_id}`);
  return {
    outcome: 'failed',
    found: `dated in the future, so nothing newer can be published: ${listed.join(', ')}`,
    advice: `If the clocks are right, run npx --no crossfoot retract ${first.snapshot_id} --account ${first.account_id} --future-head, and so for each.`,
  };
}

/** Free bytes of the spool, compared with the size of the largest snapshot. */
export function judgeSpool({
  folder,
  free_bytes,
  largest_bytes,
}: {
  readonly folder: string;
  readonly free_bytes: number;
  readonly largest_bytes: number;
}): Finding {
  const needed = Math.max(LEAST_SPOOL_BYTES, SPOOL_FACTOR * largest_bytes);
  const found = `${shownMegabytes(free_bytes)} free in ${folder}, ${shownMegabytes(needed)} needed for one build`;
  if (free_bytes >= needed) return fine(found);
  return {
    outcome: free_bytes < Math.max(largest_bytes, FULL_SPOOL_BYTES) ? 'failed' : 'warning',
    found,
    advice: `${FREE_SPACE} Or set DATA_DIR to a larger disk. Each concurrent build needs this space.`,
  };
}

/** The locks and snapshots that a build takes in the database, and what would delay it now. */
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
      ? 'a standby does not know the writers'
      : `the oldest writer is ${Math.floor(oldest_writer_seconds)} s old`;
  const found = `${takes}; vacuum now keeps what ${transactions_kept} transactions removed; ${writer}`;
  if (oldest_writer_seconds === null || oldest_writer_seconds < LONG_WRITER_SECONDS) return fine(found);
  return {
    outcome: 'warning',
    found,
    advice: 'Find it in pg_stat_activity and end it: it delays vacuum and changes_from.',
  };
}
