/** Entries of initiative 3 without a day, and what they add to the totals of all time. */
import type { Change } from '../../src/diff/change.ts';
import { type Company, row } from '../snapshot/audit/audited-company.ts';
import { cost, type MutableRow, value } from '../snapshot/audit/audited-rows.ts';
import { put } from './entry-reasons.ts';

interface Brought {
  readonly cash?: bigint;
  readonly freed?: bigint;
  readonly capex?: bigint;
  readonly opex?: bigint;
  readonly effect?: bigint;
}

/** Adds to the figures that a total states. */
export function add(
  rows: Company,
  total: string,
  { cash = 0n, freed = 0n, capex = 0n, opex = 0n, effect = 0n }: Brought,
): void {
  addCents(rows, total, {
    cash_value_cents: cash,
    freed_capacity_cents: freed,
    cost_cents: capex + opex,
    net_value_cents: cash - capex - opex,
    capex_cents: capex,
    opex_cents: opex,
    vendor_price_effect_cents: effect,
  });
}

export function addCents(rows: Company, total: string, figures: Readonly<Record<string, bigint>>): void {
  const found = row(rows, 'reported_totals', total);
  for (const [figure, cents] of Object.entries(figures)) {
    const was = found[figure];
    if (typeof was === 'bigint') found[figure] = was + cents;
  }
}

/** The same to all time of initiative 3 and of the portfolio. */
export function addAll(rows: Company, brought: Brought): void {
  for (const total of ['3 all', 'portfolio all']) add(rows, total, brought);
}

export const dollars = (cents: bigint): MutableRow => ({ amount_cents: cents, usd_amount_cents: cents });
export const capex = (cents: bigint): MutableRow => ({ ...dollars(cents), cost_category: 'capex' });
export const capacity = (cents: bigint): MutableRow => ({ ...dollars(cents), entry_type: 'capacity' });
export const split = (cents: bigint): MutableRow => ({
  vendor_price_effect_cents: cents,
  own_changes_effect_cents: -cents,
});
export const spent = (id: bigint, given: MutableRow): MutableRow => cost(id, 3n, null, given);
export const brought = (id: bigint, given: MutableRow): MutableRow => value(id, 3n, null, given);

/** Savings of less than nothing, and one entry of each other kind. */
export const come = (rows: Company): void => {
  put(rows, 'costs', spent(91n, dollars(500n)), spent(94n, capex(70n)));
  put(
    rows,
    'reported_value',
    brought(92n, { ...dollars(-900n), ...split(30n) }),
    brought(93n, capacity(40n)),
  );
  addAll(rows, { cash: -900n, freed: 40n, capex: 70n, opex: 500n, effect: 30n });
};

/** Writes these columns into entries, by id. */
export function edit(rows: Company, table: string, given: Readonly<Record<string, MutableRow>>): void {
  for (const [id, columns] of Object.entries(given)) Object.assign(row(rows, table, BigInt(id)), columns);
}

/** The changed total of an initiative, or of the portfolio. */
export const totalOf = (changes: readonly Change[], initiative: number | null, window = 'all') =>
  changes.find(
    ({ table, key }) =>
      table === 'reported_totals' && key['initiative_id'] === initiative && key['window_key'] === window,
  );

/** What a changed entry brought where. */
export const effectsOf = (changes: readonly Change[], id: string) =>
  changes.find(({ key }) => String(key['cost_entry_id'] ?? key['value_entry_id']) === id)?.effects;

/** The figures of an effect. */
export const NOTHING = {
  cash_value_cents: 0,
  freed_capacity_cents: 0,
  capex_cents: 0,
  opex_cents: 0,
  vendor_price_effect_cents: 0,
};

/** A figure that edits moved. */
export const edited = (figure: string, before_cents: number, cents: number, count: number) => ({
  figure,
  before_cents,
  after_cents: before_cents + cents,
  because: [{ reason: 'entry_edited', cents, entries: count }],
});
