/** One moment of the ledger: a read-only transaction in which every table is seen as it stood at one instant. */
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readOne } from '../../database/query.ts';
import { CrossfootError } from '../../errors.ts';
import { hasSqlState, SQLSTATE } from '../../postgres-errors.ts';
import { FIGURES_MEMORY } from '../account-session.ts';
import { readWriteHorizon } from '../write-horizon.ts';
import { explainingBreaks } from './broken-moment.ts';

// A rewrite that holds a source table for longer fails the build, which is then run again with a new moment.
const LOCK_TIMEOUT_MS = 10_000;
// The longest pause between two statements of one build; a builder that hangs must not hold back vacuum for ever.
const IDLE_TIMEOUT = '5min';

export interface MomentOptions {
  /** The account that row security lets the transaction see. */
  readonly account_id: bigint;
  /** Every table that will be read, as `schema.table`. */
  readonly tables: readonly string[];
  /** Stands in for the database's clock in tests; what is visible stays what is committed now. */
  readonly at?: bigint;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs?: number;
}

export interface Moment {
  /** The database's clock when the snapshot was taken, in microseconds since 1970 UTC. */
  readonly generatedAt: bigint;
  /** PostgreSQL's own name of what is visible: `xmin:xmax:in progress`. */
  readonly pgSnapshot: string;
  /** For `set transaction snapshot`: another connection sees the same moment while this one is open. */
  readonly exportedSnapshot: string;
  /** No row that this moment misses was or will be stamped earlier; null on a standby, which cannot know. */
  readonly changesFrom: bigint | null;
}

/** Runs `run` inside the moment and ends the transaction, whatever happens. */
export function withMoment<Result>(
  client: ClientBase,
  options: MomentOptions,
  run: (moment: Moment) => Promise<Result>,
): Promise<Result> {
  return explainingBreaks(client, () => inTransaction(client, options, run));
}

async function inTransaction<Result>(
  client: ClientBase,
  options: MomentOptions,
  run: (moment: Moment) => Promise<Result>,
): Promise<Result> {
  const preparations = preparation(options);
  // 1. The horizon, before the snapshot: a writer that commits between the two is seen by the snapshot. Asked in
  //    the snapshot's own statement, one that commits between its snapshot and its look at the running writers
  //    would be in neither, and its rows would be lost to whoever continues from here.
  const changesFrom = await readWriteHorizon(client);
  await client.query('begin isolation level repeatable read read only');
  try {
    // 2. Settings by SET and never by a select, because the first select fixes the snapshot.
    for (const statement of preparations) await client.query(statement);
    // 3. The locks, still before the snapshot: a table rewritten after it would read as empty without an error.
    await lockTables(client, options.tables);
    // 4. The snapshot, in a statement of its own.
    const moment = await takeSnapshot(client, options.at);
    const result = await run({ ...moment, changesFrom });
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that is gone has ended its transaction; what went wrong first is what the caller must hear.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function preparation(options: MomentOptions): readonly string[] {
  return [
    `set local app.account_id = '${integer(options.account_id)}'`,
    `set local statement_timeout = ${integer(options.statementTimeoutMs)}`,
    `set local lock_timeout = ${integer(options.lockTimeoutMs ?? LOCK_TIMEOUT_MS)}`,
    `set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`,
    `set local time zone 'UTC'`,
    `set local work_mem = '${FIGURES_MEMORY}'`,
  ];
}

/** SET takes no parameters, so these go into SQL as they are: BigInt throws on what the types failed to keep out. */
function integer(value: bigint | number): bigint {
  return BigInt(value);
}

async function lockTables(client: ClientBase, tables: readonly string[]): Promise<void> {
  const names = tables.map((table) =>
    table
      .split('.')
      .map((part) => client.escapeIdentifier(part))
      .join('.'),
  );
  try {
    await client.query(`lock table ${names.join(', ')} in access share mode`);
  } catch (cause) {
    if (!hasSqlState(cause, SQLSTATE.lock_not_available)) throw cause;
    throw new CrossfootError(
      'ledger_locked',
      'Another session keeps a source table locked; nothing was read.',
      { hint: 'A migration or TRUNCATE is running: build again when it is done.', data: { tables }, cause },
    );
  }
}

async function takeSnapshot(
  client: ClientBase,
  at: bigint | undefined,
): Promise<Omit<Moment, 'changesFrom'>> {
  const taken = db.selectNoFrom([
    sql<bigint>`statement_timestamp()`.as('instant'),
    sql<string>`pg_current_snapshot()::text`.as('visible'),
    sql<string>`pg_export_snapshot()`.as('exported'),
  ]);
  const { instant, visible, exported } = await readOne(client, taken);
  return { generatedAt: at ?? instant, pgSnapshot: visible, exportedSnapshot: exported };
}
