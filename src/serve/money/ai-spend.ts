/** The rows of `ai_spend` of a snapshot, for sums by month and by biller. */
import type { AiBiller, AiSpendMonth } from '../../figures/ai-spend.ts';
import type { Day } from '../../figures/calendar.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import { type FrozenRow, frozenRows, type SnapshotFiles } from '../live/snapshot-files.ts';

const COLUMNS = [
  'month',
  'source_kind',
  'connection_id',
  'platform',
  'connection_name',
  'vendor_name',
  'billed_cents',
  'booked_cents',
  'ai_billed_cents',
  'ai_booked_cents',
];
/** A row of `ai_spend`. */
export interface AiSpendRow extends AiSpendMonth, AiBiller {
  readonly month: Day;
}

/** All rows of `ai_spend` in a snapshot. */
export async function aiSpendRows(files: SnapshotFiles): Promise<readonly AiSpendRow[]> {
  return await Array.fromAsync(frozenRows(await files.table('ai_spend'), COLUMNS), rowOf);
}

function rowOf(row: FrozenRow): AiSpendRow {
  return {
    month: String(row['month']),
    source_kind: row['source_kind'] as AiSpendMonth['source_kind'], // the column has these values alone
    connection_id: whole(row['connection_id']),
    platform: text(row['platform']),
    connection_name: text(row['connection_name']),
    vendor_name: text(row['vendor_name']),
    billed_cents: whole(row['billed_cents']) ?? 0n,
    booked_cents: whole(row['booked_cents']),
    ai_billed_cents: whole(row['ai_billed_cents']),
    ai_booked_cents: whole(row['ai_booked_cents']),
  };
}

function whole(value: FieldValue | undefined): bigint | null {
  return typeof value === 'bigint' ? value : null;
}

function text(value: FieldValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
