/** The horizon of a list, to the microsecond: a slow writer may still stamp a row with that very moment. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import { type LiveCompany, openLive } from './live-company.ts';
import { expectedIds, expectedOf, walkedIds } from './listed-rows.ts';

/** What the ledger says is the horizon, in microseconds since 1970. */
let horizon = 0n;
let company: LiveCompany;
let owner: Client;
beforeAll(async () => {
  company = await openLive('template_company', {}, (query) => async (text, values) => {
    const answer = await query(text, values);
    return text.includes('service.write_horizon()') ? { ...answer, rows: [{ horizon }] } : answer;
  });
  owner = await company.database.client('cf_owner');
});
afterAll(() => company.close());

it.each(RESOURCES)('the list $name holds no row of the microsecond of the horizon', async ({ name }) => {
  const { table, visible } = expectedOf(name);
  const { rows } = await owner.query<{ last: bigint }>(
    `select max(updated_at) as last from ledger.${table} t where account_id = 1 and ${visible}`,
  );
  const last = rows[0]?.last ?? 0n;
  const at = `timestamptz 'epoch' + ${last} * interval '1 microsecond'`;
  const all = await expectedIds(owner, name);
  const before = await expectedIds(owner, name, `updated_at < ${at}`);
  expect(before.length).toBeLessThan(all.length);
  horizon = last;
  expect(await walkedIds(company, `/${name}`)).toEqual(before);
  horizon = last + 1n;
  expect(await walkedIds(company, `/${name}`)).toEqual(all);
});
