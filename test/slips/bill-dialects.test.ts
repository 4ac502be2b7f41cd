/** One drawn bill, written in every dialect and loaded, makes the same rows, and adds up to the cent. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { loadFocus } from '../../src/ledger/focus/load-focus.ts';
import { divideRounded } from '../../src/figures/cents.ts';
import type { Chance } from '../chaos/chance.ts';
import { type Charge, csv, writeParquet } from '../ledger/focus/bills.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { billAsJson, billAsText, billedOf, drawBill, drawTypes } from './drawn-bills.ts';
import { drawnAccount, drawnLedgers, quickLedger } from './quick-ledger.ts';

const ledger = quickLedger();

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
  const { owner, url } = ledger();
  const account = await drawnAccount(ledger());
  const request = { url, account, paths: [path] };
  await loadFocus({ ...request, isOwnSnapshot: async () => await Promise.resolve(false) });
  const { rows } = await owner.query<{ row: string }>(ROWS, [account]);
  const months = await owner.query<{ month: string; cents: bigint }>(CENTS, [account]);
  return {
    rows: rows.map(({ row }) => row),
    cents: months.rows.map(({ month, cents }) => [month, cents]),
  };
}

async function write(form: Form, bill: readonly Charge[], chance: Chance): Promise<string> {
  const path = join(ledger().folder, `bill.${form}`);
  if (form === 'parquet') {
    const types = drawTypes(chance);
    await writeParquet(path, bill, types);
    return path;
  }
  const bytes = form === 'ndjson' ? billAsJson(bill, chance) : billAsText(bill, chance);
  await writeFile(path, form === 'csv.gz' ? gzipSync(bytes) : bytes);
  return path;
}

/** What the ledger has of a drawn bill that is written in the form, beside what it has of the plainest file. */
const drawnIn = (form: Form) => async (chance: Chance) => {
  const bill = drawBill(chance);
  const plain = join(ledger().folder, 'plain.csv');
  await writeFile(plain, csv(bill));
  // The amounts have three decimals; a month is rounded once.
  const cents = [...billedOf(bill)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, thousandths]) => [month, divideRounded(thousandths, 10n)]);
  const { rows } = await loaded(plain);
  return { found: await loaded(await write(form, bill, chance)), right: { rows, cents } };
};

it.each(FORMS)('a bill that is written as %s is the same bill', async (form) => {
  for (const { found, right } of await drawnLedgers([1, 1], drawnIn(form))) expect(found).toEqual(right);
});

itInSweeps.each(FORMS)('ten bills that are written as %s are the same bills', async (form) => {
  for (const { found, right } of await drawnLedgers([101, 110], drawnIn(form))) expect(found).toEqual(right);
});
