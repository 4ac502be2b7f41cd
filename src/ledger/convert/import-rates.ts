/**
 * Imports a file of reference rates into the ledger. Published rates do not change. A file that changes or omits one is
 * refused as a whole, because none of its rates can be trusted.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readStatement } from '../../database/columns.ts';
import { anyOf, countRows, db, readRows } from '../../database/query.ts';
import { CrossfootError } from '../../errors.ts';

/** The days and currencies that a file covers, and its rates; days are YYYY-MM-DD, units are decimals. */
export interface RatesToImport {
  readonly currencies: readonly string[];
  readonly first: string;
  readonly last: string;
  readonly rates: readonly {
    readonly day: string;
    readonly currency: string;
    readonly units_per_euro: string;
  }[];
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
  /** Empty unless the import ran with `revise`. */
  readonly revised: readonly ChangedRate[];
}

/** Enough examples to see which source is wrong. */
const MAX_REPORTED = 100;

// With messages of 1 MiB, a history of 250,000 rates takes only a few messages.
const COPY_CHARACTERS = 1024 * 1024;

const READ_RATES = sql<{ day: string; currency: string; units_per_euro: string }>`pg_temp.read_rates`.as<'r'>(
  sql`r`,
);

function changedRates({ currencies, first, last }: RatesToImport) {
  return db
    .selectFrom('ledger.euro_reference_rates as p')
    .leftJoin(READ_RATES, (join) => join.onRef('r.currency', '=', 'p.currency').onRef('r.day', '=', 'p.day'))
    .select((eb) => [
      'p.day',
      'p.currency',
      eb.cast<string>('p.units_per_euro', 'text').as('published'),
      eb.cast<string | null>('r.units_per_euro', 'text').as('found'),
    ])
    .where('p.currency', '=', anyOf(currencies, 'text'))
    .where('p.day', '>=', first)
    .where('p.day', '<=', last)
    .whereRef('r.units_per_euro', 'is distinct from', 'p.units_per_euro')
    .orderBy('p.day')
    .orderBy('p.currency');
}

/** Adds new rates, in one transaction. With `revise`, it also replaces and deletes rates that the file changes or omits. */
export async function importRates(
  owner: Client,
  read: RatesToImport,
  { revise }: { readonly revise: boolean },
): Promise<ImportedRates> {
  await owner.query('begin');
  try {
    // Another import waits here, and then finds these rates; readers do not.
    await owner.query('lock table ledger.euro_reference_rates in share row exclusive mode');
    await refuseUnknownCurrencies(owner, read);
    await stage(owner, read);
    const changed: readonly ChangedRate[] = await readRows(owner, changedRates(read));
    if (changed.length > 0 && !revise) throw contradicted(changed);
    if (changed.length > 0) await reviseRates(owner, read);
    const insert = db
      .insertInto('ledger.euro_reference_rates')
      .columns(['day', 'currency', 'units_per_euro'])
      .expression((eb) => eb.selectFrom(READ_RATES).select(['day', 'currency', 'units_per_euro']))
      .onConflict((conflict) => conflict.doNothing());
    const added = await countRows(owner, insert);
    await owner.query('commit');
    const replaced = changed.filter(({ found }) => found !== null).length;
    return { added, unchanged: read.rates.length - added - replaced, revised: changed };
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
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

async function stage(owner: Client, { rates }: RatesToImport): Promise<void> {
  await owner.query(
    `create temp table read_rates (day date, currency text, units_per_euro numeric(20, 10)) on commit drop`,
  );
  const copy = owner.query(copyFrom('copy pg_temp.read_rates from stdin'));
  await pipeline(Readable.from(copyLines(rates)), copy);
  await owner.query('analyze pg_temp.read_rates');
}

function* copyLines(rates: RatesToImport['rates']): Generator<string> {
  let lines = '';
  for (const { day, currency, units_per_euro } of rates) {
    lines += `${day}\t${currency}\t${units_per_euro}\n`;
    if (lines.length < COPY_CHARACTERS) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}

async function reviseRates(owner: Client, { currencies, first, last }: RatesToImport): Promise<void> {
  const revised = db
    .updateTable('ledger.euro_reference_rates as p')
    .from(READ_RATES)
    .set((eb) => ({ units_per_euro: eb.ref('r.units_per_euro') }))
    .whereRef('r.currency', '=', 'p.currency')
    .whereRef('r.day', '=', 'p.day')
    .whereRef('r.units_per_euro', '<>', 'p.units_per_euro');
  await countRows(owner, revised);
  const gone = db
    .deleteFrom('ledger.euro_reference_rates as p')
    .where('p.currency', '=', anyOf(currencies, 'text'))
    .where('p.day', '>=', first)
    .where('p.day', '<=', last)
    .where((eb) => {
      const read = eb.selectFrom(READ_RATES).select('r.day');
      return eb.not(
        eb.exists(read.whereRef('r.currency', '=', 'p.currency').whereRef('r.day', '=', 'p.day')),
      );
    });
  await countRows(owner, gone);
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
      hint: 'Compare with the source. If it did revise them, import with --revise: open months move, locked ones do not.',
      data: { changed: changed.slice(0, MAX_REPORTED), count: changed.length },
    },
  );
}
