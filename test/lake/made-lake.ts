/** Lakes that a test states: one table with few columns, of versions that need no ledger and no files. */
import type { Lake, LakeTable, LakeVersion } from '../../src/lake/lake.ts';
import { catalogueRows } from '../../src/lake/catalogue-rows.ts';
import type { CatalogueTable, Row, Rows } from '../../src/lake/catalogue-tables.ts';

const COLUMNS = [
  { name: 'snapshot_id', type: 'string', nullable: false, description: 'The snapshot.' },
  { name: 'cost_entry_id', type: 'id', nullable: false, description: 'The cost entry.' },
  { name: 'period_start', type: 'timestamp', nullable: true, description: 'The first day.' },
] as const;

/** `costs` with sixty rows, five of them without a period. */
export function aTable(changed: Partial<LakeTable> = {}): LakeTable {
  return {
    name: 'costs',
    row_count: 60,
    size_bytes: 22_470,
    comment: 'one row per cost entry: What initiatives cost.',
    columns: COLUMNS,
    digest: {
      name: 'costs',
      rows: '60',
      columns: [
        { name: 'snapshot_id', least: 'a', greatest: 'b' },
        { name: 'cost_entry_id', least: '3001', greatest: '3087' },
        { name: 'period_start', nulls: '5', least: '1714521600000000', greatest: '1785542400000000' },
      ],
    },
    footer: {
      rows: 60,
      footer_bytes: 15_405,
      columns: [
        { name: 'snapshot_id', field_id: 1, size_bytes: 71, nulls: 0, least: null, greatest: null },
        { name: 'cost_entry_id', field_id: 2, size_bytes: 63, nulls: 0, least: '3001', greatest: '3087' },
        {
          name: 'period_start',
          field_id: 3,
          size_bytes: 382,
          nulls: 5,
          least: '1714521600000000',
          greatest: '1785542400000000',
        },
      ],
    },
    ...changed,
  };
}

/** The version of this number: of that day of November 2026. */
export function aVersion(seq: number, changed: Partial<LakeVersion> = {}): LakeVersion {
  return {
    seq,
    snapshot_id: idOfDay(seq),
    manifest_sha256: 'a'.repeat(64),
    generated_at: 1_793_404_800_000_000n + BigInt(seq) * 86_400_000_000n + 123_456n,
    tables: [aTable()],
    pins: [],
    retraction: null,
    damaged_files: [],
    ...changed,
  };
}

export function idOfDay(day: number): string {
  return `202611${String(day).padStart(2, '0')}T000000Z`;
}

export function aLake(versions: readonly LakeVersion[], changed: Partial<Lake> = {}): Lake {
  return { account_id: 7n, log_entry: versions.at(-1)?.seq ?? 0, marks: 0, versions, gaps: [], ...changed };
}

/** The rows of a lake, with addresses that tests can read. */
export function rowsOfLake(lake: Lake): Rows {
  return catalogueRows(lake, {
    base_url: 'https://example.test/v1',
    addressOf: (id, table) => `${id}/${table}`,
  });
}

/** Some columns of the rows of a table of the catalogue. */
export function picked(
  rows: Rows,
  table: CatalogueTable,
  ...columns: readonly string[]
): readonly (readonly unknown[])[] {
  return (rows[table] ?? []).map((row: Row) => columns.map((column) => row[column] ?? null));
}
