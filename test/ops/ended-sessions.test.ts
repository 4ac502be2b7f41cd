import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSession, forgetEndedSessions, isSessionEnded } from '../../src/ops/ended-sessions.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

const HOUR = 3_600_000_000n;
const sha256 = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

let database: TestDatabase;
let service: Pool;
beforeAll(async () => {
  database = await createDatabase();
  service = database.pool('cf_service');
});
afterAll(() => database.drop());

async function databaseNow(): Promise<bigint> {
  const { rows } = await service.query<{ now: bigint }>('select clock_timestamp() as now');
  return rows[0]?.now ?? 0n;
}

test('a session that was ended is ended for every reader, also when it is ended twice', async () => {
  expect(await isSessionEnded(service, sha256(1))).toBe(false);
  const expires_at = (await databaseNow()) + HOUR;
  await Promise.all([endSession(service, sha256(1), expires_at), endSession(service, sha256(1), expires_at)]);
  expect(await isSessionEnded(service, sha256(1))).toBe(true);
  expect(await isSessionEnded(service, sha256(2))).toBe(false);
  const { rows } = await service.query('select expires_at from ops.ended_sessions');
  expect(rows).toEqual([{ expires_at }]);
});

test('an ended session is removed an hour after it would have ended by itself, and not before', async () => {
  const now = await databaseNow();
  await endSession(service, sha256(3), now - HOUR - 1_000_000n);
  await endSession(service, sha256(4), now - HOUR + 600_000_000n);
  await forgetEndedSessions(service);
  expect([await isSessionEnded(service, sha256(3)), await isSessionEnded(service, sha256(4))]).toEqual([
    false,
    true,
  ]);
});
