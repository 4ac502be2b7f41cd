/** The two memories of a head, and the command that accepts another: on a real database, folder and build. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onOwnSession, openHeadWatch } from '../../src/run/seen-heads.ts';
import { addSnapshotsCommand } from '../../src/commands/snapshots.ts';
import { openStoreToRead } from '../../src/run/object-store.ts';
import { readSettings } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { runCommand } from '../commands/in-process.ts';
import { openPublishedFolder, type PublishedFolder } from '../commands/published-folder.ts';
import { SEED } from '../support/signing.ts';

let folder: PublishedFolder;
beforeAll(async () => {
  folder = await openPublishedFolder();
});
afterAll(() => folder.close());

it('a store that was emptied and rebuilt is refused by each memory alone, until its head is accepted', async () => {
  const url = folder.database.url('cf_service');
  const env = {
    ...folder.env,
    DATABASE_URL: url,
    SIGNING_KEYS: SEED,
    LEDGER_URL: folder.database.url('cf_reader'),
  };
  const settings = readSettings(env);
  const logger = createLogger('silent');
  const check = async (parts: { readonly database: boolean }): Promise<void> => {
    const watch = openHeadWatch({ settings, onService: parts.database ? onOwnSession(url) : null, logger });
    await watch(await readLog(await openStoreToRead(settings), 1n));
  };
  await folder.build();
  await folder.build();
  await check({ database: true });

  await rm(folder.objects, { recursive: true });
  await folder.build();
  await expect(check({ database: false })).rejects.toMatchObject({ code: 'log_older' });
  // Another machine, whose folder remembers nothing.
  await rm(join(settings.dataDir, 'heads'), { recursive: true });
  await expect(check({ database: true })).rejects.toMatchObject({ code: 'log_older' });
  // With neither memory nothing is known.
  await check({ database: false });

  const { printed, error } = await runCommand(
    addSnapshotsCommand,
    env,
    'snapshots',
    '--account',
    '1',
    '--accept-head',
  );
  expect(error).toBeUndefined();
  expect(printed).toEqual(['account 1: entry 1 is accepted as the head of its log; restart the servers']);
  await check({ database: true });
  await folder.build();
  await check({ database: true });
});
