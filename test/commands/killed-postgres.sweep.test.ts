/** kill -9 of the PostgreSQL of a first start, at moments from its first answer to its first audit (issue 48). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { READY } from './first-start-lines.ts';
import { Folder } from './instances.ts';
import type { Program } from './program.ts';
import { readManifest, wrongTables } from './published.ts';

const MOMENTS: readonly (readonly [string, (program: Program, folder: Folder) => Promise<unknown>])[] = [
  ['before it is migrated', (_, folder) => untilItRuns(folder)],
  ['while the fixture company is loaded', (program) => program.said(/^loading the fixture company/)],
  ['as soon as the server listens', (program) => program.said(/"event":"server.started"/)],
  ['in the first build', (program) => program.said(/^ {2}snapshot +1 row /)],
  ['in the first audit', (program) => program.said(/^ {2}reported_totals /)],
];

/** PostgreSQL writes its state as the eighth line of its mark. */
async function untilItRuns(folder: Folder): Promise<void> {
  const mark = join(folder.path, 'postgres/data/postmaster.pid');
  await expect
    .poll(() => readFile(mark, 'utf8').catch(() => ''), { interval: 5, timeout: 120_000 })
    .toMatch(/^ready/m);
}

it.each(MOMENTS)('a first start goes on when its PostgreSQL is killed %s', async (_, moment) => {
  await using folder = await Folder.make();
  const program = folder.run(['start'], { LOG_LEVEL: 'info' });
  await moment(program, folder);
  await folder.killPostgres();
  await program.said(READY);
  const demo = await folder.demo();
  for (const name of ['TOKEN', 'OTHER_TOKEN']) {
    const token = demo[name] ?? '';
    const latest = await readManifest(`${demo['BASE_URL']}/reporting/latest`, token);
    expect(await wrongTables(latest, token)).toEqual([]);
  }
  program.signal('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0, signal: null });
  expect(await folder.processesLeft()).toEqual([]);
});
