/** The sums of a snapshot by initiative and month: figures of a scope in a window without reading its entries. */
import type { EntryScope } from '../../ledger/moment/entry-scope.ts';
import type { Sums } from '../../figures/rollup.ts';
import {
  groupsInside,
  type SegmentSums,
  type SegmentUnsettled,
  unsettledInside,
} from '../../figures/segment-sums.ts';
import type { UnsettledSum } from '../../figures/unsettled.ts';
import type { RowRange, TableRows } from '../../snapshot/read/rows.ts';
import { frozenRows, type SnapshotFiles } from './snapshot-files.ts';

const SEGMENT = ['initiative_id', 'month', 'from_day', 'through_day'] as const;
const AMOUNTS = [
  'latest_day',
  'cash_value_cents',
  'capacity_cents',
  'capacity_realized_cents',
  'capex_cents',
  'opex_cents',
  'vendor_price_effect_cents',
] as const;
const UNSETTLED = ['kind', 'currency', 'amount_cents', 'entries'] as const;

type Scope = Pick<EntryScope, 'days' | 'initiative_id'>;

interface ScopeSums {
  readonly sums: readonly Sums[];
  readonly unsettled: readonly UnsettledSum[];
}

/** The sums of a scope; null if the snapshot has none, or the window ends within one of its segments. */
export async function readScopeSums(
  files: SnapshotFiles,
  { initiative_id: id, days }: Scope,
): Promise<ScopeSums | null> {
  const rows = await files.sums('month_sums');
  const unsettled = await readUnsettled(files, { initiative_id: id, days });
  if (rows === null || unsettled === null) return null;
  const own: SegmentSums[] = await Array.fromAsync(
    frozenRows(rows, [...SEGMENT, ...AMOUNTS], await rangeOf(rows, id)),
  );
  const sums = groupsInside(own, days, id === null ? 'portfolio' : 'initiative');
  return sums === null ? null : { sums, unsettled };
}

/** The sums of each initiative with an entry; null as above. */
export async function readSumsOfEach(
  files: SnapshotFiles,
  days: Scope['days'],
): Promise<ReadonlyMap<bigint, readonly Sums[]> | null> {
  const rows = await files.sums('month_sums');
  if (rows === null) return null;
  const portfolio = await rangeOf(rows, null);
  const each = new Map<bigint, readonly Sums[]>();
  let own: SegmentSums[] = [];
  let of: bigint | null = null;
  const close = (): boolean => {
    const groups = groupsInside(own, days, 'initiative');
    if (groups !== null && groups.length > 0 && of !== null) each.set(of, groups);
    own = [];
    return groups !== null;
  };
  // Rows are in the order of their initiatives.
  for await (const row of frozenRows(rows, [...SEGMENT, ...AMOUNTS], { from: portfolio.to })) {
    if (row.initiative_id !== of && !close()) return null;
    of = row.initiative_id;
    own.push(row);
  }
  return close() ? each : null;
}

/** The unsettled amounts of a scope; null as above. */
export async function readUnsettled(
  files: SnapshotFiles,
  { initiative_id: id, days }: Scope,
): Promise<readonly UnsettledSum[] | null> {
  const rows = await files.sums('month_sums_unsettled');
  if (rows === null) return null;
  const own: SegmentUnsettled[] = [];
  for await (const row of frozenRows(rows, [...SEGMENT, ...UNSETTLED], await rangeOf(rows, id))) {
    own.push({ ...row, entries: BigInt(row.entries) });
  }
  return unsettledInside(own, days);
}

/** Where the rows of a scope are: they are in the order of initiatives, those of the portfolio first. */
async function rangeOf(rows: TableRows, id: bigint | null): Promise<Required<RowRange>> {
  const groups = rows.groups.filter(({ least, greatest }) => {
    const [first, last] = [least('initiative_id'), greatest('initiative_id')];
    return id === null || ((first === null || first <= id) && (last === null || last >= id));
  });
  let [from, to] = [0, 0];
  for (const group of groups) {
    for await (const { first, columns } of rows.read(['initiative_id'], {
      from: group.first,
      to: group.first + group.rows,
    })) {
      const ids = columns[0] ?? [];
      const [begin, last] = [ids.indexOf(id), ids.lastIndexOf(id)];
      if (begin < 0 && (to > 0 || id === null)) return { from, to };
      if (begin < 0) continue;
      if (to === 0) from = first + begin;
      to = first + last + 1;
    }
  }
  return { from, to };
}
