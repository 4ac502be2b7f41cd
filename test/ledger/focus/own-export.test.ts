/** `load --focus` knows the exports of the account itself, whichever snapshot they are of. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addLoadCommand } from '../../../src/commands/load.ts';
import { charges, csv } from './bills.ts';
import { runCommand } from '../../commands/in-process.ts';
import { openPublishedFolder, type PublishedFolder } from '../../commands/published-folder.ts';

let published: PublishedFolder;
const ids: string[] = [];
beforeAll(async () => {
  published = await openPublishedFolder();
  for (let count = 1; count <= 2; count += 1) ids.push((await published.build()).id);
});
afterAll(() => published.close());

it.each([
  ['the newest snapshot', 1],
  ['the snapshot before it', 0],
])('load --focus refuses the export of %s of the account', async (_, at) => {
  const { database, env, objects } = published;
  const bill = join(objects, '..', 'bill.csv');
  const x_SnapshotId = ids[at] ?? '';
  await writeFile(bill, csv(charges({ BillingAccountId: 'crossfoot-account-1', x_SnapshotId })));
  const urls = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  const { error } = await runCommand(
    addLoadCommand,
    { ...env, ...urls },
    'load',
    '--focus',
    '--account',
    '1',
    bill,
  );
  expect(error).toMatchObject({ code: 'usage_invalid' });
  expect(String(error)).toContain(`an export of account 1 itself, its snapshot ${x_SnapshotId}`);
});
