import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readClosedMonths, switchClosePins } from '../../../src/ledger/moment/close-pins.ts';
import { parseInstant } from '../../../src/time.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

let database: TestDatabase;
let owner: Client;
let reader: Client;
beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
});
afterAll(() => database.drop());

async function closed(account: number) {
  await reader.query(`begin; set local app.account_id = '${account}'`);
  try {
    return await readClosedMonths(reader, BigInt(account));
  } finally {
    await reader.query('rollback');
  }
}

const since = (instant: string | null) =>
  owner.query('update ledger.accounts set close_pins_since = $1 where id = 1', [instant]);

it('the pinned closes are the months locked since the account asked for pins, and none for other accounts', async () => {
  expect(await closed(1)).toEqual([]);
  // Of the fixture company: 2025-01 was locked on 10 February 2025 at 16:00, 2026-03 on 12 April 2026 at 16:00.
  await since('2026-04-12T16:00:00Z');
  expect(await closed(1)).toEqual([
    { month: '2026-03', locked_at: parseInstant('2026-04-12T16:00:00.000000Z') },
  ]);
  await since('2026-04-12T16:00:00.000001Z');
  expect(await closed(1)).toEqual([]);
});

it('the pinned closes of an account have no month of another account', async () => {
  await since('2000-01-01Z');
  expect((await closed(1)).length).toBeGreaterThan(1);
  expect(await closed(2)).toEqual([]);
});

it('the start of close pins stays when they are switched on again, and is cleared when off', async () => {
  const read = async (): Promise<unknown> =>
    (await owner.query('select close_pins_since as since from ledger.accounts where id = 2')).rows[0];
  await switchClosePins(owner, 2n, true);
  const first = await read();
  await switchClosePins(owner, 2n, true);
  expect(await read()).toEqual(first);
  await switchClosePins(owner, 2n, false);
  expect(await read()).toEqual({ since: null });
});
