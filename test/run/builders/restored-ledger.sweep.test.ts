/** `build` over a store whose newest snapshot is of a later state of the ledger, as after a restore, with the real program. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLOCK } from '../../../src/run/machine.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { aBuild, DAY, publishNow } from '../../snapshot/builder/build-harness.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { SEED } from '../../support/signing.ts';
import { Folder } from '../../commands/instances.ts';
import type { Outcome } from '../../commands/program.ts';

let database: TestDatabase;
let folder: Folder;
beforeAll(async () => {
  [database, folder] = await Promise.all([createDatabase('template_company'), Folder.make()]);
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

const run = (...args: readonly string[]): Promise<Outcome> =>
  folder.run(args, {
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
  }).ended;

it('build refuses a restored ledger, why names the command, and with it the account is built again', async () => {
  const root = join(folder.path, 'objects');
  const store = await openFolderStore({ fs, root, randomUuid: randomUUID });
  const files = new Map([['snapshot', Buffer.from('of the lost database')]]);
  await publishNow(store, {
    ...aBuild('lost', CLOCK.now() - DAY, files),
    account_id: 1n,
    pg_snapshot: '9000000000:9000000000:',
  });
  const refused = await run('build', '--account', '1');
  expect(refused.code).toBe(1);
  expect(refused.stderr.join('\n')).toContain('read up to transaction 9000000000, this database has reached');
  const next = 'build --account 1 --accept-ledger';
  expect((await run('why', '--account', '1')).stdout.join('\n')).toContain(
    `next: npx --no crossfoot ${next}`,
  );
  const accepted = await run(...next.split(' '));
  expect([accepted.code, accepted.stdout.at(-1)]).toEqual([0, expect.stringContaining('published')]);
  expect((await run('build', '--account', '1')).code).toBe(0);
});
