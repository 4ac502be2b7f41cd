/** Runs a short read-only transaction that sees one account, for the read API. */
import type { ClientBase, Pool } from 'pg';
import { CrossfootError } from '../errors.ts';
import { translated, type PooledSession, takeSession } from '../postgres-errors.ts';
import { breakWhenSilent, MAX_SESSION_WAIT_MS } from './connect.ts';
import { horizonIn, READ_HORIZON } from './write-horizon.ts';
import type { Instant } from '../instant.ts';

/** After a statement's timeout the database has this long to report the timeout; then the connection counts as dead. */
const CANCEL_MS = 1_000;

/**
 * `work_mem` for sums by group. Hashing may use twice this value: 48,000 groups (a thousand initiatives in four years)
 * took 30 MB. With PostgreSQL's default of 4 MB they were written to temporary files, which took a tenth more time.
 */
export const FIGURES_MEMORY = '16MB';

/**
 * `random_page_cost` for lists, whose rows are in memory or on an SSD. With the default of 4, the planner read all
 * initiatives for the last full page of a million costs: 4.2 milliseconds instead of 2.2.
 */
const LOOKED_UP_COST = 1.1;

export interface AccountSession {
  /** The account that row security lets the transaction see. */
  readonly account_id: bigint;
  /** The timeout of one statement. */
  readonly timeout_ms: number;
  /**
   * True: all statements see the data of the moment when the first one began. If omitted, each sees the data of its own
   * start.
   */
  readonly forFigures?: boolean;
  /** True: read the write horizon (see `write-horizon.ts`) in the round trip that opens the transaction, before any row. */
  readonly withHorizon?: boolean;
}

/** What runs in the transaction. `horizon` is null on a standby, and without `withHorizon`. */
export type AccountWork<Result> = (client: ClientBase, horizon: Instant | null) => Promise<Result>;

/** Runs `run` in its own read-only transaction of the account. */
export async function asAccount<Result>(
  pool: Pool,
  session: AccountSession,
  run: AccountWork<Result>,
): Promise<Result> {
  const from = performance.now();
  using pooled = await connect(pool);
  const { client } = pooled;
  using closing = new DisposableStack();
  // Switch the silence limit off before the session returns to the pool: an idle session may be silent.
  closing.defer(() => breakWhenSilent(client, 0));
  try {
    breakWhenSilent(client, Math.max(1, MAX_SESSION_WAIT_MS - (performance.now() - from)));
    const opened = await client.query(opening(session));
    const horizon = session.withHorizon === true ? horizonIn(opened) : null;
    breakWhenSilent(client, session.timeout_ms + CANCEL_MS);
    const result = await run(client, horizon);
    await client.query('commit');
    return result;
  } catch (error) {
    // A failed rollback is ignored, so that the caller gets the first error.
    await pooled.rollback();
    throw explained(error, session, pooled.lost);
  }
}

/** All opening statements as one text, for one round trip. A text of several statements can have no parameters. */
function opening({
  account_id,
  timeout_ms,
  forFigures = false,
  withHorizon = false,
}: AccountSession): string {
  return [
    `begin isolation level ${forFigures ? 'repeatable read' : 'read committed'} read only`,
    `set local app.account_id = '${integer(account_id)}'`,
    `set local statement_timeout = ${integer(timeout_ms)}`,
    forFigures
      ? `set local work_mem = '${FIGURES_MEMORY}'`
      : `set local random_page_cost = ${LOOKED_UP_COST}`,
    ...(withHorizon ? [READ_HORIZON] : []),
  ].join('; ');
}

/** SET takes no parameters, so the number is written into the SQL. BigInt throws for anything but an integer. */
function integer(value: bigint | number): bigint {
  return BigInt(value);
}

async function connect(pool: Pool): Promise<PooledSession> {
  try {
    return await takeSession(pool);
  } catch (cause) {
    throw new CrossfootError('database_unreachable', 'Could not get a connection to the ledger database.', {
      cause,
    });
  }
}

function explained(error: unknown, { timeout_ms }: AccountSession, lost: Error | undefined): unknown {
  return translated(error, lost, {
    timedOut: (cause) =>
      new CrossfootError('statement_timed_out', `A statement took longer than ${timeout_ms} ms.`, {
        hint: 'Look at the plan of the query. The usual causes are a slow disk or an overloaded database.',
        cause,
      }),
    brokenOff: (cause) =>
      new CrossfootError(
        'database_unreachable',
        'The ledger database closed the connection during a statement.',
        {
          cause,
        },
      ),
  });
}
