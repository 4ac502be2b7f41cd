/** What the read API asks of the ledger: one short read-only transaction that sees one account. */
import type { ClientBase, Pool } from 'pg';
import { CrossfootError } from '../errors.ts';
import { inOurWords, type PooledSession, takeSession } from '../postgres-errors.ts';
import { breakWhenSilent, MAX_SESSION_WAIT_MS } from './connect.ts';

/** What a statement's own timeout has for its message to arrive; a database that says nothing by then hangs. */
const CANCEL_MS = 1_000;

/**
 * What groups are held in: 48,000, of a thousand initiatives in four years, took 30 MB of the twice 16 that hashing gets;
 * with the usual 4 they went through temporary files, for a tenth more of the time.
 */
export const FIGURES_MEMORY = '16MB';

/**
 * What a row looked up costs a list, beside one that is read in passing: what pages look up is in memory, or on a disk without
 * arms. At the usual 4 the last full page of a million costs read all initiatives, in 4.2 milliseconds, not 2.2.
 */
const LOOKED_UP_COST = 1.1;

export interface AccountSession {
  /** The account that row security lets the transaction see. */
  readonly account_id: bigint;
  /** The longest that one statement may take. */
  readonly timeout_ms: number;
  /** True: all statements see what was committed when the first began, so that what several of them read agrees. */
  readonly forFigures?: boolean;
}

/** Runs `run` in a transaction of its own; each of its statements sees what is committed by then, unless told otherwise. */
export async function asAccount<Result>(
  pool: Pool,
  session: AccountSession,
  run: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const from = performance.now();
  using pooled = await connect(pool);
  const { client } = pooled;
  using closing = new DisposableStack();
  // Before the pool gets the session back: it must not break while nobody uses it.
  closing.defer(() => breakWhenSilent(client, 0));
  try {
    breakWhenSilent(client, Math.max(1, MAX_SESSION_WAIT_MS - (performance.now() - from)));
    await client.query(opening(session));
    breakWhenSilent(client, session.timeout_ms + CANCEL_MS);
    const result = await run(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // What went wrong first is what the caller must hear.
    await pooled.rollback();
    throw explained(error, session, pooled.lost);
  }
}

/** One round trip, and so without parameters. */
function opening({ account_id, timeout_ms, forFigures = false }: AccountSession): string {
  return [
    `begin isolation level ${forFigures ? 'repeatable read' : 'read committed'} read only`,
    `set local app.account_id = '${integer(account_id)}'`,
    `set local statement_timeout = ${integer(timeout_ms)}`,
    forFigures
      ? `set local work_mem = '${FIGURES_MEMORY}'`
      : `set local random_page_cost = ${LOOKED_UP_COST}`,
  ].join('; ');
}

/** SET takes no parameters, so these go into SQL as they are: BigInt throws on what the types failed to keep out. */
function integer(value: bigint | number): bigint {
  return BigInt(value);
}

async function connect(pool: Pool): Promise<PooledSession> {
  try {
    return await takeSession(pool);
  } catch (cause) {
    throw new CrossfootError('database_unreachable', 'The ledger gave no session.', { cause });
  }
}

function explained(error: unknown, { timeout_ms }: AccountSession, lost: Error | undefined): unknown {
  return inOurWords(error, lost, {
    timedOut: (cause) =>
      new CrossfootError('statement_timed_out', `A statement took longer than ${timeout_ms} ms.`, {
        hint: 'Look at the plan of the query; a slow disk or an overloaded database shows here first.',
        cause,
      }),
    brokenOff: (cause) =>
      new CrossfootError('database_unreachable', 'The ledger broke off a statement.', { cause }),
  });
}
