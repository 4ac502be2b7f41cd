/** A rebuild that runs has read the ledger already: what a person corrects and queues meanwhile is built after it. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addEnqueueCommand } from '../../src/commands/enqueue.ts';
import { openBuildQueue } from '../../src/ops/queue.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { SEED } from '../support/signing.ts';
import { runCommand } from '../commands/in-process.ts';

let database: TestDatabase;
let root: string;
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
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-enqueue-'));
  await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
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

const enqueue = async () =>
  (await runCommand(addEnqueueCommand, env, 'enqueue', '--account', String(account))).printed;

it('enqueue while a rebuild runs queues one more, which begins after the correction', async () => {
  const queue = await openBuildQueue({
    service: database.pool('cf_service'),
    supervise: false,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => queue.close());
  expect(await enqueue()).toEqual([`account ${account} queued`]);
  // A worker takes it, and its build reads the ledger.
  const running = await queue.take();
  if (running === null) throw new Error('nothing was queued');

  // A person corrects the ledger now, and runs what bad-night.md says: `enqueue`. Twice, to be sure.
  const corrected_at = await database
    .pool('cf_service')
    .query<{ at: bigint }>('select (extract(epoch from clock_timestamp()) * 1000000)::bigint as at');
  const said = await enqueue();
  await enqueue();
  // Another worker takes the next, which may have read the ledger, too.
  const second = await queue.take();
  if (second === null) throw new Error('the next rebuild was not queued');
  await enqueue();
  await queue.complete(second, { outcome: 'published' });

  // The running build ends: it published the figures from before the correction.
  await queue.complete(running, { outcome: 'published', snapshot_id: '20261129T020000Z', seq: 1 });
  const next = await queue.take();
  expect({ said, next: next?.account_id }).toEqual({
    said: [`account ${account} is being rebuilt; one more build follows`],
    next: account,
  });
  expect(next?.requested_at).toBeGreaterThanOrEqual(corrected_at.rows[0]?.at ?? 0n);
  if (next !== null) await queue.complete(next, { outcome: 'published' });
  expect(await queue.holdsPending()).toBe(false);
});
