/** Snapshots made of rows and held in memory, for comparisons without a ledger or a store. */
import { writeRows } from '../../src/parquet/write.ts';
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';
import { TABLES } from '../../src/tables/all.ts';
import type { Table } from '../../src/tables/table.ts';
import type { CompareTools } from '../../src/diff/compare.ts';
import type { MutableRow } from '../snapshot/audit/audited-rows.ts';
import { sharedThread } from '../parquet/shared-thread.ts';
import { instantOf } from '../support/instant-of.ts';

/** The rows of each table that has any, without `snapshot_id`. */
export type Rows = Readonly<Record<string, readonly MutableRow[]>>;

/** Writes files as a build does. */
export class HeldSnapshots {
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>>();
  /** The files of each table by what they hold: most tables of two comparisons have the same rows. */
  readonly #written = new Map<Table, Map<string, Uint8Array<ArrayBuffer>>>();

  /** What comparisons read. */
  readonly reader: CompareTools['snapshots'] = {
    openTable: async (_account, snapshot_id, table) =>
      new Blob([this.#files.get(`${snapshot_id} ${table}`) ?? new Uint8Array()]).stream(),
  };

  /** With other declarations than today's, one built by another version. */
  async hold(snapshot_id: string, rows: Rows, tables: readonly Table[] = TABLES): Promise<ReadableSnapshot> {
    for (const table of tables) {
      const bytes = await this.#write(table, snapshot_id, rows[table.name] ?? []);
      this.#files.set(`${snapshot_id} ${table.name}`, bytes);
    }
    return {
      snapshot_id,
      account_id: 7,
      schema_version: 'v1',
      generated_at: instantOf('2026-08-15T02:00:00.000000Z'),
      changes_from: null,
      block_bytes: 1_048_576,
      tables: tables.map(({ name }) => ({
        name,
        row_count: (rows[name] ?? []).length,
        size_bytes: 1,
        sha256: '',
        blocks_sha256: '',
      })),
      files: [],
      left_out: { cost: [], value: [] },
      versions: { writer: '1', audit_engine: '1', postgres: '18' },
      expires_at: null,
      pins: [],
      retraction: null,
      quarantine: null,
    };
  }

  async #write(
    table: Table,
    snapshot_id: string,
    rows: readonly MutableRow[],
  ): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#written.get(table) ?? new Map<string, Uint8Array<ArrayBuffer>>();
    this.#written.set(table, known);
    const key = JSON.stringify([snapshot_id, rows], inText);
    const there = known.get(key);
    if (there !== undefined) return there;
    const pieces: Uint8Array[] = [];
    await writeRows({
      table,
      rows,
      constants: { snapshot_id },
      metadata: { table: table.name },
      thread: sharedThread(),
      sink: async (bytes) => {
        pieces.push(Uint8Array.from(bytes));
      },
    });
    const bytes = new Uint8Array(Buffer.concat(pieces));
    known.set(key, bytes);
    return bytes;
  }
}

function inText(_: string, cell: unknown): unknown {
  return typeof cell === 'bigint' ? `${cell}n` : cell;
}
