/** The figures of a window counted from the files of a snapshot, entry by entry: nothing of the product takes part. */
import { askDuckDb } from '../../parquet/read-back.ts';
import { type Served, fileOf } from '../../snapshot/builder/real-build.ts';

/** An entry as the files have it; only value has a type, only cost a category and a rate that may be provisional. */
interface Entry {
  readonly initiative_id: bigint;
  readonly day: string | null;
  readonly currency: string;
  readonly amount_cents: bigint;
  readonly usd_amount_cents: bigint | null;
  readonly entry_type?: string;
  readonly cost_category?: string;
  readonly usd_rate_provisional?: boolean;
}

/** The approved value and the costs of a snapshot. */
export interface Entries {
  readonly value: readonly Entry[];
  readonly costs: readonly Entry[];
}

interface Window {
  readonly initiative_id: bigint | null;
  readonly from: string | null;
  readonly through: string;
}

export async function readEntries(served: Served | null): Promise<Entries> {
  const day =
    "strftime(period_start, '%Y-%m-%d') as day, initiative_id, currency, amount_cents, usd_amount_cents";
  // Named in the query as the interface has them.
  const read = async (table: string, columns: string) =>
    (await askDuckDb(fileOf(served, table), `select ${day}, ${columns} from file`)) as unknown as Entry[];
  return {
    value: await read('reported_value', 'entry_type'),
    costs: await read('costs', 'cost_category, usd_rate_provisional'),
  };
}

/** What `/roi` must answer, in its own fields. */
export function countFigures(entries: Entries, window: Window): Record<string, unknown> {
  const value = entries.value.filter((entry) => isIn(entry, window));
  const costs = entries.costs.filter((entry) => isIn(entry, window));
  const ofTypes = (rows: readonly Entry[], ...types: string[]): number =>
    dollars(rows.filter((entry) => types.includes(entry.entry_type ?? '')));
  const cash = value.filter((entry) => entry.entry_type !== 'capacity');
  const capex = dollars(costs.filter((entry) => entry.cost_category === 'capex'));
  const opex = dollars(costs.filter((entry) => entry.cost_category === 'opex'));
  let freed = 0;
  for (const group of Map.groupBy(value, groupOf).values()) {
    freed += Math.max(0, ofTypes(group, 'capacity') - ofTypes(group, 'capacity_realized'));
  }
  const net = dollars(cash) - capex - opex;
  return {
    currency: 'USD',
    cash_value_cents: dollars(cash),
    freed_capacity_cents: freed,
    realized_capacity_cents: ofTypes(value, 'capacity_realized'),
    total_cost_cents: capex + opex,
    net_value_cents: net,
    roi: capex + opex > 0 ? net / (capex + opex) : null,
    value_left_out: valueLeftOut(value.filter((entry) => entry.usd_amount_cents === null)),
    cost_left_out: byCurrency(costs.filter((entry) => entry.usd_amount_cents === null)).map(
      ([currency, rows]) => ({ currency, amount_cents: recorded(rows), entries: rows.length }),
    ),
    provisional_cost_cents: dollars(costs.filter((entry) => entry.usd_rate_provisional === true)),
    cost: { capex_cents: capex, opex_cents: opex },
  };
}

/** The number of the month in which the account's fiscal year begins, as the snapshot has it. */
export async function readFiscalYearStart(served: Served | null): Promise<number> {
  const query = 'select fiscal_year_start_month as fiscal from file';
  return Number((await askDuckDb(fileOf(served, 'snapshot'), query))[0]?.['fiscal']);
}

/**
 * How many windows a scope has in `reported_totals`: all time, and every fiscal quarter and fiscal year from the first
 * dated entry through today, or through the last dated entry if that is later.
 */
export function countWindows(
  entries: Entries,
  initiative_id: bigint | null,
  { today, fiscal }: { readonly today: string; readonly fiscal: number },
): number {
  const days = [...entries.value, ...entries.costs]
    .filter((entry) => initiative_id === null || entry.initiative_id === initiative_id)
    .flatMap(({ day }) => (day === null ? [] : [day]))
    .toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return 1;
  // Months since the fiscal year of the year 0 began.
  const month = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - fiscal;
  const [from, through] = [month(first), month(last > today ? last : today)];
  const spans = (months: number) => Math.floor(through / months) - Math.floor(from / months) + 1;
  return 1 + spans(3) + spans(12);
}

function valueLeftOut(rows: readonly Entry[]): unknown[] {
  return byCurrency(rows).map(([currency, own]) => {
    const capacity = own.filter((entry) => entry.entry_type === 'capacity');
    const cash = own.filter((entry) => entry.entry_type !== 'capacity');
    return {
      currency,
      amount_cents: recorded(cash),
      entries: cash.length,
      capacity_amount_cents: recorded(capacity),
      capacity_entries: capacity.length,
    };
  });
}

function isIn({ initiative_id, day }: Entry, window: Window): boolean {
  if (window.initiative_id !== null && initiative_id !== window.initiative_id) return false;
  if (window.from === null) return true;
  return day !== null && window.from <= day && day <= window.through;
}

function groupOf({ initiative_id, day }: Entry): string {
  return `${initiative_id} ${day?.slice(0, 7) ?? 'undated'}`;
}

function byCurrency(rows: readonly Entry[]): [string, Entry[]][] {
  return [...Map.groupBy(rows, ({ currency }) => currency)].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const dollars = (rows: readonly Entry[]): number => add(rows, 'usd_amount_cents');
const recorded = (rows: readonly Entry[]): number => add(rows, 'amount_cents');

/** What is empty adds nothing. */
function add(rows: readonly Entry[], column: 'amount_cents' | 'usd_amount_cents'): number {
  return rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);
}
