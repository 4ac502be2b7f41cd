/** A file that a read finds damaged is damaged for everybody: the server has it scrubbed, and the mark is in the store. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { addScrubCommand } from '../../src/commands/scrub.ts';
import { addSnapshotsCommand } from '../../src/commands/snapshots.ts';
import { damagedLine, readNewestSnapshots } from '../../src/commands/terminal/newest-snapshots.ts';
import { judgeDamage } from '../../src/commands/doctor/findings.ts';
import { addWhyCommand } from '../../src/commands/why.ts';
import { watchDamage } from '../../src/run/server/damage.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { runCommand } from '../commands/in-process.ts';
import { flipBit, openPublishedFolder, type PublishedFolder } from '../commands/published-folder.ts';

let published: PublishedFolder;
let id: string;
let costs: string;
beforeAll(async () => {
  published = await openPublishedFolder();
  const built = await published.build();
  id = built.id;
  costs = join(built.folder, 'costs.parquet');
});
afterAll(() => published.close());

const now = (): bigint => BigInt(Date.now()) * 1_000n;

it('is told by the server that met it, by the commands and by another server, until a scrub finds it whole', async () => {
  const settings = readSettings(published.env);
  const store = await openFolderStore({ fs, root: published.objects, randomUuid: randomUUID });
  await using damage = watchDamage({ settings, logger: createLogger('silent') });
  const met = createReader({ store, now, onFault: () => undefined, onDamage: damage.onDamage });
  const other = createReader({ store, now, onFault: () => undefined });
  await flipBit(costs);
  await expect(met.openTable(1n, id, 'costs')).rejects.toMatchObject({ code: 'file_corrupt' });
  expect(met.countDamaged()).toBe(1);
  const newest = () => readNewestSnapshots(store, [1n], now());
  await vi.waitFor(async () => expect((await newest())[0]?.damaged).toEqual(['costs.parquet']), 30_000);
  expect(await other.quarantined(1n)).toBe(1);
  const said = {
    snapshots: await runCommand(addSnapshotsCommand, published.env, 'snapshots', '--account', '1'),
    why: await runCommand(addWhyCommand, published.env, 'why', '--account', '1'),
    scrub: await runCommand(addScrubCommand, published.env, 'scrub', '--account', '1'),
  };
  for (const [name, { printed }] of Object.entries(said))
    expect([name, printed.join('\n').includes('costs.parquet')]).toEqual([name, true]);
  expect(said.why.printed.at(-1)).toContain(damagedLine(1n, ['costs.parquet']));
  expect(judgeDamage([{ account_id: 1n, files: ['costs.parquet'] }]).outcome).toBe('failed');
  await flipBit(costs);
  const mended = await runCommand(addScrubCommand, published.env, 'scrub', '--account', '1');
  expect(mended.error).toBeUndefined();
  expect((await newest())[0]?.damaged).toEqual([]);
});

it('is looked for at once when a scrub names its account, however lately it was read', async () => {
  await flipBit(costs);
  const { printed } = await runCommand(addScrubCommand, published.env, 'scrub', '--account', '1');
  expect(printed.join('\n')).toContain('DAMAGED costs.parquet');
  await flipBit(costs);
});
