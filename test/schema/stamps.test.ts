import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Founded, addInitiative, foundAccount } from '../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let home: Founded;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
});

async function stampOf(table: string, id: bigint): Promise<bigint> {
  const { rows } = await owner.query<{ updated_at: bigint }>(
    `select updated_at from ledger.${table} where id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${table} ${id} is not there`);
  return row.updated_at;
}

describe('a stamp', () => {
  it('does not move when a row only gets or changes the name that files give it', async () => {
    const id = await addInitiative(owner, home.account);
    const before = await stampOf('initiatives', id);
    for (const ref of ["'INV-1'", "'INV-2'"]) {
      await owner.query(
        `update ledger.initiatives set load_source = 'file', load_ref = ${ref} where id = $1`,
        [id],
      );
    }
    expect(await stampOf('initiatives', id)).toBe(before);
    await owner.query(`update ledger.initiatives set load_ref = 'INV-3', title = 'Renamed' where id = $1`, [
      id,
    ]);
    const renamed = await stampOf('initiatives', id);
    expect(renamed).toBeGreaterThan(before);
    await owner.query('update ledger.initiatives set updated_at = updated_at where id = $1', [id]);
    expect(await stampOf('initiatives', id)).toBeGreaterThan(renamed);
  });

  it('is the clock when the row was written, not the start of its transaction', async () => {
    await owner.query('begin');
    const { rows } = await owner.query<{ began: bigint; passed: boolean }>(
      `select transaction_timestamp() as began, clock_timestamp() > transaction_timestamp() as passed`,
    );
    const first = await addInitiative(owner, home.account);
    const second = await addInitiative(owner, home.account);
    await owner.query('commit');
    const [start] = rows;
    expect(start?.passed).toBe(true);
    expect(await stampOf('initiatives', first)).toBeGreaterThan(start?.began ?? 0n);
    expect(await stampOf('initiatives', second)).toBeGreaterThan(await stampOf('initiatives', first));
  });

  it('is not the writer’s to choose', async () => {
    const id = await addInitiative(owner, home.account, { updated_at: '2001-01-01Z' });
    const { rows } = await owner.query<{ created: bigint }>(
      'select created_at as created from ledger.accounts where id = $1',
      [home.account],
    );
    expect(await stampOf('initiatives', id)).toBeGreaterThan(rows[0]?.created ?? 0n);
    const before = await stampOf('initiatives', id);
    await owner.query("update ledger.initiatives set updated_at = '2001-01-01Z' where id = $1", [id]);
    expect(await stampOf('initiatives', id)).toBeGreaterThan(before);
  });

  it('is on every table that has one, as the last word before a row is written', async () => {
    const { rows } = await owner.query<{ relation: string; last: string | null }>(
      `select c.relname as relation,
         (select tgname from pg_trigger t
          where t.tgrelid = c.oid and not t.tgisinternal and t.tgtype & 3 = 3 and t.tgtype & 20 > 0
          order by tgname collate "C" desc limit 1) as last
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'updated_at'
       where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r' order by 1`,
    );
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => !/^zz_stamp(_kept)?$/.test(row.last ?? ''))).toEqual([]);
  });
});
