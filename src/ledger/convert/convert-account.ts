/**
 * Converts the amounts of one account into dollars, batch by batch, by ascending id. For each batch:
 * 1. read its distinct currencies and periods, and compute the rates that are not known yet;
 * 2. count its rows by outcome, and the rows that must change;
 * 3. only if there are any, write them in a transaction of their own, behind the gate of the account's months.
 * The gate is a row lock that a session takes before it closes a month. A run with nothing to change only reads. Other
 * writers never wait for more than one batch. A stopped run can be repeated.
 */
import type { Client } from 'pg';
import { type Holding, readStatement, type RowOf } from '../../database/columns.ts';
import { call, db, readOne } from '../../database/query.ts';
import { hasSqlState, SQLSTATE } from '../../postgres-errors.ts';
import type { Day } from '../../figures/calendar.ts';
import { keysOfBatch, outcomesOfBatch, writeBatch } from './statements.ts';
import { type ConvertedTable, CONVERTED_TABLES } from './converted-tables.ts';
import { type ConvertedCurrency, openTally, type Outcome } from './tally.ts';
import { type KeyRates, openKeyRates, type RateColumns } from './key-rates.ts';
import type { Instant } from '../../instant.ts';

export interface AccountConversion {
  readonly account_id: bigint;
  /** Rates dated later are ignored. */
  readonly today: Day;
  readonly batchRows: number;
  /** How long a batch waits for rows that another session holds. */
  readonly lockLimitMs: number;
  readonly signal: AbortSignal;
  readonly onBatch: (progress: BatchProgress) => void;
}

export interface BatchProgress {
  readonly table: string;
  readonly rows: number;
  readonly written: number;
}

export interface ConvertedAccount {
  readonly account_id: bigint;
  readonly currencies: readonly ConvertedCurrency[];
  /** The number of rows that another session kept locked for too long; the next run writes them. */
  readonly held: number;
}

interface Batch {
  readonly table: ConvertedTable;
  readonly after: Instant;
  readonly through: bigint;
  readonly rates: RateColumns;
}

const KEY_COLUMNS = { currency: 'text', starts_on: 'date', ends_on: 'date', through: 'int8' } as const;

const PLANNED_COLUMNS = {
  currency: 'text',
  outcome: 'text' as Holding<'text', Outcome>,
  entries: 'int4',
  to_write: 'int4',
} as const;

const WRITTEN_COLUMNS = { currency: 'text', written: 'int4' } as const;

/** Below every id. */
const FIRST_ID = -(2n ** 63n);
const HELD = [SQLSTATE.lock_not_available, SQLSTATE.deadlock_detected];

/**
 * Gives the right rate to each row of the account, except rows in locked months. Runs on several hosts wait for each
 * other.
 */
export async function convertAccount(owner: Client, asked: AccountConversion): Promise<ConvertedAccount> {
  const lock = "hashtextextended('crossfoot convert', $1)";
  await owner.query(`select pg_advisory_lock(${lock})`, [asked.account_id]);
  try {
    return await convertTables(owner, asked);
  } finally {
    // Ignore the error: a lost connection has released the lock already, and its own error is thrown.
    await owner.query(`select pg_advisory_unlock(${lock})`, [asked.account_id]).catch(() => undefined);
  }
}

async function convertTables(owner: Client, asked: AccountConversion): Promise<ConvertedAccount> {
  const rates = openKeyRates(owner, asked.today);
  const tally = openTally();
  const held: Batch[] = [];
  const run = async (batch: Batch): Promise<boolean> => {
    const planned = await readOutcomes(owner, asked, batch);
    const wanted = sum(planned, 'to_write');
    const currencies = wanted === 0 ? [] : await writeUnlessHeld(owner, asked, batch);
    if (currencies === null) return false;
    for (const each of currencies) tally.wrote(each.currency, each.written);
    const written = sum(currencies, 'written');
    // If fewer rows were written than planned, a month was closed or a row changed meanwhile: count again.
    tally.count(written === wanted ? planned : await readOutcomes(owner, asked, batch));
    asked.onBatch({ table: batch.table.name, rows: sum(planned, 'entries'), written });
    return true;
  };
  for (const table of CONVERTED_TABLES) {
    for await (const batch of batches(owner, asked, table, rates)) {
      if (!(await run(batch))) held.push(batch);
    }
  }
  let left = 0;
  // Try again: the other session has usually ended by now.
  for (const batch of held) {
    if (await run(batch)) continue;
    const planned = await readOutcomes(owner, asked, batch);
    tally.count(planned);
    left += sum(planned, 'to_write');
  }
  return { account_id: asked.account_id, currencies: tally.currencies(), held: left };
}

async function* batches(
  owner: Client,
  { account_id, batchRows, signal }: AccountConversion,
  table: ConvertedTable,
  rates: KeyRates,
): AsyncGenerator<Batch> {
  for (let after = FIRST_ID; ;) {
    signal.throwIfAborted();
    const keys = await readStatement(owner, {
      name: table.name,
      text: keysOfBatch(table),
      values: [account_id, after, batchRows],
      columns: KEY_COLUMNS,
    });
    const [first] = keys;
    if (first === undefined) return;
    yield { table, after, through: first.through, rates: await rates.of(keys) };
    after = first.through;
  }
}

async function readOutcomes(
  owner: Client,
  { account_id }: AccountConversion,
  { table, after, through, rates }: Batch,
): Promise<readonly RowOf<typeof PLANNED_COLUMNS>[]> {
  const values = [account_id, after, through, ...rates];
  const outcomes = { name: table.name, text: outcomesOfBatch(table), values, columns: PLANNED_COLUMNS };
  return await readStatement(owner, outcomes);
}

/** The number of rows written, by currency; null if another session held a row or the gate for too long. */
async function writeUnlessHeld(
  owner: Client,
  { account_id, lockLimitMs }: AccountConversion,
  { table, after, through, rates }: Batch,
): Promise<readonly RowOf<typeof WRITTEN_COLUMNS>[] | null> {
  await owner.query('begin isolation level read committed');
  try {
    await owner.query("select set_config('app.account_id', $1, true), set_config('lock_timeout', $2, true)", [
      account_id,
      lockLimitMs,
    ]);
    // Take the gate before the statement that reads the months: then no month can be closed until commit.
    await readOne(owner, db.selectNoFrom(call('service.share_gate', account_id).as('shared')));
    const values = [account_id, after, through, ...rates];
    const batch = { name: table.name, text: writeBatch(table), values, columns: WRITTEN_COLUMNS };
    const rows = await readStatement(owner, batch);
    await owner.query('commit');
    return rows;
  } catch (error) {
    await owner.query('rollback');
    if (hasSqlState(error, ...HELD)) return null;
    throw error;
  }
}

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
