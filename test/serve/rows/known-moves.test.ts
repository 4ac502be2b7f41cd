/** When a reader waits for a comparison of large snapshots, and when a page says that it is being made. */
import { describe, expect, it } from 'vitest';
import type { Diffs, SnapshotDiff } from '../../../src/diff/diff-cache.ts';
import { CrossfootError } from '../../../src/errors.ts';
import { createKnownMoves } from '../../../src/serve/rows/known-moves.ts';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';

const NOTHING: SnapshotDiff = { tables: [], page: async () => ({ changes: [], next: null }) };
const MOVES = { tables: [], totals: [], groups: [] };

/** Of a snapshot, its id and its rows are looked at. */
const snapshot = (snapshot_id: string, row_count: number): ReadableSnapshot =>
  ({ snapshot_id, tables: [{ name: 'costs', row_count }] }) as ReadableSnapshot;
/** Together one row more than is compared while the reader waits. */
const LARGE = [snapshot('20260714T020000Z', 100_000), snapshot('20260715T020000Z', 100_001)] as const;
const SMALL = [snapshot('20260714T020000Z', 100_000), snapshot('20260715T020000Z', 100_000)] as const;

/** Comparisons that end when they are told to. */
function gated() {
  const gate = Promise.withResolvers<void>();
  let compared = 0;
  const diffs: Diffs = {
    use: async (_account, _from, _to, work) => {
      compared += 1;
      await gate.promise;
      return await work(NOTHING);
    },
    close: async () => undefined,
  };
  return { diffs, gate, compared: () => compared };
}
const said = (error: unknown): string => (error instanceof Error ? error.message : 'unforeseen');
const never = (): Promise<void> => new Promise(() => undefined);
const atOnce = (): Promise<void> => Promise.resolve();

describe('the comparison of large snapshots', () => {
  it('is there at once where the comparison ends while the reader waits, as a stored one does', async () => {
    const { diffs, gate } = gated();
    gate.resolve();
    expect(await createKnownMoves(diffs, never).orProgress(7n, ...LARGE)).toMatchObject(MOVES);
  });

  it.each([
    [0, 200_001],
    [200_001, 0],
  ])('is large with %d rows before and %d after', async (before, after) => {
    const pair = [snapshot('20260714T020000Z', before), snapshot('20260715T020000Z', after)] as const;
    expect(await createKnownMoves(gated().diffs, atOnce).orProgress(7n, ...pair)).toBeNull();
  });

  it('is not there yet where it takes longer; it is made once, and the next reader has it', async () => {
    const { diffs, gate, compared } = gated();
    const known = createKnownMoves(diffs, atOnce);
    expect(await known.orProgress(7n, ...LARGE)).toBeNull();
    expect(await known.orProgress(7n, ...LARGE)).toBeNull();
    gate.resolve();
    await expect.poll(() => known.orProgress(7n, ...LARGE)).toMatchObject(MOVES);
    expect(compared()).toBe(1);
  });

  it('is made for each account by itself: two accounts may have snapshots of the same seconds', async () => {
    const { diffs, gate, compared } = gated();
    gate.resolve();
    const known = createKnownMoves(diffs, never);
    await known.orProgress(7n, ...LARGE);
    await known.orProgress(8n, ...LARGE);
    expect(compared()).toBe(2);
  });

  it('is refused once with the error of a failed comparison, then made anew', async () => {
    const { diffs, gate, compared } = gated();
    gate.promise.catch(() => undefined);
    gate.reject(new Error('the disk is full'));
    const known = createKnownMoves(diffs, never);
    expect(await known.orProgress(7n, ...LARGE)).toBeNull();
    expect(await known.orProgress(7n, ...LARGE).catch(said)).toBe('the disk is full');
    expect(await known.orProgress(7n, ...LARGE)).toBeNull();
    expect(compared()).toBe(2);
  });

  it('is still being made where it waited too long for others, and is requested again', async () => {
    const { diffs, gate, compared } = gated();
    gate.promise.catch(() => undefined);
    gate.reject(new CrossfootError('comparison_waited', 'This comparison waited 15 s.'));
    const known = createKnownMoves(diffs, never);
    expect(await known.orProgress(7n, ...LARGE)).toBeNull();
    expect(await known.orProgress(7n, ...LARGE)).toBeNull();
    expect(compared()).toBe(2);
  });
});

it('a request waits for the comparison of small snapshots, for any time', async () => {
  const { diffs, gate } = gated();
  const waited = createKnownMoves(diffs, atOnce).orProgress(7n, ...SMALL);
  gate.resolve();
  expect(await waited).toMatchObject(MOVES);
});
