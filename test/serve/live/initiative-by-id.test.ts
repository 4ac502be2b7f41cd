import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveCompany, openLive } from './live-company.ts';
import { walk } from './listed-rows.ts';

let company: LiveCompany;
beforeAll(async () => {
  company = await openLive();
});
afterAll(() => company.close());

const NOT_FOUND = {
  status: 404,
  body: { error: { status: 404, message: 'There is no such record in this account.' } },
};

describe('one initiative', () => {
  it('equals its row in the list, for each initiative', async () => {
    const pages = await Array.fromAsync(walk(company, '/initiatives'));
    for (const row of pages.flatMap(({ data }) => data)) {
      expect(await company.ask(`/initiatives/${String(row['id'])}`)).toEqual({ status: 200, body: row });
    }
  });

  it('is not there when it is a sample, another account’s, deleted or unknown: the same bytes', async () => {
    const owner = await company.database.client('cf_owner');
    await owner.query(
      "insert into ledger.initiatives (account_id, id, title, stage) values (1, 991, 'Gone', 'live')",
    );
    expect((await company.ask('/initiatives/991')).status).toBe(200);
    await owner.query('delete from ledger.initiatives where account_id = 1 and id = 991');
    const { rows } = await owner.query<{ id: bigint }>(
      `select id from ledger.initiatives where account_id = 1 and is_sample
       union all select min(id) from ledger.initiatives where account_id = 2`,
    );
    for (const { id } of [...rows, { id: 991n }, { id: 424_242n }]) {
      expect(await company.ask(`/initiatives/${id}`)).toEqual(NOT_FOUND);
    }
  });

  it.each([
    'abc',
    '0',
    '-1',
    '+101',
    '0101',
    '101.0',
    '1e2',
    '0x65',
    '%20101',
    '101%00',
    '9007199254740992',
    '9223372036854775808',
    '99999999999999999999999',
    '%E0%A4%A',
    "101'--",
  ])('is 404 for a text that is not an id: %s', async (id) => {
    expect(await company.ask(`/initiatives/${id}`)).toEqual(NOT_FOUND);
  });

  it('takes no parameter', async () => {
    const { status, body } = await company.ask('/initiatives/101?include_sample=true');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { message: 'This route does not accept the parameter "include_sample".' },
    });
  });

  it('is not held back while others write', async () => {
    const writer = await company.database.client('cf_owner');
    await writer.query("begin; set local app.account_id = '1'");
    await writer.query(
      "insert into ledger.platforms (key, name, category) values ('held', 'Held', 'finance')",
    );
    const owner = await company.database.client('cf_owner');
    await owner.query("update ledger.initiatives set title = 'Renamed' where account_id = 1 and id = 101");
    const { body } = await company.ask('/initiatives/101');
    await writer.query('rollback');
    expect(body).toMatchObject({ id: 101, title: 'Renamed' });
  });
});
