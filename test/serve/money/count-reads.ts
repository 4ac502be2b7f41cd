/** Counts what is read of the rows of snapshots. */
import type { RowsOf } from '../../../src/snapshot/read/rows.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import type { Table } from '../../../src/tables/table.ts';

/** The same reader, and what was read of rows through it. */
export function countReads(reader: SnapshotReader) {
  const read: string[] = [];
  const openRows = async <Of extends Table>(account_id: bigint, snapshot_id: string, table: Of) => {
    const rows = await reader.openRows(account_id, snapshot_id, table);
    const counted: RowsOf<Of>['read'] = (names, range) => {
      read.push(`${table.name}: ${names.join(' ')}`);
      return rows.read(names, range);
    };
    return { ...rows, read: counted };
  };
  return { read, snapshots: { ...reader, openRows } };
}
