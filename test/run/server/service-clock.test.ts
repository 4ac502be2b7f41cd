/** What has expired is told by the database's clock, on a machine whose own clock is ten days off either way. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { aBuild, DAY, publishNow } from '../../snapshot/builder/build-harness.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { issueToken, startOver } from './service-harness.ts';
import { get } from '../../commands/published.ts';

/** In microseconds since 1970, as the database has it: its process keeps the real clock. */
const NOW = BigInt(Date.now()) * 1_000n;
/** Days ago. A snapshot that was followed by another is kept for 14 days. */
const AGES = [20n, 10n, 1n];

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase('template_company');
  folder = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'crossfoot-clock-')));
  const store = await openFolderStore({ fs, root: join(folder, 'objects'), randomUuid: randomUUID });
  for (const age of AGES) {
    await publishNow(store, { ...aBuild(`${age} days old`, NOW - age * DAY), account_id: 1n });
  }
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await fs.rm(folder, { recursive: true });
  await database.drop();
});

it.each([
  ['ahead', 10],
  ['behind', -10],
])(
  'a server whose machine is ten days %s serves what its database says is kept, no more and no less',
  async (_, days) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Number(NOW / 1_000n) + days * 86_400_000 });
    const { token } = await issueToken(database);
    const service = await startOver(database, { DATA_DIR: folder });
    try {
      const statuses = [];
      for (const age of AGES) {
        const id = snapshotIdOf(NOW - age * DAY);
        statuses.push((await get(`${service.baseUrl}/reporting/snapshots/${id}`, token)).status);
      }
      expect(statuses).toEqual([404, 200, 200]);
    } finally {
      await service[Symbol.asyncDispose]();
    }
  },
);
