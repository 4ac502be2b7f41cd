/** The company of `a-history.ts` published on both of its days, into a folder. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { instantOf } from '../support/instant-of.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { readChecks } from '../snapshot/audit/audited-files.ts';
import { ACCOUNT, beginHistory, goOn } from './history-harness.ts';

export interface PublishedHistory {
  readonly harness: BuildHarness;
  /** A folder with `objects` in it. */
  readonly root: string;
  readonly store: Store;
  /** The ids of both snapshots. */
  readonly earlier: string;
  readonly later: string;
  /** Where the file of a table stands. */
  pathOf(snapshot: 'earlier' | 'later', file: string): Promise<string>;
  close(): Promise<void>;
}

/** Builds at two moments, microseconds since 1970; cost 6 is recorded between them. */
export async function publishHistory(
  moments: readonly [earlier: bigint, later: bigint],
  recorded_at?: string,
): Promise<PublishedHistory> {
  const harness = await openBuildHarness('template_ledger');
  const root = join(harness.root, 'published');
  const objects = join(root, 'objects');
  await fs.mkdir(root);
  const store = await openFolderStore({ fs, root: objects, randomUuid: randomUUID });
  const owner = await harness.database.client('cf_owner');
  const checks = await readChecks(); // the pages show each of them
  const build = (at: bigint, night: string) =>
    harness.build({ account_id: ACCOUNT, at, night, store, checks });
  await beginHistory(owner);
  const { snapshot_id: earlier } = await build(moments[0], '2026-07-14');
  await goOn(owner, await harness.database.client('cf_writer'), recorded_at);
  const { snapshot_id: later } = await build(moments[1], '2026-07-15');
  return {
    harness,
    root,
    store,
    earlier,
    later,
    async pathOf(snapshot, file) {
      const log = join(objects, `v1/a/${ACCOUNT}/log`);
      const names = (await fs.readdir(log)).toSorted();
      const name = names.at(snapshot === 'earlier' ? 0 : -1) ?? '';
      const { prefix } = JSON.parse(await fs.readFile(join(log, name), 'utf8')) as { prefix: string };
      return join(objects, prefix, file);
    },
    close: () => harness.close(),
  };
}

/** The two days that the history tells of. */
export const DAYS = [
  instantOf('2026-07-14T02:00:00.123456Z'),
  instantOf('2026-07-15T02:00:00.123456Z'),
] as const;
