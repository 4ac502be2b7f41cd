/** Knowing, not guessing, that a session waits for a lock: tests of two sessions look here instead of sleeping. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

const WAIT_LIMIT_MS = 10_000;
const POLL_MS = 5;

/** The server's process behind a connection. */
export async function processOf(db: ClientBase): Promise<number> {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** Resolves once the session `waiting` stands in line behind others, and gives their processes. */
export async function blockersOf(watcher: ClientBase, waiting: number): Promise<readonly number[]> {
  for (let waited = 0; waited < WAIT_LIMIT_MS; waited += POLL_MS) {
    const { rows } = await watcher.query<{ pids: number[] }>('select pg_blocking_pids($1) as pids', [
      waiting,
    ]);
    const pids = rows[0]?.pids ?? [];
    if (pids.length > 0) return pids;
    await sleep(POLL_MS);
  }
  throw new Error(`process ${waiting} waits for no session`);
}

/** What a statement that may wait came to: its result, or its error, which is then never unhandled. */
export const outcomeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.catch((error: unknown) => error);
