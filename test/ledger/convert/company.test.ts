/** The fixture companies carry the rates that the rules give: converting them is the whole rule held to every row. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convert, type Conversion } from '../../../src/ledger/convert/convert.ts';
import { CONVERTED_TABLES } from '../../../src/ledger/convert/converted-tables.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

const TODAY = '2026-07-15';

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

const run = (client = owner): Promise<Conversion> =>
  convert(client, { today: TODAY, signal: new AbortController().signal });

/** Every row of every converted table, change times included. */
async function rows(): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const { name } of CONVERTED_TABLES) {
    const read = await owner.query(
      `select t.*, t.xmin::text as written_by from ledger.${name} t order by account_id, id`,
    );
    found.push(...read.rows.map((row: object) => ({ table: name, ...row })));
  }
  return found;
}

describe('converting the fixture companies', () => {
  it('changes no row: each has the rate that the sample of rates gives it', async () => {
    const before = await rows();
    const { accounts } = await run();
    expect(accounts.map(({ account_id }) => account_id)).toEqual([1n, 2n, 3n]);
    expect(accounts.flatMap(({ currencies }) => currencies).filter(({ written }) => written > 0)).toEqual([]);
    expect(await rows()).toEqual(before);
  });

  it('with nothing to do only reads: it succeeds in a session that may write nothing', async () => {
    const reading = await database.client('cf_owner');
    await reading.query('set default_transaction_read_only = on');
    await expect(reading.query("update ledger.accounts set name = 'x'")).rejects.toMatchObject({
      code: '25006',
    });
    expect((await run(reading)).accounts).toHaveLength(3);
  });
});
