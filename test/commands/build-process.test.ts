/** How a build's process is started. */
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBuild } from '../../src/commands/build-process.ts';

it.each([
  [null, ['7']],
  ['2026-07-15', ['7', '2026-07-15']],
] as const)('has a heap that ends, and is told account and night: %s', async (night, told) => {
  const child = startBuild(7n, night, {});
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
  const [, ...args] = child.spawnargs;
  expect(args).toContain('--max-old-space-size=512');
  expect(args.slice(-told.length)).toEqual(told);
  expect(args.at(-told.length - 1)).toMatch(/jobs\/build\.ts$/);
});

it('keeps what Node made of the modules below the data folder, for the next build to load', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-process-'));
  try {
    // Without a ledger it loads everything and then refuses its settings.
    const child = startBuild(1n, null, { PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(await readdir(join(dataDir, 'compiled'))).toHaveLength(1); // the folder of this version of Node
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
