/** The way of docs/articles/bad-night.md, "Failed or given up": the queue gave a night up, `enqueue` built it again. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addEnqueueCommand } from '../../src/commands/enqueue.ts';
import { addStatusCommand } from '../../src/commands/status.ts';
import { readSettings } from '../../src/config.ts';
import { openBuildQueue } from '../../src/ops/queue.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { SECOND } from '../../src/instant.ts';
import { nightAt } from '../../src/run/nights.ts';
import { snapshotIdOf } from '../../src/snapshot/format/snapshot-id.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { aBuild, publishNow } from '../snapshot/builder/build-harness.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { SEED } from '../support/signing.ts';
import { runCommand } from '../commands/in-process.ts';

let database: TestDatabase;
let root: string;
let store: Store;
let account: bigint;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.client('cf_owner');
  const found = await foundAccount(owner);
  account = found.account;
  await owner.query(
    'update ledger.accounts set reporting_enabled_at = now(), reporting_enabled_by_id = $2 where id = $1',
    [account, found.person],
  );
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-after-'));
  store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  env = {
    DATA_DIR: root,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
  };
});
afterAll(async () => {
  await fs.rm(root, { recursive: true });
  await database.drop();
});

const status = async (...args: string[]) =>
  (await runCommand(addStatusCommand, env, 'status', ...args)).printed;

it('status advises no further build of a night that was given up, once a later snapshot is published', async () => {
  const service = database.pool('cf_service');
  const queue = await openBuildQueue({
    service,
    supervise: false,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => queue.close());
  const night = nightAt(readSettings({}), CLOCK.now());
  await queue.enqueueNight({ night, accounts: [account], jitter_ms: 0, now_ms: Date.now() });
  await service.query(`update ops.job set retry_limit = 0 where name = 'build'`);
  const given = await queue.take();
  if (given === null) throw new Error('the night was not queued');
  await queue.fail(given, { code: 'table_lost_rows', message: 'Gone.', hint: null });
  const advised = `npx --no crossfoot enqueue --account ${account}`;
  expect((await status()).join('\n')).toContain(`Next: ${advised}`);

  // The operator does that, and a worker publishes.
  await runCommand(addEnqueueCommand, env, 'enqueue', '--account', String(account));
  const rebuild = await queue.take();
  if (rebuild === null) throw new Error('the rebuild was not queued');
  const moment = CLOCK.now() + 2n * SECOND; // a snapshot is named by its second
  await publishNow(store, { ...aBuild('after', moment), account_id: account, night: night.day });
  await queue.complete(rebuild, { outcome: 'published', snapshot_id: snapshotIdOf(moment), seq: 1 });

  const lines = await status();
  expect(lines.join('\n')).toContain(snapshotIdOf(moment));
  expect(lines.filter((line) => line.includes('Next:'))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('  account') && line.includes('dead'))).toEqual([
    `  account ${account} dead, try 1: table_lost_rows: Gone. Since then ${snapshotIdOf(moment)} was published.`,
  ]);
});
