/** What is blank: one rule for people's files, for the ledger's checks and for names of vendors. */
import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { isBlank } from '../../src/ledger/sources/whole-rows.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { addCost, type Founded, foundAccount, inAccount } from '../support/ledger-rows.ts';

const MIGRATION = new URL('../../schema/ledger/0050-one-rule-for-blanks.sql', import.meta.url);
const LAST_CHARACTER = 0x10_ff_ff;
/** The first and the last of those that PostgreSQL does not count as blank. */
const BLANKS = ['\u00a0', '\ufeff', ' \u2003\t'];

let database: TestDatabase;
let owner: Client;
let writer: Client;
let home: Founded;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  writer = await database.client('cf_writer');
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
});

const write = <Result>(work: () => Promise<Result>): Promise<Result> => inAccount(writer, home.account, work);

async function vendorOf(id: bigint) {
  const { rows } = await owner.query<{ vendor_name: string | null; vendor_id: bigint | null }>(
    'select vendor_name, vendor_id from ledger.cost_entries where id = $1',
    [id],
  );
  return rows[0];
}

it('the ledger and the files of people have the same blank characters', async () => {
  const { rows } = await owner.query<{ code: number }>(
    `select code from generate_series(1, $1::integer) as code
     where code not between 55296 and 57343 and service.trimmed(chr(code)) = ''`,
    [LAST_CHARACTER],
  );
  const blank: number[] = [];
  for (let code = 1; code <= LAST_CHARACTER; code += 1) {
    if (isBlank(String.fromCodePoint(code))) blank.push(code);
  }
  expect(rows.map(({ code }) => code)).toEqual(blank);
  expect(blank.length).toBe(25);
});

it('every check of a text that must not be blank has the one rule', async () => {
  const { rows } = await owner.query<{ rule: string; count: number }>(
    `select regexp_replace(pg_get_constraintdef(oid), '\\w+(?=\\) <>)', '…') as rule, count(*)::integer as count
     from pg_constraint where contype = 'c' and pg_get_constraintdef(oid) ~ '(trim|trimmed|name_key)\\('
     group by rule`,
  );
  expect(rows.map(({ rule }) => rule)).toEqual(["CHECK ((service.trimmed(…) <> ''::text))"]);
  expect(rows[0]?.count).toBeGreaterThan(30);
});

it('a blank name names no vendor, and goes out as no name', async () => {
  for (const name of BLANKS) {
    expect(await vendorOf(await write(() => addCost(writer, home, { vendor_name: name })))).toEqual({
      vendor_name: null,
      vendor_id: null,
    });
    await expect(
      write(() =>
        writer.query('insert into ledger.vendors (account_id, name) values ($1, $2)', [home.account, name]),
      ),
    ).rejects.toThrow('vendors_name_check');
  }
  expect(
    (await vendorOf(await write(() => addCost(writer, home, { vendor_name: 'Acme' }))))?.vendor_name,
  ).toBe('Acme');
});

it('a name with a blank of any kind at its end names a vendor', async () => {
  for (const blank of BLANKS) {
    const vendor_name = `Ends with it${blank}`;
    const vendor = await vendorOf(await write(() => addCost(writer, home, { vendor_name })));
    expect(vendor).toEqual({ vendor_name, vendor_id: expect.any(BigInt) });
  }
});

it('the ledger refuses a blank optional text', async () => {
  for (const cost_type of BLANKS) {
    await expect(write(() => addCost(writer, home, { cost_type }))).rejects.toThrow(
      'cost_entries_cost_type_check',
    );
  }
});

it('the migration empties blank texts of an earlier version, and leaves those that may not be empty', async () => {
  const cost = await write(() => addCost(writer, home, { vendor_name: 'Acme', cost_type: 'software' }));
  const before = await owner.query('select updated_at from ledger.cost_entries where id = $1', [cost]);
  const migration = await readFile(MIGRATION, 'utf8');
  const block = /do \$\$.*?end \$\$;/s.exec(migration)?.[0] ?? '';
  await owner.query('begin');
  try {
    await owner.query(`
      alter table ledger.cost_entries drop constraint cost_entries_cost_type_check,
        add constraint cost_entries_cost_type_check check (btrim(cost_type) <> '');
      alter table ledger.initiatives drop constraint initiatives_title_check,
        add constraint initiatives_title_check check (btrim(title) <> '');
      alter table ledger.cost_entries disable trigger user`);
    await owner.query(
      "update ledger.cost_entries set cost_type = '\u00a0', vendor_name = '\u2003' where id = $1",
      [cost],
    );
    await owner.query("update ledger.initiatives set title = '\u00a0' where id = $1", [home.initiative]);
    await owner.query('alter table ledger.cost_entries enable trigger user');
    await owner.query(block);
    const { rows } = await owner.query(
      `select c.cost_type, c.vendor_name, c.vendor_id, i.title, c.updated_at, r.convalidated as held
       from ledger.cost_entries c
       join ledger.initiatives i on i.id = c.initiative_id
       join pg_constraint r on r.conname = 'initiatives_title_check'
       where c.id = $1`,
      [cost],
    );
    expect(rows).toEqual([
      {
        cost_type: null,
        vendor_name: null,
        vendor_id: null,
        title: '\u00a0',
        updated_at: before.rows[0]?.updated_at,
        held: false,
      },
    ]);
  } finally {
    await owner.query('rollback');
  }
});
