/** One moment of the ledger: a read-only transaction that sees every table as it was at one instant. */
import { sql } from 'kysely';
import { type ClientBase, escapeLiteral } from 'pg';
import { db, readOne } from '../../database/query.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { hasSqlState, SQLSTATE } from '../../postgres-errors.ts';
import { FIGURES_MEMORY } from '../account-session.ts';
import { readWriteHorizon } from '../write-horizon.ts';
import { withPostgresErrors } from './moment-errors.ts';
import type { Instant } from '../../instant.ts';

// If a table rewrite holds its lock for longer, the build fails and is run again with a new moment.
const LOCK_TIMEOUT_MS = 10_000;
// The longest pause between two statements of a build: a builder that hangs must not hold back vacuum for ever.
const IDLE_TIMEOUT = '5min';

/** The server does not know an exported snapshot: no such file, another database, or a text of another version. */
const UNKNOWN_SNAPSHOT = [
  SQLSTATE.feature_not_supported,
  SQLSTATE.invalid_parameter_value,
  SQLSTATE.undefined_object,
  SQLSTATE.object_not_in_prerequisite_state,
];

export interface MomentOptions {
  /** The account that row security lets the transaction see. */
  readonly account_id: bigint;
  /** Every table that will be read, as `schema.table`. */
  readonly tables: readonly string[];
  /** For tests: replaces the database's clock. It does not change which rows are visible. */
  readonly at?: Instant;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs?: number;
}

type Preparation = Pick<MomentOptions, 'account_id' | 'lockTimeoutMs' | 'statementTimeoutMs'>;

export interface Moment {
  /** The database's clock when the snapshot was taken. */
  readonly generated_at: Instant;
  /** PostgreSQL's text for the snapshot, `xmin:xmax:in progress`. */
  readonly pg_snapshot: string;
  /** For `set transaction snapshot`: another connection sees the same moment while this one is open. */
  readonly exported_snapshot: string;
  /** Every row that this moment does not see has, or will get, a later stamp. Null on a standby, which cannot know. */
  readonly changes_from: Instant | null;
}

/** Runs `run` inside the moment, and always ends the transaction. */
export function withMoment<Result>(
  client: ClientBase,
  options: MomentOptions,
  run: (moment: Moment) => Promise<Result>,
): Promise<Result> {
  return withPostgresErrors(client, () => inTransaction(client, options, run));
}

/**
 * Runs `run` on a further connection that sees the same moment, whose transaction must be open. Returns false and does nothing
 * if this connection cannot join: a pooler led it to another server, or a migration waits for one of the tables.
 */
export function besideMoment(
  client: ClientBase,
  options: MomentOptions,
  { exported_snapshot, pg_snapshot }: Pick<Moment, 'exported_snapshot' | 'pg_snapshot'>,
  run: () => Promise<void>,
): Promise<boolean> {
  return withPostgresErrors(client, () =>
    readingOnce(client, async () => {
      try {
        for (const statement of preparation(options)) await client.query(statement);
        // Lock before joining, as the moment itself does. The locks of the moment protect its tables already; these keep
        // later statements from waiting behind a migration.
        await lockTables(client, options.tables);
        await client.query(importing(exported_snapshot));
      } catch (error) {
        if (isCrossfootError(error, 'ledger_locked') || hasSqlState(error, ...UNKNOWN_SNAPSHOT)) return false;
        throw error;
      }
      const visible = db.selectNoFrom(sql<string>`pg_current_snapshot()::text`.as('visible'));
      if ((await readOne(client, visible)).visible !== pg_snapshot) return false;
      await run();
      return true;
    }),
  );
}

/** True while the transaction that exported the snapshot is open, on the server of this connection. */
export async function isMomentOpen(
  client: ClientBase,
  { exported_snapshot }: Pick<Moment, 'exported_snapshot'>,
): Promise<boolean> {
  return await withPostgresErrors(client, () =>
    readingOnce(client, async () => {
      try {
        await client.query(importing(exported_snapshot));
        return true;
      } catch (error) {
        if (hasSqlState(error, ...UNKNOWN_SNAPSHOT)) return false;
        throw error;
      }
    }),
  );
}

/**
 * The statements with which a transaction of another program joins the moment, as one text: the first statements of that
 * transaction. They take no lock; the locks of the moment protect its tables while it is open.
 */
export function joiningStatements(
  options: Preparation,
  { exported_snapshot }: Pick<Moment, 'exported_snapshot'>,
): string {
  const isolation = 'set transaction isolation level repeatable read read only';
  return [isolation, ...preparation(options), importing(exported_snapshot)].join('; ');
}

function importing(exported_snapshot: string): string {
  return `set transaction snapshot ${escapeLiteral(exported_snapshot)}`;
}

/** Runs `run` in a read-only transaction whose snapshot its first select takes, and always ends the transaction. */
async function readingOnce<Result>(client: ClientBase, run: () => Promise<Result>): Promise<Result> {
  await client.query('begin isolation level repeatable read read only');
  try {
    const result = await run();
    await client.query('commit');
    return result;
  } catch (error) {
    // Ignore a failed rollback: a lost connection ends its transaction, and the caller must get the first error.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function inTransaction<Result>(
  client: ClientBase,
  options: MomentOptions,
  run: (moment: Moment) => Promise<Result>,
): Promise<Result> {
  const preparations = preparation(options);
  // 1. Read the write horizon before the snapshot: the snapshot then sees a writer that commits between the two. In one
  //    statement with the snapshot, such a writer could be missing from both, and a client that continues from this
  //    horizon would never get its rows.
  const changes_from = await readWriteHorizon(client);
  return await readingOnce(client, async () => {
    // 2. Change settings with SET, not with a select, because the first select fixes the snapshot.
    for (const statement of preparations) await client.query(statement);
    // 3. Lock the tables before the snapshot: a table rewritten after it would look empty, without an error.
    await lockTables(client, options.tables);
    // 4. Take the snapshot, in a statement of its own.
    const moment = await takeSnapshot(client, options.at);
    return await run({ ...moment, changes_from });
  });
}

function preparation(options: Preparation): readonly string[] {
  return [
    `set local app.account_id = '${integer(options.account_id)}'`,
    `set local statement_timeout = ${integer(options.statementTimeoutMs)}`,
    `set local lock_timeout = ${integer(options.lockTimeoutMs ?? LOCK_TIMEOUT_MS)}`,
    `set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`,
    `set local time zone 'UTC'`,
    `set local work_mem = '${FIGURES_MEMORY}'`,
    // A build reads with two sessions. Parallel workers beside them made no build faster on two cores, and writers to the
    // ledger waited 1.4 to 1.7 times as long.
    'set local max_parallel_workers_per_gather = 0',
  ];
}

/** SET takes no parameters, so the number is written into the SQL. BigInt throws for anything but an integer. */
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
      { hint: 'A migration or TRUNCATE is running. Build again when it has ended.', data: { tables }, cause },
    );
  }
}

async function takeSnapshot(
  client: ClientBase,
  at: Instant | undefined,
): Promise<Omit<Moment, 'changes_from'>> {
  const taken = db.selectNoFrom([
    sql<bigint>`statement_timestamp()`.as('instant'),
    sql<string>`pg_current_snapshot()::text`.as('visible'),
    sql<string>`pg_export_snapshot()`.as('exported'),
  ]);
  const { instant, visible, exported } = await readOne(client, taken);
  return { generated_at: at ?? instant, pg_snapshot: visible, exported_snapshot: exported };
}
