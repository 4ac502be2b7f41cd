import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addSnapshotsCommand } from '../../src/commands/snapshots.ts';
import { readManifest } from '../../src/snapshot/format/manifest.ts';
import { type Ran, runCommand } from './in-process.ts';
import { flipBit, openPublishedFolder, type PublishedFolder } from './published-folder.ts';

let published: PublishedFolder;
beforeAll(async () => {
  published = await openPublishedFolder();
});
afterAll(() => published.close());

function run(...args: readonly string[]): Promise<Ran> {
  return runCommand(addSnapshotsCommand, published.env, 'snapshots', ...args);
}

it('the list does not say that nothing was published if the first log entry is broken', async () => {
  const log = join(published.objects, 'v1/a/2/log');
  await mkdir(log, { recursive: true });
  await writeFile(join(log, '0000000001.json'), '{}');
  expect(await run('--account', '2')).toMatchObject({
    printed: [],
    said: [],
    error: { code: 'publish_log_broken' },
  });
  // What was seen before is not forgotten for a log that cannot be read to its end.
  expect(await run('--account', '2', '--accept-head')).toMatchObject({
    printed: [],
    error: { code: 'publish_log_broken' },
  });
});

it('the list has what an account has published, newest first, and says which manifest or log is broken', async () => {
  expect(await run('--account', '1')).toMatchObject({
    printed: [],
    said: ['account 1 has published nothing; npx --no crossfoot why --account 1 shows its builds'],
  });

  const first = await published.build();
  const second = await published.build();
  const { tables } = readManifest(await readFile(join(second.folder, 'manifest.json')));
  const rows = tables.reduce((sum, table) => sum + table.row_count, 0);
  const size_bytes = tables.reduce((sum, table) => sum + table.size_bytes, 0);
  const ran = await run('--account', '1');
  expect(ran.error).toBeUndefined();
  expect(ran.printed).toEqual([
    expect.stringMatching(/^id +number +age +rows +size +expires +chain$/),
    expect.stringMatching(
      new RegExp(`^${second.id} +2 +\\d+ (?:s|min) +${rows} +\\d\\.\\d MB +never while newest +whole$`),
    ),
    expect.stringMatching(new RegExp(`^${first.id} +1 .* \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC +whole$`)),
  ]);
  const [newest] = JSON.parse((await run('--account', '1', '--json')).printed.join('\n')) as unknown[];
  expect(newest).toEqual({
    snapshot_id: second.id,
    seq: 2,
    rows,
    size_bytes,
    expires_at: null,
    pins: [],
    retraction: null,
    damaged: [],
    chain: 'whole',
  });

  await flipBit(join(first.folder, 'manifest.json'));
  const broken = await run('--account', '1');
  expect(broken.printed[1]).toMatch(/whole$/);
  expect(broken.printed[2]).toMatch(
    /\? +\? +\? +BROKEN manifest: refused, because its digest is not that of the log entry\.$/,
  );

  await writeFile(join(published.objects, 'v1/a/1/log/0000000003.json'), '{}');
  const faulty = await run('--account', '1');
  expect(faulty.printed[1]).toContain(second.id);
  expect(faulty.error).toMatchObject({ code: 'publish_log_broken', exitCode: 1 });
});
