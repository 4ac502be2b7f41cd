/** Rows of the fake store's tables: one in `snapshot` and in both tables of initiatives, none in any other. */
import type { Manifest } from '../../src/snapshot/format/manifest.ts';
import type { FieldValue, RowsOf, TableRows } from '../../src/snapshot/read/rows.ts';
import { COMPANIONS } from '../../src/tables/companions.ts';
import type { Column, Table } from '../../src/tables/table.ts';

const DIGEST = '0'.repeat(64);

/** What a manifest says of companions. */
export const FAKE_COMPANIONS: Manifest['companions'] = {
  tables: Object.values(COMPANIONS).map(({ name }) => ({
    name,
    size_bytes: 1,
    sha256: DIGEST,
    blocks_sha256: DIGEST,
  })),
  report: { size_bytes: 1, sha256: DIGEST },
};

const GIVEN: Readonly<Record<string, FieldValue>> = {
  id: 101n,
  initiative_id: 101n,
  stage: 'live',
  fiscal_year_start_month: 1,
};

function valueOf(column: Column): FieldValue {
  return GIVEN[column.name] ?? emptyOf(column);
}

/** The value of a cell that a test does not state: none, or 0 where the column is never empty. */
export function emptyOf({ kind, nullable, never_empty }: Column): FieldValue {
  if (nullable && never_empty !== true) return null;
  if (kind === 'boolean') return false;
  if (kind === 'integer' || kind === 'number') return 0;
  return kind === 'id' || kind === 'cents' || kind === 'timestamp'
    ? 0n
    : kind === 'date'
      ? '2026-01-01'
      : 'a';
}

export function fakeRows<Of extends Table>(table: Of): RowsOf<Of> {
  const count = ['snapshot', 'initiatives', 'api_initiatives'].includes(table.name) ? 1 : 0;
  const rows: TableRows = {
    count,
    columns: table.columns,
    turn: async () => undefined,
    groups: count === 0 ? [] : [{ first: 0, rows: 1, least: () => null, greatest: () => null }],
    async *read(names) {
      if (count === 0) return;
      const columns = names.map((name) =>
        table.columns.filter((column) => column.name === name).map(valueOf),
      );
      yield { first: 0, rows: 1, columns };
    },
  };
  return rows as RowsOf<Of>; // each value is of its column
}
