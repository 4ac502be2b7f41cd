/** Converts the ledger: every account, or one. The day is read once, so that all of a run means the same by today. */
import type { Client } from 'pg';
import { db, readRows } from '../../database/query.ts';
import type { Day } from '../../figures/calendar.ts';
import { requireAccount } from '../accounts.ts';
import { type BatchProgress, convertAccount, type ConvertedAccount } from './convert-account.ts';
import { readLastPublished, readToday } from './published-rates.ts';

/** Written in a quarter to three quarters of a second: as long waits a month that is being closed meanwhile. */
const BATCH_ROWS = 2_000;

// A month being closed holds the gate for seconds. A session that waits longer keeps locks that others wait for.
const LOCK_LIMIT_MS = 3_000;

export interface ConversionRequest {
  /** Only this account. */
  readonly account_id?: bigint | undefined;
  /** The day of the database's clock when left out. */
  readonly today?: Day;
  readonly batchRows?: number;
  readonly lockLimitMs?: number;
  readonly signal: AbortSignal;
  readonly onBatch?: (account_id: bigint, progress: BatchProgress) => void;
}

export interface Conversion {
  /** The day of the run: no rate dated after it counts. */
  readonly as_of: Day;
  /** Null: no rate of the dollar is published, and nothing was looked at. */
  readonly published_through: Day | null;
  readonly accounts: readonly ConvertedAccount[];
  /** What an account's conversion ended with; what it wrote before stays, and the other accounts are converted. */
  readonly failures: readonly { readonly account_id: bigint; readonly cause: unknown }[];
}

/** Converts as the ledger's owner; safe to run twice, to stop and to run on several hosts. */
export async function convert(owner: Client, request: ConversionRequest): Promise<Conversion> {
  const { account_id, signal, batchRows = BATCH_ROWS, lockLimitMs = LOCK_LIMIT_MS } = request;
  // The planner thinks them dear, and compiling the statements of a batch takes longer than running them.
  await owner.query('set jit = off');
  if (account_id !== undefined) await requireAccount(owner, account_id);
  const as_of = request.today ?? (await readToday(owner));
  const published_through = await readLastPublished(owner, as_of);
  // Without any rates, what entries were loaded with is all there is: it is not taken from them.
  if (published_through === null) return { as_of, published_through, accounts: [], failures: [] };
  const accounts: ConvertedAccount[] = [];
  const failures: { account_id: bigint; cause: unknown }[] = [];
  for (const id of account_id === undefined ? await allAccounts(owner) : [account_id]) {
    const converting = convertAccount(owner, {
      account_id: id,
      today: as_of,
      batchRows,
      lockLimitMs,
      signal,
      onBatch: (progress) => request.onBatch?.(id, progress),
    });
    try {
      accounts.push(await converting);
    } catch (cause) {
      signal.throwIfAborted();
      failures.push({ account_id: id, cause });
    }
  }
  return { as_of, published_through, accounts, failures };
}

async function allAccounts(owner: Client): Promise<readonly bigint[]> {
  const rows = await readRows(owner, db.selectFrom('ledger.accounts').select('id').orderBy('id'));
  return rows.map(({ id }) => id);
}
