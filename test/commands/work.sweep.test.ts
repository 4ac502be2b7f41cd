/** A night on a PostgreSQL that is not ours to start, from its queueing to its snapshots, with the real programs. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { endedInTime, Folder } from './instances.ts';
import type { Environment, Outcome } from './program.ts';
import { SEED } from '../support/signing.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

let database: TestDatabase;
let folder: Folder;
let env: Environment;
beforeAll(async () => {
  [database, folder] = await Promise.all([createDatabase('template_company'), Folder.make()]);
  env = {
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
    SCHEDULE: '0 0 * * *',
    JITTER_SECONDS: '0',
  };
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

const run = (...args: readonly string[]): Promise<Outcome> => folder.run(args, env).ended;

async function nightly(...args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['jobs/nightly.ts', ...args], {
    cwd: TOP,
    env: { PATH: process.env['PATH'], DATA_DIR: folder.path, LOG_LEVEL: 'warn', ...env },
  });
}

/** The nights that the account has a snapshot of, as its publish log names them. */
async function nightsOf(account: number): Promise<readonly string[]> {
  const log = join(folder.path, `objects/v1/a/${account}/log`);
  const entries = (await readdir(log)).toSorted().map(async (name) => {
    const { night } = JSON.parse(await readFile(join(log, name), 'utf8')) as { night: string };
    return night;
  });
  return Promise.all(entries);
}

async function jobs(): Promise<readonly unknown[]> {
  const { rows } = await (
    await database.client('cf_service')
  ).query<{ job: string }>(
    `select concat_ws(' ', data ->> 'account_id', coalesce(singleton_key, 'rebuild'), state, retry_count) as job
     from ops.job order by 1`,
  );
  return rows.map(({ job }) => job);
}

it('the worker clears the spool of a killed build at its start, also when nothing is queued', async () => {
  const killed = join(folder.path, 'spool', '9', 'killed');
  await mkdir(killed, { recursive: true });
  // This process had no such life, so the builder that wrote it is dead.
  const owner = { host: hostname(), pid: process.pid, life: 'an earlier life' };
  await writeFile(join(killed, 'owner.json'), JSON.stringify(owner));
  await run('work', '--until-empty');
  expect(await readdir(join(folder.path, 'spool', '9'))).toEqual([]);
});

describe('a night', () => {
  // Due at midnight: the night of the day on which this begins.
  const night = new Date().toISOString().slice(0, 10);
  let worked: Outcome;
  beforeAll(async () => {
    await nightly('--once');
    worked = await run('work', '--concurrency', '2', '--until-empty');
  });

  it('is built once for each account that reports', async () => {
    expect(worked).toMatchObject({ code: 0, stderr: [] });
    expect([await nightsOf(1), await nightsOf(2)]).toEqual([[night], [night]]);
    expect(await jobs()).toEqual([`1 ${night} completed 0`, `2 ${night} completed 0`]);
  });

  it('is not built again, not when it is queued anew nor when its job was lost', async () => {
    await nightly('--once');
    await run('work', '--until-empty');
    await (await database.client('cf_service')).query('delete from ops.job');
    await nightly('--once');
    await run('work', '--until-empty');
    expect([await nightsOf(1), await nightsOf(2)]).toEqual([[night], [night]]);
    expect(await jobs()).toEqual([`1 ${night} completed 0`, `2 ${night} completed 0`]);
  });

  it('is shown by status: what was built, how long it took, how old each newest snapshot is', async () => {
    const { code, stdout } = await run('status', '--json');
    expect(code).toBe(0);
    const told = JSON.parse(stdout.join('\n')) as Record<string, unknown>;
    expect(told).toMatchObject({
      night,
      due_at: `${night}T00:00:00.000000Z`,
      counts: { queued: 0, building: 0, published: 2, off: 0, refused: 0, failed: 0, dead: 0 },
      troubles: [],
      rebuilds: 0,
      dead_letters: 0,
      newest: [1, 2].map(() => ({ night, age_seconds: expect.any(Number) })),
      clock_offset_seconds: { database: expect.any(Number), store: expect.any(Number) },
    });
    expect((told['slowest'] as unknown[]).length).toBe(2);
    const lines = (await run('status')).stdout;
    expect(lines[0]).toBe(`night of ${night}, due ${night} 00:00 UTC`);
    expect(lines[1]).toMatch(new RegExp(`^its last build ended at ${night} \\d\\d:\\d\\d UTC$`));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}published +2$/));
    // All three are the clock of this machine.
    expect(lines).toContainEqual(
      expect.stringMatching(/^clocks from this machine: database -?\d\.\d s, store -?\d\.\d s$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}account 1 +\d+ (?:s|min) +\d{8}T\d{6}Z$/));
  });
});

describe('a rebuild', () => {
  it('is started by a worker, released when the worker is stopped, and built by the next', async () => {
    expect(await run('enqueue', '--account', '1')).toMatchObject({ code: 0, stdout: ['account 1 queued'] });
    const worker = folder.run(['work'], { ...env, LOG_LEVEL: 'info' });
    await worker.said(/"event":"job.taken"/);
    worker.signal('SIGTERM');
    const ended = await endedInTime(worker);
    expect(ended).toMatchObject({ signal: null });
    expect(ended?.stderr.join('\n')).toContain('"event":"job.returned"');
    expect(await folder.processesLeft()).toEqual([]);
    expect(await jobs()).toContain('1 rebuild created 0');
    expect(await nightsOf(1)).toHaveLength(1);

    await run('work', '--until-empty');
    expect(await jobs()).toContain('1 rebuild completed 0');
    expect([await nightsOf(1), await nightsOf(2)]).toMatchObject([{ length: 2 }, { length: 1 }]);
  });

  it('is refused for an account that does not report', async () => {
    const { code, stderr } = await run('enqueue', '--account', '99');
    expect(code).toBe(1);
    expect(stderr[0]).toBe('crossfoot: Account 99 is not in the ledger, or does not report.');
  });

  it('of every account is queued when no account is named', async () => {
    expect((await run('enqueue')).stdout).toEqual(['account 1 queued', 'account 2 queued']);
  });
});

it('a job that is called in another way than it may says how, and queues nothing', async () => {
  await expect(nightly('--twice')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error: unknown option '--twice'"),
  });
});

describe('a login that is not of the queue', () => {
  it('gets an error that names its missing role', async () => {
    const { code, stderr } = await folder.run(['work'], { ...env, DATABASE_URL: database.url('cf_reader') })
      .ended;
    expect(code).toBe(2);
    expect(stderr[0]).toContain('may not be cf_service');
  });

  it('is asked for where only a ledger is named', async () => {
    const { code, stderr } = await folder.run(['work'], {
      LEDGER_URL: database.url('cf_reader'),
      SIGNING_KEYS: SEED,
    }).ended;
    expect(code).toBe(2);
    expect(stderr.join('\n')).toContain('DATABASE_URL');
  });
});
