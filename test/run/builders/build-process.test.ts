/** How a process of builds is started. */
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { getPriority, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ALLOCATION, startBuilder } from '../../../src/run/builders/build-process.ts';
import { COMPILED } from '../../commands/program.ts';
import { itInSweeps } from '../../support/sweeps.ts';

it('a builder has a heap limit, and waits for its first build', async () => {
  const child = startBuilder({});
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
  expect(child.spawnargs).toContain('--max-old-space-size=512');
  expect(child.spawnargs.at(-1)).toMatch(/jobs\/build\.ts$/);
});

it('a builder gives way to other programs of the machine', async () => {
  const child = startBuilder({});
  const ended = once(child, 'close');
  const priority = getPriority(child.pid ?? 0);
  child.kill('SIGKILL');
  await ended;
  expect(priority).toBeGreaterThan(getPriority());
});

it('a builder exits when its parent disconnects before the first build', async () => {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, LOG_LEVEL: 'silent' };
  const child = startBuilder(env);
  const ended = once(child, 'exit');
  child.disconnect();
  expect(await ended).toEqual([0, null]);
});

it.each([
  ['takes', ALLOCATION.DUCKDB_JE_MALLOC_CONF, ''],
  // Or the first line would say nothing: the parent may not have read it yet.
  ['complains of', `${ALLOCATION.DUCKDB_JE_MALLOC_CONF},dirty:0`, '<jemalloc>: Invalid conf pair: dirty:0'],
])("the audit's engine %s an allocation of %s", async (_, DUCKDB_JE_MALLOC_CONF, complaint) => {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', `import '@duckdb/node-api'`],
    { env: { DUCKDB_JE_MALLOC_CONF } },
  );
  expect(stderr.trim()).toBe(complaint);
});

itInSweeps(
  'the modules that Node compiled are kept below the data folder, for the next process to load',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-process-'));
    try {
      const child = startBuilder({ PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
      // Without a ledger it loads everything and then refuses its settings.
      child.send({ account: '1', night: null, requested_at: null });
      const [message] = await once(child, 'message');
      expect(message).toMatchObject({ failed: { code: 'settings_invalid' } });
      const ended = once(child, 'exit');
      child.disconnect();
      expect(await ended).toEqual([2, null]);
      expect(await readdir(join(dataDir, 'compiled'))).toHaveLength(1); // the folder of this version of Node
    } finally {
      await rm(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 });
    }
  },
);

itInSweeps(
  'the process clears the spools of killed builds of any account before its first build',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-process-'));
    try {
      const killed = join(dataDir, 'spool', '9', 'killed');
      await mkdir(killed, { recursive: true });
      // This process had no such life, so the builder that wrote it is dead.
      const owner = { host: hostname(), pid: process.pid, life: 'an earlier life' };
      await writeFile(join(killed, 'owner.json'), JSON.stringify(owner));
      const child = startBuilder({ PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
      const ended = once(child, 'exit');
      child.disconnect();
      expect(await ended).toEqual([0, null]);
      expect(await readdir(join(dataDir, 'spool', '9'))).toEqual([]);
    } finally {
      await rm(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 });
    }
  },
);
