/** A build that a worker took, in a real process of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queuedBuilds } from '../../src/commands/queued-build.ts';
import { createLogger } from '../../src/log.ts';
import type { TakenBuild } from '../../src/ops/queue.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  [database, dataDir] = await Promise.all([
    createDatabase('template_company'),
    mkdtemp(join(tmpdir(), 'crossfoot-queued-')),
  ]);
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

it('F-47: of an account switched off after it was asked for ends as off, and is not tried again', async () => {
  const owner = await database.client('cf_owner');
  await owner.query(
    'update ledger.accounts set reporting_enabled_at = null, reporting_enabled_by_id = null where id = 1',
  );
  const told: unknown[] = [];
  const run = queuedBuilds({
    // It was still on when the worker looked.
    session: { reports: async () => true },
    tell: async (event) => void told.push(event),
    night: async () => '2026-07-15',
    logger: createLogger('silent'),
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      LEDGER_URL: database.url('cf_reader'),
      LOG_LEVEL: 'silent',
    },
  });
  const build = { account_id: 1n, night: '2026-07-15' } as TakenBuild; // what it reads of one
  expect(await run(build, new AbortController().signal)).toEqual({ outcome: 'off' });
  expect(told).toEqual([]);
});
