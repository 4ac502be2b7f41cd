/**
 * Counts the commands that joined the embedded PostgreSQL, so that the program that started it does not stop it too early.
 */
import type { Client } from 'pg';
import { readStatement } from '../database/columns.ts';

// The key of an advisory lock: any number that no other program uses. Each command that joined holds it shared.
const JOINED = 4_216_001_359;

/** Marks the session as joined until the session ends. Fails if the server is about to stop. */
export async function markJoined(session: Client): Promise<void> {
  await session.query('select pg_advisory_lock_shared($1)', [JOINED]);
}

/** True if no command is joined. Then no command can join until this session ends. */
export async function isAlone(session: Client): Promise<boolean> {
  const [found] = await readStatement(session, {
    name: 'joined sessions',
    text: 'select pg_try_advisory_lock($1) as alone',
    values: [JOINED],
    columns: { alone: 'bool' },
  });
  return found?.alone === true;
}

/** Returns as soon as no command is joined. Then no command can join until this session ends. */
export async function untilAlone(session: Client): Promise<void> {
  await session.query('select pg_advisory_lock($1)', [JOINED]);
}
