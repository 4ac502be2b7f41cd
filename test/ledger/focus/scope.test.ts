/** What a load of bills reads and writes: the rows of its account, of the bills of its files, and the initiatives that they name. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FocusRequest, type LoadedFocus, loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, addCost, foundAccount, lockMonth } from '../../support/ledger-rows.ts';
import { type Charge, charges, csv } from './bills.ts';

let database: TestDatabase;
let owner: Client;
let folder: string;
/** Accounts with the initiative Invoices; the middle one loads, beside an older and a newer one. */
let [older, home, newer]: Founded[] = [];
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-scope-'));
  [older, home, newer] = [await foundAccount(owner), await foundAccount(owner), await foundAccount(owner)];
  return () => rm(folder, { recursive: true });
});

async function loadBill(rows: readonly Charge[], request: Partial<FocusRequest> = {}): Promise<LoadedFocus> {
  const path = join(folder, 'bill.csv');
  await writeFile(path, csv(charges(...rows)));
  return await loadFocus({
    url: database.url('cf_owner'),
    paths: [path],
    account: home?.account ?? 0n,
    isOwnSnapshot: async () => await Promise.resolve(false),
    ...request,
  });
}

async function mapped(rows: readonly Charge[], mapping: string): Promise<LoadedFocus> {
  const map = join(folder, 'mapping.yml');
  await writeFile(map, mapping);
  return await loadBill(rows, { map });
}

async function query(columns: string): Promise<readonly unknown[]> {
  const { rows } = await owner.query({
    text: `select ${columns} where account_id = $1 order by 1`,
    values: [home?.account],
    rowMode: 'array',
  });
  return rows;
}

const ENTRIES = `to_char(booked_month, 'YYYY-MM'), amount_cents::int, ai_amount_cents::int from ledger.cost_entries`;
const tagged = (BilledCost: string, more: Charge = {}): Charge => ({
  BilledCost,
  Tags: '{"initiative":"Invoices"}',
  ...more,
});
const NOVEMBER = { BillingPeriodStart: '2026-11-01T00:00:00Z', BillingPeriodEnd: '2026-12-01T00:00:00Z' };

it('only the locked months of the account itself hold back its bills', async () => {
  for (const other of [older, newer]) await lockMonth(owner, other?.account ?? 0n, '2026-10-01');
  await loadBill([tagged('10')]);
  expect(await query(ENTRIES)).toEqual([['2026-10', 1000, 1000]]);
});

it('an entry of another account stays that has the id of a replaced one', async () => {
  await loadBill([tagged('10')]);
  const [[id] = []] = (await query('id from ledger.cost_entries')) as readonly [bigint][];
  for (const other of [older, newer]) if (other !== undefined) await addCost(owner, other, { id });
  await loadBill([{ BilledCost: '10' }]);
  expect(await query('id from ledger.cost_entries')).toEqual([]);
  const { rowCount } = await owner.query('select from ledger.cost_entries where id = $1', [id]);
  expect(rowCount).toBe(2);
});

it('the shares and entries of bills that are not in the files stay', async () => {
  await loadBill([tagged('10'), tagged('4', NOVEMBER)]);
  await loadBill([tagged('2', NOVEMBER), { ...NOVEMBER, BilledCost: '2' }]);
  expect(await query(ENTRIES)).toEqual([
    ['2026-10', 1000, 1000],
    ['2026-11', 200, 200],
  ]);
  expect(await query('share::text from ledger.bill_shares')).toEqual([['0.50000000'], ['1.00000000']]);
});

it('two providers with one id of a billing account are two connections, each with its bills', async () => {
  const providers = ['Acme AI', 'Acme Cloud', 'Acme'];
  await loadBill(providers.map((ProviderName) => tagged('1', { ProviderName })));
  expect(await query('name from ledger.connections')).toEqual([
    ['Acme AI Main'],
    ['Acme Cloud Main'],
    ['Acme Main'],
  ]);
});

it('a correction of a locked month is booked also where only its part of AI changes', async () => {
  await loadBill([tagged('10')]);
  await lockMonth(owner, home?.account ?? 0n, '2026-10-01');
  await loadBill([tagged('6'), tagged('4', { ServiceCategory: 'Compute' })]);
  const corrected = [
    ['2026-10', 1000, 1000],
    ['2026-11', 0, -400],
  ];
  expect(await query(ENTRIES)).toEqual(corrected);
  await loadBill([tagged('6'), tagged('4', { ServiceCategory: 'Compute' })]);
  expect(await query(ENTRIES)).toEqual(corrected);
});

const OWN = '20261101T000000Z';
const isOwnSnapshot = async (id: string): Promise<boolean> => await Promise.resolve(id === OWN);

it('an export of the account itself is refused, whichever of the snapshots in the files it is', async () => {
  const account = `crossfoot-account-${home?.account}`;
  const rows = [
    { x_SnapshotId: '20261001T000000Z', BillingAccountId: `crossfoot-account-${older?.account}` },
    { x_SnapshotId: OWN, BillingAccountId: account },
  ];
  await expect(loadBill(rows, { isOwnSnapshot })).rejects.toThrow(
    `an export of account ${home?.account} itself, its snapshot ${OWN}`,
  );
});

it('an initiative of the mapping that several have is refused, and a tag with that title claims nothing', async () => {
  await owner.query(
    `insert into ledger.initiatives (account_id, title, stage) values ($1, 'INVOICES', 'live')`,
    [home?.account],
  );
  const mapping = 'rules:\n- { when: { ProviderName: Acme AI }, initiative: Invoices }\n';
  await expect(mapped([{}], mapping)).rejects.toThrow('"Invoices", and the account has 2 of that title');
  await loadBill([tagged('10')]);
  expect(await query(ENTRIES)).toEqual([]);
});

it('charges of one initiative and two cost types are booked under each type', async () => {
  const mapping = `rules:
- { when: { ServiceName: Models }, initiative: Invoices, cost_type: tokens }
- { when: { ServiceName: Seats }, initiative: Invoices, cost_type: seats }
`;
  await mapped([{ BilledCost: '3' }, { BilledCost: '2', ServiceName: 'Seats' }], mapping);
  expect(await query('cost_type, amount_cents::int from ledger.cost_entries')).toEqual([
    ['seats', 200],
    ['tokens', 300],
  ]);
});
