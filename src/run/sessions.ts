/** Pools of sessions as a process holds them: checked before anything rests on them, their losses logged, ended in the end. */
import type { ClientBase, Pool } from 'pg';
import { openClient, openPool, type PoolOptions } from '../ledger/connect.ts';
import { errorFields, type Logger } from '../log.ts';

interface SessionOptions extends Omit<PoolOptions, 'onError'> {
  /** Each refuses a login that must not serve; run on a session of its own before the pool is opened. */
  readonly checks?: readonly ((client: ClientBase) => Promise<void>)[];
  readonly logger: Logger;
}

/** Disposing of them ends the sessions. */
export interface Sessions extends AsyncDisposable {
  readonly pool: Pool;
  /** Logs `connection.lost`, unless the end is expected. */
  readonly onError: (error: Error) => void;
  /** From now on a lost session is no news: what uses the sessions is being closed. */
  expectEnd(): void;
}

/** Opens a pool whose sessions run as the role, once every check has passed. */
export async function openSessions({ checks = [], logger, ...options }: SessionOptions): Promise<Sessions> {
  await checkLogin(options, checks);
  let ending = false;
  const onError = (error: Error): void => {
    // A pool says it has ended before its sessions have: a server stopped next still ends them.
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
