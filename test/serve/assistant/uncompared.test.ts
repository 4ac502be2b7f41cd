/** What explain_change says while two snapshots are still compared: the figures of both, and that reasons are missing. */
import { expect, it } from 'vitest';
import type { Diffs } from '../../../src/diff/diff-cache.ts';
import type { FieldValue } from '../../../src/snapshot/read/rows.ts';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import type { RowsOf } from '../../../src/snapshot/read/rows.ts';
import { fakeApp, FakeSnapshots } from '../fake-parts.ts';
import { namedInList } from '../named-in.ts';
import { fakeRows } from '../fake-rows.ts';
import { rowsOf } from '../given-snapshots.ts';
import { askingOf } from './questions.ts';

const [NEWEST, BEFORE] = ['20261120T020000Z', '20261119T020000Z'];

const total = (
  initiative_id: bigint | null,
  window_key: string,
  cost_cents: bigint,
  opex_cents: bigint | null,
) => ({
  scope: initiative_id === null ? 'portfolio' : 'initiative',
  initiative_id,
  window_key,
  cost_cents,
  opex_cents,
});
const TOTALS: Readonly<Record<string, readonly Readonly<Record<string, FieldValue>>[]>> = {
  [BEFORE]: [total(7n, 'all', 40n, null), total(8n, 'all', 9n, null), total(null, 'all', 100n, 90n)],
  // Cost of all time rises by 25, of which 20 are running cost; initiative 7 cost 15 more, and 8 the same.
  [NEWEST]: [
    total(7n, 'all', 55n, null),
    total(8n, 'all', 9n, null),
    total(null, 'all', 125n, 110n),
    total(null, 'fy2026', 125n, 110n),
  ],
};

const INITIATIVES = [{ initiative_id: 7n }, { initiative_id: 8n }];

class Nights extends FakeSnapshots {
  override readonly named = namedInList({ list: (account_id) => this.list(account_id) });

  override async list(account_id: bigint): Promise<readonly ReadableSnapshot[]> {
    const [any] = await super.list(account_id);
    if (any === undefined) throw new Error('the fake store is empty');
    return [NEWEST, BEFORE].map((snapshot_id) => ({ ...any, snapshot_id }));
  }

  override openRows: SnapshotReader['openRows'] = async (_account, snapshot_id, table) => {
    if (table.name === 'initiatives') return rowsOf(table, INITIATIVES) as RowsOf<typeof table>; // its columns
    if (table.name !== 'reported_totals') return fakeRows(table);
    return rowsOf(table, TOTALS[snapshot_id] ?? []) as RowsOf<typeof table>; // the columns of the table
  };
}

/** Comparisons that never end while a caller waits. */
function endless(): { readonly diffs: Diffs; readonly fail: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  return {
    diffs: { use: () => promise, close: async () => undefined },
    fail: () => reject(new Error('the engine ended')),
  };
}

const unused = () => Promise.reject(new Error('unused'));

async function explained(asked: Record<string, unknown>) {
  const { diffs, fail } = endless();
  const holder = { token_id: 1n, account_id: 7n, user_id: 1n, kind: 'personal' as const };
  const { app } = fakeApp({
    snapshots: new Nights(),
    diffs,
    comparedWithin: async () => undefined,
    authenticate: async () => ({ ...holder, api_access: true, reporting_enabled: true }),
  });
  const asking = askingOf({ app, ask: unused, close: unused, database: undefined as never });
  const { structured, text } = await asking.call('explain_change', asked);
  fail(); // its error has no reader, and must not end the process
  return { moved: structured?.['moved'], compared: structured?.['compared'], text };
}

const moved = (figure: string, before_cents: number, after_cents: number) => ({
  figure,
  before_cents,
  after_cents,
  change_cents: after_cents - before_cents,
  because: [],
});

it('a pair that is still compared has the figures of both snapshots, of the portfolio and of an initiative', async () => {
  const portfolio = await explained({});
  expect(portfolio).toMatchObject({
    compared: false,
    moved: [moved('cost_cents', 100, 125), moved('opex_cents', 90, 110)],
  });
  expect(portfolio.text).toContain('Ask again for the reasons and the entries.');
  expect((await explained({ initiative_id: 7 })).moved).toEqual([moved('cost_cents', 40, 55)]);
  expect((await explained({ initiative_id: 8 })).moved).toEqual([]);
});

it('a window that the earlier snapshot lacks counts as zero', async () => {
  const { moved: found } = await explained({ window: 'fy2026' });
  expect(found).toEqual([moved('cost_cents', 0, 125), moved('opex_cents', 0, 110)]);
});
