/** Converts the amounts of every account, or of one, into dollars. The day is read once for the whole run. */
import type { Client } from 'pg';
import { db, readRows } from '../../database/query.ts';
import type { Day } from '../../figures/calendar.ts';
import { requireAccount } from '../accounts.ts';
import { type BatchProgress, convertAccount, type ConvertedAccount } from './convert-account.ts';
import { readToday } from '../clock.ts';
import { readLastPublished } from './published-rates.ts';

/** A batch is written in 0.25 to 0.75 s; closing a month may have to wait that long. */
const BATCH_ROWS = 2_000;

// Closing a month holds the gate for seconds. A session that waits longer would block others with its own locks.
const LOCK_LIMIT_MS = 3_000;

export interface ConversionRequest {
  /** Only this account. */
  readonly account_id?: bigint | undefined;
  /** The day of the database's clock if omitted. */
  readonly today?: Day;
  readonly batchRows?: number;
  readonly lockLimitMs?: number;
  readonly signal: AbortSignal;
  readonly onBatch?: (account_id: bigint, progress: BatchProgress) => void;
}

export interface Conversion {
  /** The day of the run; rates dated later are ignored. */
  readonly as_of: Day;
  /** Null: no dollar rate is published, so no row was read. */
  readonly published_through: Day | null;
  readonly accounts: readonly ConvertedAccount[];
  /** Errors by account. Batches written before the error stay, and the other accounts are converted. */
  readonly failures: readonly { readonly account_id: bigint; readonly cause: unknown }[];
}

/** Converts as the ledger's owner; safe to run twice, to stop and to run on several hosts. */
export async function convert(owner: Client, request: ConversionRequest): Promise<Conversion> {
  const { account_id, signal, batchRows = BATCH_ROWS, lockLimitMs = LOCK_LIMIT_MS } = request;
  // Compiling the statements of a batch takes longer than running them.
  await owner.query('set jit = off');
  if (account_id !== undefined) await requireAccount(owner, account_id);
  const as_of = request.today ?? (await readToday(owner));
  const published_through = await readLastPublished(owner, as_of);
  // Without published rates, the entries keep the dollar amounts of the loaded files.
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
