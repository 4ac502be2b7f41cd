/** Pools of database sessions: checked when opened, lost connections logged, closed at the end. */
import type { ClientBase, Pool } from 'pg';
import { openClient, openPool, type PoolOptions } from '../ledger/connect.ts';
import { errorFields, type Logger } from '../log.ts';

interface SessionOptions extends Omit<PoolOptions, 'onError'> {
  /** Each check throws for an unsuitable login; they run on a separate session before the pool is opened. */
  readonly checks?: readonly ((client: ClientBase) => Promise<void>)[];
  readonly logger: Logger;
}

/** Disposing of them ends the sessions. */
export interface Sessions extends AsyncDisposable {
  readonly pool: Pool;
  /** Logs `connection.lost`, unless the pool is being closed. */
  readonly onError: (error: Error) => void;
  /** After this call a lost session is not logged, because the program is closing the pool. */
  expectEnd(): void;
}

/** Opens a pool whose sessions run as the role, once all checks have passed. */
export async function openSessions({ checks = [], logger, ...options }: SessionOptions): Promise<Sessions> {
  await checkLogin(options, checks);
  let ending = false;
  const onError = (error: Error): void => {
    // `pool.end` returns before its sessions have ended. If the database server stops next, they break: do not log this.
    if (!ending) logger.warn('connection.lost', errorFields(error));
  };
  const expectEnd = (): void => {
    ending = true;
  };
  const pool = openPool({ ...options, onError });
  return {
    pool,
    onError,
    expectEnd,
    [Symbol.asyncDispose]: async () => {
      expectEnd();
      await pool.end();
    },
  };
}

async function checkLogin(
  options: Omit<PoolOptions, 'onError'>,
  checks: NonNullable<SessionOptions['checks']>,
): Promise<void> {
  if (checks.length === 0) return;
  await using client = await openClient(options);
  for (const check of checks) await check(client);
}
