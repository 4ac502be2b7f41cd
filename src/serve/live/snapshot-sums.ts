/** Reads the stored sums of a snapshot, by initiative and month. Figures of a window then need no entries. */
import { isCrossfootError } from '../../errors.ts';
import type { Day } from '../../figures/calendar.ts';
import type { EntryScope } from '../../ledger/moment/entry-scope.ts';
import type { Sums } from '../../figures/rollup.ts';
import {
  groupsInside,
  type SegmentSums,
  type SegmentUnsettled,
  unsettledInside,
} from '../../figures/segment-sums.ts';
import { addUnsettled, type LeftOut, settleBeside, type UnsettledSum } from '../../figures/unsettled.ts';
import { rangeOf } from '../../snapshot/read/initiative-rows.ts';
import type { RowsOf } from '../../snapshot/read/rows.ts';
import type { SUM_TABLES } from '../../tables/sums.ts';
import type { RowOf } from '../../tables/table.ts';
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

/**
 * Returns what `read` returns, or null if the sums are damaged; the caller can then add up the entries. The snapshot reader
 * remembers the damaged file, and every list of damaged files names it.
 */
export async function unlessDamaged<Found>(read: () => Promise<Found | null>): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (isCrossfootError(error, 'file_corrupt')) return null;
    throw error;
  }
}

/**
 * The sums of a scope. A segment is a part of a month, from `from_day` through `through_day`. The result is null if the snapshot
 * has no sums that can be read, or if the window cuts a segment. For the portfolio it is also null if the window holds several segments
 * of a month, but not the whole month. Segments of the portfolio cannot be added: each counts freed capacity below zero as zero.
 * A month that is split has a stored row of its own for the whole month.
 */
export async function readScopeSums(
  files: SnapshotFiles,
  { initiative_id: id, days }: Scope,
): Promise<ScopeSums | null> {
  const unsettled = await readUnsettled(files, { initiative_id: id, days });
  if (unsettled === null) return null;
  return await unlessDamaged(async () => {
    const rows = await files.sums('month_sums');
    if (rows === null) return null;
    const stored = frozenRows(rows, [...SEGMENT, ...AMOUNTS], await rangeOf(rows, id));
    const own = await Array.fromAsync(stored, sumsOf);
    const sums = groupsInside(own, days, id === null ? 'portfolio' : 'initiative');
    return sums === null ? null : { sums, unsettled };
  });
}

type Stored = Pick<RowOf<typeof SUM_TABLES.month_sums>, (typeof SEGMENT)[number] | (typeof AMOUNTS)[number]>;

/** A stored row as sums. The stored row leaves an amount of 0 empty. */
function sumsOf(row: Stored): SegmentSums {
  return {
    ...row,
    cash_value_cents: row.cash_value_cents ?? 0n,
    capacity_cents: row.capacity_cents ?? 0n,
    capacity_realized_cents: row.capacity_realized_cents ?? 0n,
    capex_cents: row.capex_cents ?? 0n,
    opex_cents: row.opex_cents ?? 0n,
  };
}

/** The sums of each initiative with an entry in the window. Null if they cannot be read, or if the window cuts a segment. */
export async function readSumsOfEach(
  files: SnapshotFiles,
  days: Scope['days'],
): Promise<ReadonlyMap<bigint, readonly Sums[]> | null> {
  return await unlessDamaged(async () => {
    const rows = await files.sums('month_sums');
    return rows === null ? null : await sumsOfEach(rows, days);
  });
}

async function sumsOfEach(
  rows: RowsOf<typeof SUM_TABLES.month_sums>,
  days: Scope['days'],
): Promise<ReadonlyMap<bigint, readonly Sums[]> | null> {
  const portfolio = await rangeOf(rows, null);
  const each = new Map<bigint, readonly Sums[]>();
  let own: SegmentSums[] = [];
  let initiative: bigint | null = null;
  const close = (): boolean => {
    const groups = groupsInside(own, days, 'initiative');
    if (groups !== null && groups.length > 0 && initiative !== null) each.set(initiative, groups);
    own = [];
    return groups !== null;
  };
  // Rows are in the order of their initiatives.
  for await (const row of frozenRows(rows, [...SEGMENT, ...AMOUNTS], { from: portfolio.to })) {
    if (row.initiative_id !== initiative && !close()) return null;
    initiative = row.initiative_id;
    own.push(sumsOf(row));
  }
  return close() ? each : null;
}

/** The unsettled amounts of a scope. Null if they cannot be read, or if the window cuts a segment. */
export async function readUnsettled(
  files: SnapshotFiles,
  { initiative_id: id, days }: Scope,
): Promise<readonly UnsettledSum[] | null> {
  return await unlessDamaged(async () => {
    const rows = await files.sums('month_sums_unsettled');
    if (rows === null) return null;
    const own: SegmentUnsettled[] = [];
    for await (const row of frozenRows(rows, [...SEGMENT, ...UNSETTLED], await rangeOf(rows, id))) {
      own.push({ ...row, entries: BigInt(row.entries) });
    }
    return unsettledInside(own, days);
  });
}

/** The costs of each initiative that have no dollars, through this day. Null if they cannot be read. */
export async function readLeftOutCosts(
  files: SnapshotFiles,
  through: Day,
): Promise<ReadonlyMap<bigint, readonly LeftOut[]> | null> {
  return await unlessDamaged(async () => {
    const rows = await files.sums('month_sums_unsettled');
    if (rows === null) return null;
    const each = new Map<bigint, UnsettledSum[]>();
    const { to: from } = await rangeOf(rows, null); // after the rows of the portfolio
    for await (const row of frozenRows(rows, ['initiative_id', 'through_day', ...UNSETTLED], { from })) {
      const { initiative_id: id, through_day, entries, ...sum } = row;
      if (id === null || sum.kind !== 'cost_left_out' || (through_day !== null && through_day > through))
        continue;
      const own = each.get(id) ?? [];
      each.set(id, own);
      own.push({ ...sum, entries: BigInt(entries) });
    }
    return new Map([...each].map(([id, own]) => [id, settleBeside(addUnsettled(own)).cost_left_out]));
  });
}
