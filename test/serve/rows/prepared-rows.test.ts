/** When a reader waits for the rows of a large table, and when a page says how far they are. */
import { describe, expect, it } from 'vitest';
import { createCachedRows } from '../../../src/serve/rows/cached-rows.ts';
import { readRowQuery } from '../../../src/serve/rows/row-query.ts';
import type { TableRows } from '../../../src/snapshot/read/rows.ts';
import { costs } from '../../../src/tables/costs.ts';

const never = (): Promise<void> => new Promise(() => undefined);
const atOnce = (): Promise<void> => Promise.resolve();
const rowLimit = { run: async <Result>(_: bigint, __: number, work: () => Promise<Result>) => await work() };

/** A table of so many rows, of which two are given and the second is read when the gate opens. */
function gated(count: number) {
  const gate = Promise.withResolvers<void>();
  const reads: (readonly string[])[] = [];
  const rows: TableRows = {
    count,
    columns: costs.columns,
    groups: [],
    turn: async () => undefined,
    async *read(names) {
      reads.push(names);
      yield { first: 0, rows: 1, columns: names.map(() => [7n]) };
      await gate.promise;
      yield { first: 1, rows: 1, columns: names.map(() => [3n]) };
    },
  };
  const query = readRowQuery(new URLSearchParams('sort=usd_amount_cents'), costs, costs.columns);
  return { view: { table: costs, rows, sha256: 'digest', query }, gate, reads };
}
const said = (error: unknown): string => (error instanceof Error ? error.message : 'unforeseen');
const sorted = { count: 2, index: Uint32Array.of(1, 0) };

describe('the rows of a large table in a new order', () => {
  it('are there at once if the read ends while the reader waits', async () => {
    const { view, gate } = gated(500_001);
    gate.resolve();
    expect(await createCachedRows(rowLimit, never).orProgress(1n, view)).toMatchObject(sorted);
  });

  it('are not there yet if the read takes longer: the number of read rows is shown, and nothing is read twice', async () => {
    const { view, gate, reads } = gated(500_001);
    const cached = createCachedRows(rowLimit, atOnce);
    await cached.orProgress(1n, view);
    await expect.poll(() => cached.orProgress(1n, view)).toEqual({ read: 1 });
    gate.resolve();
    await expect.poll(() => cached.orProgress(1n, view)).toMatchObject(sorted);
    expect(reads).toHaveLength(2);
  });

  it('are refused once with the error of a read that failed, then read anew', async () => {
    const { view, gate, reads } = gated(500_001);
    gate.promise.catch(() => undefined);
    gate.reject(new Error('the file is damaged'));
    const cached = createCachedRows(rowLimit, never);
    expect(await cached.orProgress(1n, view)).toEqual({ read: 0 });
    expect(await cached.orProgress(1n, view).catch(said)).toBe('the file is damaged');
    await cached.orProgress(1n, view);
    expect(reads).toHaveLength(2);
  });

  it('that were shown in another order are read by the column of the order alone', async () => {
    const { view, gate, reads } = gated(2);
    gate.resolve();
    const cached = createCachedRows(rowLimit);
    const unsorted = { ...view, query: { ...view.query, sort: null } };
    expect(await cached.filtered(1n, unsorted)).toMatchObject({ count: 2, index: null });
    reads.length = 0;
    const { facets, totals } = await cached.filtered(1n, unsorted);
    expect(await cached.filtered(1n, view)).toEqual({ ...sorted, facets, totals });
    expect(reads).toEqual([['usd_amount_cents']]);
  });

  it('of another table are awaited, for any time', async () => {
    const { view, gate } = gated(500_000);
    const waited = createCachedRows(rowLimit, atOnce).orProgress(1n, view);
    gate.resolve();
    expect(await waited).toMatchObject(sorted);
  });
});
