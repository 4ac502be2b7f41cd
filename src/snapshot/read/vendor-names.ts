/** The names of a snapshot's vendors: costs have them by id, because one vendor can be recorded under several names. */
import type { Reporting } from '../../tables/all.ts';
import type { COMPANIONS } from '../../tables/companions.ts';
import { cellAt, type RowsOf } from './rows.ts';

interface VendorRows {
  /** Null if an older version built the snapshot, or the account had switched companion tables off. */
  readonly names: RowsOf<(typeof COMPANIONS)['vendors']> | null;
  readonly costs: () => Promise<RowsOf<Reporting['costs']>>;
}

/** The name of each vendor by id; without the table of names, one of those that were recorded: the first by its characters. */
export async function readVendorNames({ names, costs }: VendorRows): Promise<ReadonlyMap<bigint, string>> {
  const known = new Map<bigint, string>();
  if (names !== null) {
    for await (const { columns } of names.read(['vendor_id', 'name'])) {
      const [ids, own] = columns;
      for (const [row, id] of ids.entries()) known.set(id, cellAt(own, row));
    }
    return known;
  }
  for await (const { columns } of (await costs()).read(['vendor_id', 'vendor_name'])) {
    const [ids, recorded] = columns;
    for (const [row, id] of ids.entries()) {
      const name = cellAt(recorded, row)?.trim();
      if (id === null || name === undefined) continue;
      const before = known.get(id);
      if (before === undefined || name < before) known.set(id, name);
    }
  }
  return known;
}
