/**
 * Imports a file of reference rates into the ledger. Published rates do not change. A file that changes or omits one is
 * refused as a whole, because then no rate in it can be trusted.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readStatement } from '../../database/columns.ts';
import { copyLines } from '../../database/copy-text.ts';
import { CrossfootError } from '../../errors.ts';
import { type DayRate, type ImplausibleRate, implausibleRates, JUDGED_BY } from './plausible-rates.ts';

/** The days and currencies that a file covers, and its rates; days are YYYY-MM-DD, units are decimals. */
export interface RatesToImport {
  readonly currencies: readonly string[];
  readonly first: string;
  readonly last: string;
  readonly rates: readonly DayRate[];
}

/** A rate of the ledger that the file changes or omits. */
export interface ChangedRate {
  readonly day: string;
  readonly currency: string;
  readonly published: string;
  readonly found: string | null;
}

export interface ImportedRates {
  readonly added: number;
  readonly unchanged: number;
  /** Empty unless the import ran with `revise`; a sample's rates are not among them. */
  readonly revised: readonly ChangedRate[];
}

/** Enough examples to see which source is wrong. */
const MAX_REPORTED_RATES = 100;

const CHANGED = `
  select p.day, p.currency::text, p.units_per_euro::text as published, r.units_per_euro::text as found
  from ledger.euro_reference_rates p
  left join pg_temp.read_rates r on r.currency = p.currency and r.day = p.day
  where p.currency = any($1) and p.day between $2 and $3 and r.units_per_euro is distinct from p.units_per_euro
  order by p.day, p.currency`;
const CHANGED_COLUMNS = { day: 'date', currency: 'text', published: 'text', found: 'text?' } as const;

const BEFORE = `
  select r.day, r.currency::text, r.units_per_euro::text
  from unnest($1::text[]) as named (currency)
  cross join lateral (
    select p.day, p.currency, p.units_per_euro from ledger.euro_reference_rates p
    where p.currency = named.currency and p.day < $2 order by p.day desc limit $3
  ) r`;
const UNSTORED = `
  select r.day, r.currency from pg_temp.read_rates r
  where not exists (
    select from ledger.euro_reference_rates p
    where p.currency = r.currency and p.day = r.day and p.units_per_euro = r.units_per_euro)`;
const RATE_COLUMNS = { day: 'date', currency: 'text', units_per_euro: 'text' } as const;

/** A rate that a person has checked: it is imported although it is far from the days before. */
export type AcceptedRate = Pick<DayRate, 'day' | 'currency'>;

export interface ImportChoices {
  /** Replace stored rates that differ from the file, and delete those that it omits. */
  readonly revise: boolean;
  readonly accepted?: readonly AcceptedRate[];
  /** Stored rates that were never published: the file may change and omit them. */
  readonly sample?: readonly DayRate[];
}

/** Adds new rates, in one transaction. With `revise`, it also replaces and deletes rates that the file changes or omits. */
export async function importRates(
  owner: Client,
  read: RatesToImport,
  { revise, accepted = [], sample = [] }: ImportChoices,
): Promise<ImportedRates> {
  await owner.query('begin');
  try {
    // Another import waits here until this one ends; readers do not wait.
    await owner.query('lock table ledger.euro_reference_rates in share row exclusive mode');
    await refuseUnknownCurrencies(owner, read);
    await stage(owner, read);
    const values = [read.currencies, read.first, read.last];
    const statement = { name: 'changed rates', text: CHANGED, values, columns: CHANGED_COLUMNS };
    const changed: readonly ChangedRate[] = await readStatement(owner, statement);
    const published = withoutSample(changed, sample);
    if (published.length > 0 && !revise) throw contradicted(published);
    await refuseImplausible(owner, read, accepted);
    if (changed.length > 0) await reviseRates(owner, read);
    const inserted = await owner.query(`
      insert into ledger.euro_reference_rates (day, currency, units_per_euro)
      select day, currency, units_per_euro from pg_temp.read_rates
      on conflict do nothing`);
    const added = inserted.rowCount ?? 0;
    await owner.query('commit');
    const replaced = changed.filter(({ found }) => found !== null).length;
    return { added, unchanged: read.rates.length - added - replaced, revised: published };
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

function withoutSample(changed: readonly ChangedRate[], sample: readonly DayRate[]): readonly ChangedRate[] {
  const units = new Map(sample.map((rate) => [keyOf(rate), tenDecimals(rate.units_per_euro)]));
  return changed.filter((rate) => units.get(keyOf(rate)) !== tenDecimals(rate.published));
}

function tenDecimals(units: string): string {
  const [integer = '', decimals = ''] = units.split('.');
  return `${integer}.${decimals.padEnd(10, '0')}`;
}

/** Throws if the header names a currency that the ledger does not know. */
async function refuseUnknownCurrencies(owner: Client, { currencies }: RatesToImport): Promise<void> {
  const rows = await readStatement(owner, {
    name: 'currencies',
    text: `select currency from unnest($1::text[]) with ordinality as named (currency, place)
      where not pg_input_is_valid(currency, 'ledger.currency') order by place`,
    values: [currencies],
    columns: { currency: 'text' },
  });
  if (rows.length === 0) return;
  const names = rows.map(({ currency }) => currency).join(', ');
  throw new CrossfootError(
    'rates_rejected',
    `The header of the file of rates names ${names}, expected ISO 4217 currency codes; nothing was imported.`,
    {
      hint: 'Remove these columns and import again.',
      data: {
        faults: rows.map(({ currency }) => ({
          line: 1,
          column: currency,
          value: currency,
          expected: 'an ISO 4217 currency code',
        })),
      },
    },
  );
}

/** Throws if a new or changed rate is far from the days before it. A stored rate was accepted or was never judged. */
async function refuseImplausible(
  owner: Client,
  { currencies, first, rates }: RatesToImport,
  accepted: readonly AcceptedRate[],
): Promise<void> {
  const absent = accepted.find((named) => !rates.some((rate) => keyOf(rate) === keyOf(named)));
  if (absent !== undefined) {
    throw new CrossfootError(
      'usage_invalid',
      `--accept-rate names ${absent.currency} of ${absent.day}, and the file has no such rate; nothing was imported.`,
      { hint: 'Name a currency and a day of the file, such as USD=2026-11-20.' },
    );
  }
  const unstored = await readStatement(owner, {
    name: 'unstored rates',
    text: UNSTORED,
    values: [],
    columns: { day: 'date', currency: 'text' },
  });
  if (unstored.length === 0) return;
  const judged = new Set(unstored.map(keyOf));
  for (const named of accepted) judged.delete(keyOf(named));
  const values = [currencies, first, JUDGED_BY];
  const before = await readStatement(owner, {
    name: 'rates before',
    text: BEFORE,
    values,
    columns: RATE_COLUMNS,
  });
  const far = implausibleRates(rates, before, (rate) => judged.has(keyOf(rate)));
  if (far.length > 0) throw implausible(far);
}

function keyOf({ day, currency }: AcceptedRate): string {
  return `${day} ${currency}`;
}

function implausible(rates: readonly ImplausibleRate[]): CrossfootError {
  const [
    { day, currency, units_per_euro, median } = { day: '', currency: '', units_per_euro: '', median: '' },
  ] = rates;
  const count = `${rates.length} ${rates.length === 1 ? 'rate' : 'rates'}`;
  return new CrossfootError(
    'rates_implausible',
    `The file has ${count} far from the days before. ${currency} of ${day} is ${units_per_euro} for a euro, expected about ${median}, the median of ${JUDGED_BY} published days; nothing was imported.`,
    {
      hint: `Compare with the source. If the rate is right, import with --accept-rate ${currency}=${day}.`,
      data: { implausible: rates.slice(0, MAX_REPORTED_RATES), count: rates.length },
    },
  );
}

async function stage(owner: Client, { rates }: RatesToImport): Promise<void> {
  await owner.query(
    `create temp table read_rates (day date, currency text, units_per_euro numeric(20, 10)) on commit drop`,
  );
  const copy = owner.query(copyFrom('copy pg_temp.read_rates from stdin'));
  const rows = rates.map(({ day, currency, units_per_euro }) => [day, currency, units_per_euro]);
  await pipeline(Readable.from(copyLines(rows)), copy);
  await owner.query('analyze pg_temp.read_rates');
}

async function reviseRates(owner: Client, { currencies, first, last }: RatesToImport): Promise<void> {
  await owner.query(`
    update ledger.euro_reference_rates p set units_per_euro = r.units_per_euro
    from pg_temp.read_rates r
    where r.currency = p.currency and r.day = p.day and r.units_per_euro <> p.units_per_euro`);
  const deleteGone = `
    delete from ledger.euro_reference_rates p
    where p.currency = any($1) and p.day between $2 and $3
      and not exists (select from pg_temp.read_rates r where r.currency = p.currency and r.day = p.day)`;
  await owner.query(deleteGone, [currencies, first, last]);
}

function contradicted(changed: readonly ChangedRate[]): CrossfootError {
  const [{ day, currency, published, found } = { day: '', currency: '', published: '', found: null }] =
    changed;
  const count = `${changed.length} published ${changed.length === 1 ? 'rate' : 'rates'}`;
  const first = `${currency} of ${day} is ${published}, the file has ${found ?? 'none'}`;
  return new CrossfootError(
    'rates_changed',
    `The file contradicts ${count}, the first: ${first}; nothing was imported.`,
    {
      hint: 'Compare with the source. If the source revised its rates, import with --revise: open months change, locked months do not.',
      data: { changed: changed.slice(0, MAX_REPORTED_RATES), count: changed.length },
    },
  );
}
