/** One drawn ledger, written in every dialect and loaded, is the same ledger, row for row. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { load } from '../../src/ledger/load/load.ts';
import type { Chance } from '../chaos/chance.ts';
import { writeSelect } from '../ledger/sources/files.ts';
import { itInSweeps } from '../support/sweeps.ts';
import { type Written, selectOf, writeJson, writeText } from './dialects.ts';
import { type Cost, drawCosts } from './drawn-costs.ts';
import { drawnAccount, drawnLedgers, quickLedger } from './quick-ledger.ts';

const ledger = quickLedger();

const FORMS = ['csv', 'csv.gz', 'standard input', 'ndjson', 'parquet'] as const;
type Form = (typeof FORMS)[number];

/** The costs as the ledger should have them. */
const meant = (costs: readonly Cost[]) =>
  costs
    .map(({ ref, cents, currency, start, end, isEstimated, vendor, description, created }) =>
      JSON.stringify([
        ref,
        String(cents),
        currency,
        start,
        end,
        isEstimated,
        vendor,
        description,
        String(created),
      ]),
    )
    .toSorted();

const LOADED = `select json_build_array(load_ref, amount_cents::text, currency, period_start, period_end, is_estimated, vendor_name,
    description, (extract(epoch from created_at) * 1000000)::bigint::text) as row
  from ledger.cost_entries where account_id = $1`;

async function write(
  form: Form,
  costs: readonly Cost[],
  chance: Chance,
  isWestern: boolean,
): Promise<Written> {
  if (form === 'ndjson') return writeJson(costs, chance);
  if (form !== 'parquet') return writeText(costs, chance, { isWestern, isPacked: form === 'csv.gz' });
  const { dialect, select } = selectOf(costs, chance);
  await writeSelect(join(ledger().folder, 'cost_entries.parquet'), select);
  return { dialect, bytes: Buffer.alloc(0), request: {} };
}

/** Loads the costs in a dialect of the form into a new account; returns what the ledger has there. */
async function loaded(form: Form, costs: readonly Cost[], chance: Chance, isWestern: boolean) {
  const { folder, owner, url } = ledger();
  const account = await drawnAccount(ledger());
  const { bytes, dialect, request } = await write(form, costs, chance, isWestern);
  const path = join(folder, `cost_entries.${form}`);
  const isFile = form !== 'standard input';
  if (isFile && form !== 'parquet') await writeFile(path, bytes);
  const asked = {
    ...request,
    stdin: Readable.from([bytes]),
    paths: [isFile ? path : '-'],
    table: 'cost_entries',
  };
  await load({ ...asked, url, account, mode: 'upsert' });
  const { rows } = await owner.query<{ row: unknown[] }>(LOADED, [account]);
  return { dialect, rows: rows.map(({ row }) => JSON.stringify(row)).toSorted() };
}

/** What the ledger has of a drawn ledger that is written in the form, beside what was meant. */
const drawnIn = (form: Form) => async (chance: Chance) => {
  const isWestern = chance.happens(0.5);
  const costs = drawCosts(chance, isWestern);
  const { dialect, rows } = await loaded(form, costs, chance, isWestern);
  return { found: { dialect, rows }, right: { dialect, rows: meant(costs) } };
};

it.each(FORMS)('a ledger that is written as %s is the same ledger', async (form) => {
  for (const { found, right } of await drawnLedgers([1, 3], drawnIn(form))) expect(found).toEqual(right);
});

itInSweeps.each(FORMS)('thirty ledgers that are written as %s are the same ledgers', async (form) => {
  for (const { found, right } of await drawnLedgers([101, 130], drawnIn(form))) expect(found).toEqual(right);
});
