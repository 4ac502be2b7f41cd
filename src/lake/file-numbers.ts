/** The numbers of a table's file in a catalogue. None is taken on trust: each was compared with the file's own footer. */
import { CrossfootError } from '../errors.ts';
import { footerFault, hasExactEnds } from '../snapshot/format/footer-faults.ts';
import { formatInstant } from '../time.ts';
import { fieldId } from '../tables/table.ts';
import type { LakeTable } from './lake.ts';

/** What a catalogue states of a column of a file; null for a number that is not known. */
interface ColumnStatistics {
  readonly column_id: number;
  readonly size_bytes: number;
  readonly values: number | null;
  readonly nulls: number | null;
  readonly least: string | null;
  readonly greatest: string | null;
}

/** The statistics of each column; throws `file_corrupt` if the footer contradicts the manifest or the digests. */
export function columnStatistics(snapshot_id: string, table: LakeTable): readonly ColumnStatistics[] {
  const fault = footerFault(table, table.footer);
  if (fault !== null) {
    throw new CrossfootError(
      'file_corrupt',
      `${table.name} of ${snapshot_id}: the footer of its file ${fault}.`,
      {
        hint: 'Run npx --no crossfoot scrub, which compares every byte with its digest.',
        data: { snapshot: snapshot_id, table: table.name },
      },
    );
  }
  const digests = new Map(table.digest?.columns.map((digest) => [digest.name, digest]));
  return table.columns.map((column, index) => {
    const { size_bytes = 0, nulls = null } = table.footer.columns[index] ?? {};
    const digest = digests.get(column.name);
    const end = (value: string | null | undefined): string | null =>
      hasExactEnds(column) ? endText(column.type, value ?? null) : null;
    return {
      column_id: fieldId(index),
      size_bytes,
      values: nulls === null ? null : table.row_count - nulls,
      nulls,
      least: end(digest?.least),
      greatest: end(digest?.greatest),
    };
  });
}

/** A value as DuckDB casts a text to its type. */
function endText(type: string, value: string | null): string | null {
  if (value === null || type !== 'timestamp') return value;
  return formatInstant(BigInt(value)).replace('T', ' ').replace('Z', '+00');
}
