/** A build cuts its long tables as it was asked to; without a question, only for an account with many rows. */
import { expect, it } from 'vitest';
import { newestManifest } from '../../../src/snapshot/builder/shrunk-tables.ts';
import { wantedRanges } from '../../../src/snapshot/builder/wanted-ranges.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { withFolder } from '../../parquet/temporary-folder.ts';
import { aBuild, ACCOUNT, MIDNIGHT, clockAt, publishNow } from '../builder/build-harness.ts';

/** What the build of an account whose newest snapshot has so many rows cuts; null: it has no snapshot. */
const wantedAfter = (rows: number | null, asked: { ranges?: number; cut_long?: number }) =>
  withFolder(async (folder) => {
    const store = await openFolderStore({ fs, root: join(folder, 'store'), randomUuid: randomUUID });
    const build = aBuild('one', MIDNIGHT);
    // The other table has one row.
    const [first, ...others] = build.tables;
    if (rows !== null && first !== undefined)
      await publishNow(store, { ...build, tables: [{ ...first, row_count: rows - 1 }, ...others] });
    const known = await readLog(store, ACCOUNT);
    return wantedRanges(asked, await newestManifest(known, { store, clock: clockAt(MIDNIGHT) }));
  });

it.each([
  ['without a snapshot', null, { cut_long: 8 }, 1],
  ['after a million rows', 1_000_000, { cut_long: 8 }, 1],
  ['after more than a million rows', 1_000_001, { cut_long: 8 }, 8],
  ['without the setting', 1_000_001, {}, 1],
  ['as asked, for any account', null, { ranges: 3, cut_long: 8 }, 3],
  ['as asked, also if that is once', 1_000_001, { ranges: 1, cut_long: 8 }, 1],
])('the number of ranges %s', async (_, rows, asked, ranges) => {
  expect(await wantedAfter(rows, asked)).toBe(ranges);
});
