/** Names and ids of two accounts whose rows have the same ids: each row is found in its own account, as it is after the load. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { addCost, addInitiative, insert } from '../../support/ledger-rows.ts';
import { type Files, foundCompany, loadFiles, placedFaults } from '../load/folder.ts';

let database: TestDatabase;
let owner: Client;
/** The ids of two accounts, each with the initiatives 1 (Invoices) and 2 (Support), and one person with an address. */
let one = 1;
let two = 2;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());
beforeEach(async () => {
  [one, two] = [one + 2, two + 2];
  for (const id of [one, two]) {
    await foundCompany(owner, id);
    await owner.query(`insert into vault.user_emails values (${id}1, 'ada@${id}.example')`);
  }
});

const load = (files: Files, source?: string) =>
  loadFiles(database.url('cf_owner'), files, { mode: 'upsert', ...(source !== undefined && { source }) });
const file = (header: string, ...rows: readonly string[]): string => [header, ...rows, ''].join('\n');
const query = async (text: string): Promise<readonly unknown[]> =>
  (await owner.query({ text, rowMode: 'array' })).rows;
const COST = 'account_id,source_ref,initiative,amount,currency';
const INITIATIVES = 'account_id,id,title,stage';
const chargedInitiatives = () =>
  query(`select account_id::int, load_ref, initiative_id::int from ledger.cost_entries
    where account_id in (${one}, ${two}) order by 1, 2`);

it('one source_ref names a row in each account, and no new row takes an id that a writer gave', async () => {
  const [[next] = []] = (await query(`select last_value + 1 from ledger.initiatives_id_seq`)) as [bigint][];
  await addInitiative(owner, BigInt(two), { id: next, title: 'By hand' });
  const rows = [`${two},X,Second,live`, `${one},X,First,live`];
  const initiatives = { 'initiatives.csv': file('account_id,source_ref,title,stage', ...rows) };
  expect(await load(initiatives)).toMatchObject({ initiatives: { inserted: 2, updated: 0 } });
  expect(await load(initiatives)).toMatchObject({ initiatives: { inserted: 0, unchanged: 2 } });
  expect(
    await query(`select account_id::int, title from ledger.initiatives
      where account_id in (${one}, ${two}) and id > 2 order by 1, 2`),
  ).toEqual([
    [one, 'First'],
    [two, 'By hand'],
    [two, 'Second'],
  ]);
});

it('a row of one account hides no row of another account that has its id', async () => {
  await load({
    'initiatives.csv': file(INITIATIVES, `${one},1,Bills,live`),
    'cost_entries.csv': file(COST, `${two},c,Invoices,1.00,USD`, `${one},c,Bills,1.00,USD`),
  });
  expect(await chargedInitiatives()).toEqual([
    [one, 'c', 1],
    [two, 'c', 1],
  ]);
});

it('titles are those after the load: exchanged titles are found, and a title that was taken away is not', async () => {
  await load({
    'initiatives.csv': file(INITIATIVES, `${one},1,Support,live`, `${one},2,Invoices,live`),
    'cost_entries.csv': file(COST, `${one},c,Support,1.00,USD`),
  });
  expect(await chargedInitiatives()).toEqual([[one, 'c', 1]]);
  const renamed = {
    'initiatives.csv': file(INITIATIVES, `${one},1,Help desk,live`),
    'cost_entries.csv': file(COST, `${one},c,Support,1.00,USD`),
  };
  expect(await placedFaults(load(renamed))).toEqual([
    ['cost_entries.csv:2 initiative=Support', expect.stringContaining('exactly one initiative')],
  ]);
});

it('addresses and memberships are those after the load', async () => {
  const owned = (id: number, email: string) => ({
    'initiatives.csv': file(`${INITIATIVES},owner_email`, `${id},1,Invoices,live,${email}`),
  });
  const joined = file('account_id,id,user_id,role', `${one},9,${two}1,member`);
  await load({ ...owned(one, `ada@${two}.example`), 'memberships.csv': joined });
  expect(
    await query(`select owner_id::int from ledger.initiatives where account_id = ${one} and id = 1`),
  ).toEqual([[Number(`${two}1`)]]);
  const moved = { 'user_emails.csv': file('user_id,email', `${two}1,new@${two}.example`) };
  expect(await placedFaults(load({ ...moved, ...owned(two, `ada@${two}.example`) }))).toEqual([
    [`initiatives.csv:2 owner_email=ada@${two}.example`, expect.stringContaining('a person of the account')],
  ]);
  expect(await load({ ...moved, ...owned(two, `new@${two}.example`) })).toMatchObject({
    initiatives: { updated: 1 },
  });
});

const entry = (id: number): string => `${id},5,1,100,USD,approved,capacity,csv`;

it('an approval is recorded in the account of its file alone', async () => {
  const header = 'account_id,id,initiative_id,amount_cents,currency,status,entry_type,source_type';
  await load({ 'value_entries.csv': file(header, entry(two)) });
  await load({ 'value_entries.csv': file(`${header},approved_by`, `${entry(one)},ada@${one}.example`) });
  expect(
    await query(`select account_id::int, subject_id::int from ledger.approval_decisions
      where account_id in (${one}, ${two})`),
  ).toEqual([[one, 5]]);
});

it('a vendor gets the source_ref of a file of its own account', async () => {
  const account = (id: number) => ({ account_id: id, id: 1_000 + one });
  await insert(owner, 'ledger.vendors', { ...account(one), name: 'Initech' });
  await insert(owner, 'ledger.vendors', { ...account(two), name: 'Globex' });
  await load({ 'vendors.csv': file('account_id,source_ref,name', `${one},V-1,Initech`) });
  expect(
    await query(`select name, load_ref from ledger.vendors where account_id in (${one}, ${two}) order by 1`),
  ).toEqual([
    ['Globex', null],
    ['Initech', 'V-1'],
  ]);
});

it('rows of another account do not keep a row that its source no longer has', async () => {
  const header = 'account_id,source_ref,title,stage';
  const kept = `${one},K-1,Kept,live`;
  await load({ 'initiatives.csv': file(header, kept, `${one},K-2,Gone,live`) }, 'plan');
  const [[id] = []] = (await query(
    `select id from ledger.initiatives where account_id = ${one} and load_ref = 'K-2'`,
  )) as [bigint][];
  await addInitiative(owner, BigInt(two), { id });
  await addCost(owner, { account: BigInt(two), initiative: id ?? 0n, person: 0n });
  const complete = { mode: 'upsert', source: 'plan', complete: true } as const;
  expect(
    await loadFiles(database.url('cf_owner'), { 'initiatives.csv': file(header, kept) }, complete),
  ).toMatchObject({ initiatives: { deleted: 1, unchanged: 1 } });
});

it('a vendor that one source has named is not taken over by a file of another source', async () => {
  const globex = (ref: string): Files => ({
    'vendors.csv': file('account_id,source_ref,name', `${one},${ref},Globex`),
  });
  await load(globex('V-1'), 'erp');
  expect(await placedFaults(load(globex('V-9'), 'crm'))).toEqual([
    [
      `vendors.csv:2 account_id, name_key=${one}, globex`,
      expect.stringMatching(/^a value that no other row has; .* has it$/),
    ],
  ]);
  const named = await query(
    `select load_source, load_ref from ledger.vendors where account_id = ${one} and name = 'Globex'`,
  );
  expect(named).toEqual([['erp', 'V-1']]);
});

it('a source_ref in a reference names a row of its own file, account and source, or of an earlier load of the source', async () => {
  const header = 'account_id,source_ref,name,merged_into_ref';
  const merged = { 'vendors.csv': file(header, `${one},V-1,Globex Ltd,V-2`, `${one},V-2,Globex,`) };
  const ofTwo = { 'vendors.csv': file(header, `${two},V-1,Initech Ltd,V-2`, `${two},V-2,Initech,`) };
  expect(await load(merged, 'erp')).toMatchObject({ vendors: { inserted: 2 } });
  expect(await load(ofTwo, 'erp')).toMatchObject({ vendors: { inserted: 2 } });
  expect(await load(merged, 'erp')).toMatchObject({ vendors: { updated: 0, unchanged: 2 } });
  expect(await load({ 'vendors.csv': file(header, `${one},V-3,Globex Inc,V-2`) }, 'erp')).toMatchObject({
    vendors: { inserted: 1 },
  });
  expect(
    await query(`select v.account_id::int, v.name, s.name from ledger.vendors v
      join ledger.vendors s on (s.account_id, s.id) = (v.account_id, v.merged_into_id)
      where v.account_id in (${one}, ${two}) order by 1, 2`),
  ).toEqual([
    [one, 'Globex Inc', 'Globex'],
    [one, 'Globex Ltd', 'Globex'],
    [two, 'Initech Ltd', 'Initech'],
  ]);
  const foreign = { 'vendors.csv': file(header, `${one},V-9,Hooli,V-2`) };
  expect(await placedFaults(load(foreign, 'crm'))).toEqual([
    ['vendors.csv:2 merged_into_ref=V-2', expect.stringContaining('from the same source "crm"')],
  ]);
});
