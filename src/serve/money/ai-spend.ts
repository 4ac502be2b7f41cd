/** The rows of `ai_spend` of a snapshot, for sums by month and by biller. */
import type { AiSpendMonth } from '../../figures/ai-spend.ts';
import type { Day } from '../../figures/calendar.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import { type FrozenRow, frozenRows, type SnapshotFiles } from '../live/snapshot-files.ts';

const COLUMNS = [
  'month',
  'source_kind',
  'platform',
  'vendor_name',
  'billed_cents',
  'booked_cents',
  'ai_billed_cents',
  'ai_booked_cents',
];
/** A row of `ai_spend`. */
export interface AiSpendRow extends AiSpendMonth {
  readonly month: Day;
  readonly platform: string | null;
  readonly vendor_name: string | null;
}

/** All rows of `ai_spend` in a snapshot. */
export async function aiSpendRows(files: SnapshotFiles): Promise<readonly AiSpendRow[]> {
  return await Array.fromAsync(frozenRows(await files.table('ai_spend'), COLUMNS), rowOf);
}

function rowOf(row: FrozenRow): AiSpendRow {
  return {
    month: String(row['month']),
    source_kind: row['source_kind'] as AiSpendMonth['source_kind'], // the column has these values alone
    platform: typeof row['platform'] === 'string' ? row['platform'] : null,
    vendor_name: typeof row['vendor_name'] === 'string' ? row['vendor_name'] : null,
    billed_cents: amount(row['billed_cents']) ?? 0n,
    booked_cents: amount(row['booked_cents']),
    ai_billed_cents: amount(row['ai_billed_cents']),
    ai_booked_cents: amount(row['ai_booked_cents']),
  };
}

function amount(value: FieldValue | undefined): bigint | null {
  return typeof value === 'bigint' ? value : null;
}
