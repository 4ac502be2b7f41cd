/** One drawn bill, written in every dialect and loaded, makes the same rows, and adds up to the cent. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadFocus } from '../../src/ledger/focus/load-focus.ts';
import { divideRounded } from '../../src/figures/cents.ts';
import { type Chance, chanceOf } from '../chaos/chance.ts';
import { type Charge, csv, writeParquet } from '../ledger/focus/bills.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { addInitiative, foundAccount } from '../support/ledger-rows.ts';
import { quickFolder } from '../support/quick-folder.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { billAsJson, billAsText, billedOf, drawBill, drawTypes } from './drawn-bills.ts';

let database: TestDatabase;
let owner: Client;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  folder = await mkdtemp(join(quickFolder(), 'crossfoot-bills-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const FORMS = ['csv', 'csv.gz', 'ndjson', 'parquet'] as const;
type Form = (typeof FORMS)[number];

const ROWS = `select json_build_array('bill', n.name, n.external_account_id, n.external_account_name, b.month, b.amount_cents, b.ai_amount_cents, b.currency)::text as row
    from ledger.provider_bills b join ledger.connections n on n.account_id = b.account_id and n.id = b.connection_id where b.account_id = $1
  union all select json_build_array('cost', i.title, c.booked_month, c.amount_cents, c.ai_amount_cents, c.currency, c.period_start, c.period_end)::text
    from ledger.cost_entries c join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id where c.account_id = $1
  order by 1`;
const CENTS = `select to_char(month, 'YYYY-MM') as month, sum(amount_cents)::bigint as cents from ledger.provider_bills where account_id = $1 group by 1 order by 1`;

/** Loads a file into a new account. */
async function loaded(path: string) {
  const { account } = await foundAccount(owner);
  await addInitiative(owner, account, { title: 'Mail' });
  const request = { url: database.url('cf_owner'), account, paths: [path] };
  await loadFocus({ ...request, isOwnSnapshot: async () => await Promise.resolve(false) });
  const { rows } = await owner.query<{ row: string }>(ROWS, [account]);
  const months = await owner.query<{ month: string; cents: bigint }>(CENTS, [account]);
  return {
    rows: rows.map(({ row }) => row),
    cents: months.rows.map(({ month, cents }) => [month, cents]),
  };
}

async function write(form: Form, bill: readonly Charge[], chance: Chance): Promise<string> {
  const path = join(folder, `bill.${form}`);
  if (form === 'parquet') {
    const types = drawTypes(chance);
    await writeParquet(path, bill, types);
    return path;
  }
  const bytes = form === 'ndjson' ? billAsJson(bill, chance) : billAsText(bill, chance);
  await writeFile(path, form === 'csv.gz' ? gzipSync(bytes) : bytes);
  return path;
}

async function drawnBills(form: Form, from: number, through: number) {
  const bills = [];
  for (let seed = from; seed <= through; seed += 1) {
    const chance = chanceOf(seed);
    const bill = drawBill(chance);
    const plain = join(folder, 'plain.csv');
    await writeFile(plain, csv(bill));
    // The amounts have three decimals; a month is rounded once.
    const cents = [...billedOf(bill)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, thousandths]) => [month, divideRounded(thousandths, 10n)]);
    const { rows } = await loaded(plain);
    bills.push({ seed, found: await loaded(await write(form, bill, chance)), right: { rows, cents } });
  }
  return bills;
}

it.each(FORMS)('a bill that is written as %s is the same bill', async (form) => {
  for (const { seed, found, right } of await drawnBills(form, 1, 1))
    expect({ seed, ...found }).toEqual({ seed, ...right });
});

itInSweeps.each(FORMS)('ten bills that are written as %s are the same bills', async (form) => {
  for (const { seed, found, right } of await drawnBills(form, 101, 110))
    expect({ seed, ...found }).toEqual({ seed, ...right });
});
