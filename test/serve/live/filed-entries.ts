/** The entries of a snapshot's files, written as the read API writes them. */
import { formatInstant } from '../../../src/time.ts';
import { readHyparquet } from '../../parquet/read-back.ts';
import { type Served, fileOf } from '../../snapshot/builder/real-build.ts';

type Cells = Readonly<Record<string, unknown>>;

const MICROSECONDS_PER_DAY = 86_400_000_000n;
const CASH = ['revenue_gain', 'cost_savings', 'cost_avoidance', 'capacity_realized'];

// The casts are the files' own types of those columns.
const integer = (cell: unknown): number | null => (cell === null ? null : Number(cell));
const instant = (cell: unknown): string | null => (cell === null ? null : formatInstant(cell as bigint));
const midnight = (cell: unknown): string | null => instant(cell)?.slice(0, 10) ?? null;
const day = (cell: unknown): string | null =>
  cell === null ? null : midnight(BigInt(cell as number) * MICROSECONDS_PER_DAY);

/** What both kinds of entry have in the file and in the answer. */
function shared(row: Cells): Cells {
  return {
    initiative_id: integer(row['initiative_id']),
    amount_cents: integer(row['amount_cents']),
    currency: row['currency'],
    usd_amount_cents: integer(row['usd_amount_cents']),
    usd_rate: row['usd_rate'],
    usd_rate_from: day(row['usd_rate_from']),
    usd_rate_through: day(row['usd_rate_through']),
    period_start: midnight(row['period_start']),
    period_end: midnight(row['period_end']),
    is_estimated: row['is_estimated'],
    notes: row['notes'],
    source: {
      type: row['source_type'],
      ref: row['source_ref'],
      connection_id: integer(row['connection_id']),
    },
    created_at: instant(row['created_at']),
    updated_at: instant(row['updated_at']),
  };
}

/** The rows of `costs`, by id. A cost without a type is of type `other` there, and of none in the API. */
export async function filedCosts(served: Served | null): Promise<readonly Cells[]> {
  const rows = await readHyparquet(fileOf(served, 'costs'));
  return rows.map((row) => ({
    id: integer(row['cost_entry_id']),
    ...shared(row),
    usd_rate_provisional: row['usd_rate_provisional'] ?? false,
    cost_type: row['cost_type'],
    cost_category: row['cost_category'],
    vendor_id: integer(row['vendor_id']),
    vendor_name: row['vendor_name'],
    description: row['description'],
    locked: row['locked'],
  }));
}

/** The rows of `reported_value`, by id, with the locks that `accounting_periods` tells of. */
export async function filedValue(served: Served | null): Promise<readonly Cells[]> {
  const months = await readHyparquet(fileOf(served, 'accounting_periods'));
  const locked = new Set(months.filter((row) => row['locked'] === true).map((row) => row['month']));
  const rows = await readHyparquet(fileOf(served, 'reported_value'));
  return rows.map((row) => ({
    id: integer(row['value_entry_id']),
    ...shared(row),
    status: 'approved',
    counts_toward_roi: CASH.includes(String(row['entry_type'])) && row['usd_amount_cents'] !== null,
    entry_type: row['entry_type'],
    locked: locked.has(row['period_month']),
    basis: row['basis'],
    confidence_score: row['confidence_score'],
    provenance: row['provenance'],
    formula_id: integer(row['formula_id']),
    formula_key: row['formula_key'],
    formula_version: row['formula_version'],
    approved_at: instant(row['approved_at']),
  }));
}
