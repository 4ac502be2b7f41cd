/** The comparisons of a server, with the real tools: what closing them does. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CompareTools } from '../../../src/diff/compare.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import { HeldSnapshots } from '../../diff/held-snapshots.ts';
import { company } from '../../snapshot/audit/audited-company.ts';

let held: HeldSnapshots;
let root: string;
beforeAll(async () => {
  held = new HeldSnapshots();
  root = await mkdtemp(join(tmpdir(), 'crossfoot-diffs-'));
});
afterAll(async () => {
  await held[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

const both = async () =>
  [await held.hold('20260815T020000Z', company()), await held.hold('20260816T020000Z', company())] as const;

it('closing stops the comparison that runs: it reads no further table, and leaves nothing behind', async () => {
  const [from, to] = await both();
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const opened: string[] = [];
  const snapshots: CompareTools['snapshots'] = {
    openTable: async (account_id, snapshot_id, table) => {
      opened.push(table);
      asked.resolve();
      await goOn.promise;
      return await held.reader.openTable(account_id, snapshot_id, table);
    },
  };
  const diffs = await openDiffs({ snapshots, root });
  const used = Promise.allSettled([diffs.use(7n, from, to, async ({ tables }) => tables)]);
  await asked.promise;
  const closed = diffs.close();
  goOn.resolve();
  await closed;
  expect(await used).toMatchObject([{ status: 'rejected', reason: { name: 'AbortError' } }]);
  expect([opened, await readdir(root)]).toEqual([['snapshot'], []]);
});

it('once closed nothing is kept: a pair that was compared is compared anew, which is refused', async () => {
  const [from, to] = await both();
  const diffs = await openDiffs({ snapshots: held.reader, root });
  const names = await diffs.use(7n, from, to, async ({ tables }) => tables.length);
  await diffs.close();
  expect(names).toBe(14);
  await expect(diffs.use(7n, from, to, async ({ tables }) => tables)).rejects.toThrow('aborted');
});
