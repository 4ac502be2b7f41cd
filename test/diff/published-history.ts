/** The company of `a-history.ts` published on both of its days, into a folder. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instantOf } from '../support/instant-of.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { type Kept, keptObjects } from '../support/kept-objects.ts';
import { openBuildHarness } from '../snapshot/builder/real-build.ts';
import { readChecks } from '../snapshot/audit/audited-files.ts';
import { copyOf } from '../store/memory-store.ts';
import { ACCOUNT, beginHistory, goOn } from './history-harness.ts';

/** The ids of both snapshots. */
interface Ids {
  readonly earlier: string;
  readonly later: string;
}

export interface PublishedHistory extends Ids {
  /** A folder with `objects` in it. */
  readonly root: string;
  readonly store: Store;
  /** Where the file of a table stands. */
  pathOf(snapshot: 'earlier' | 'later', file: string): Promise<string>;
  close(): Promise<void>;
}

/** The two days that the history tells of. */
export const DAYS = [
  instantOf('2026-07-14T02:00:00.123456Z'),
  instantOf('2026-07-15T02:00:00.123456Z'),
] as const;

/** Published on both days; the builds are those of the first test file that asks. */
export async function keptHistory(): Promise<PublishedHistory> {
  return await inFolder(await keptObjects('history', () => build(DAYS)));
}

/** Builds at two moments, microseconds since 1970; cost 6 is recorded between them. */
export async function publishHistory(
  moments: readonly [earlier: bigint, later: bigint],
  recorded_at: string,
): Promise<PublishedHistory> {
  return await inFolder(await build(moments, recorded_at));
}

async function build(
  moments: readonly [earlier: bigint, later: bigint],
  recorded_at?: string,
): Promise<Kept<Ids>> {
  const harness = await openBuildHarness('template_ledger');
  try {
    const owner = await harness.database.client('cf_owner');
    const checks = await readChecks(); // the pages show each of them
    const buildAt = (at: bigint, night: string) => harness.build({ account_id: ACCOUNT, at, night, checks });
    await beginHistory(owner);
    const { snapshot_id: earlier } = await buildAt(moments[0], '2026-07-14');
    await goOn(owner, await harness.database.client('cf_writer'), recorded_at);
    const { snapshot_id: later } = await buildAt(moments[1], '2026-07-15');
    return { facts: { earlier, later }, objects: await copyOf(harness.store, `v1/a/${ACCOUNT}/`) };
  } finally {
    await harness.close();
  }
}

async function inFolder({ facts, objects }: Kept<Ids>): Promise<PublishedHistory> {
  const root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-history-'));
  const folder = join(root, 'objects');
  const store = await openFolderStore({ fs, root: folder, randomUuid: randomUUID });
  for (const [key, bytes] of objects) await store.create(key, bytes);
  return {
    ...facts,
    root,
    store,
    async pathOf(snapshot, file) {
      const log = join(folder, `v1/a/${ACCOUNT}/log`);
      const names = (await fs.readdir(log)).toSorted();
      const name = names.at(snapshot === 'earlier' ? 0 : -1) ?? '';
      const { prefix } = JSON.parse(await fs.readFile(join(log, name), 'utf8')) as { prefix: string };
      return join(folder, prefix, file);
    },
    close: () => fs.rm(root, { recursive: true }),
  };
}
