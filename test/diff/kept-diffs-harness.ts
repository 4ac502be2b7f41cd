/** Comparisons without files, for what is kept of them. */
import type { Change } from '../../src/diff/change.ts';
import type { ChangesFile } from '../../src/diff/changes-file.ts';
import type { Pair } from '../../src/diff/compare.ts';
import { type Diffs, cacheDiffs, type SnapshotDiff } from '../../src/diff/diff-cache.ts';
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';

/** Of a snapshot, only its id and tables are looked at. */
function snapshot(snapshot_id: string): ReadableSnapshot {
  return { snapshot_id, tables: [{ name: 'costs' }, { name: 'budgets' }] } as ReadableSnapshot;
}

export const added: Change = {
  table: 'costs',
  change: 'added',
  key: { cost_entry_id: 1 },
  reason: 'entry_added',
  before: null,
  after: { amount_cents: 500 },
  effects: [
    {
      initiative_id: 3,
      month: '2026-08-01',
      cash_value_cents: 7,
      freed_capacity_cents: 1,
      capex_cents: -3,
      opex_cents: 500,
      vendor_price_effect_cents: -2,
    },
    {
      initiative_id: 4,
      month: null,
      cash_value_cents: 0,
      freed_capacity_cents: 0,
      capex_cents: 0,
      opex_cents: 1,
      vendor_price_effect_cents: 0,
    },
  ],
  moved: [],
};
export const moved: Change = {
  table: 'budgets',
  change: 'changed',
  key: { budget_id: 2 },
  reason: null,
  before: { capex_cents: 1 },
  after: { capex_cents: 2 },
  effects: [],
  moved: [
    {
      figure: 'cost_cents',
      before_cents: 0,
      after_cents: 500,
      because: [{ reason: 'entry_added', cents: 500, entries: 1 }],
    },
  ],
};

/** Comparisons that answer two rows of costs and one of budgets; each of them waits until it is let go, if told to. */
export function comparing(size_bytes = 10, wait = false) {
  const compared: string[] = [];
  const closed: string[] = [];
  const waiting: (() => void)[] = [];
  const diffs = cacheDiffs(async ({ account_id, earlier, later }: Pair): Promise<ChangesFile> => {
    const name = `${account_id} ${earlier.snapshot_id} ${later.snapshot_id}`;
    compared.push(name);
    if (wait) await new Promise<void>((resolve) => waiting.push(resolve));
    const rows = [added, added, moved];
    let open = true;
    return {
      tables: [
        { name: 'costs', added: 2, removed: 0, changed: 0 },
        { name: 'budgets', added: 0, removed: 0, changed: 1 },
      ],
      size_bytes,
      read: async (first, end) => {
        if (!open) throw new Error('closed');
        return rows.slice(first, end);
      },
      close: async () => {
        open = false;
        closed.push(name);
      },
    };
  });
  return { diffs, compared, closed, waiting };
}

export function between<Result>(
  diffs: Diffs,
  from: string,
  to: string,
  work: (diff: SnapshotDiff) => Promise<Result>,
  account = 7n,
): Promise<Result> {
  return diffs.use(account, snapshot(from), snapshot(to), work);
}

export const wholeDiff = (diff: SnapshotDiff) => diff.page(0, 100);
