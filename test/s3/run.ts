/**
 * `npm run campaign -- s3`: the store, a build and `crossfoot start` on a real bucket. Which one, `OBJECT_STORE=s3://…`
 * with `S3_ENDPOINT` and the usual `AWS_*` settings says; without it a Ceph gateway is started for this run by the
 * program that `S3_STARTER` names, or by `../shared/tools/start-rgw`. Exits 2 with a sentence where there is neither.
 *
 * A second gateway of its own, whose storage is on disk, is killed again and again while snapshots are published into
 * it. `npm run campaign -- s3 real` or `s3 crashed` does one of the two, `s3 crashed 10` with so many kills.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';

const TOP = resolve(import.meta.dirname, '../..');
const STARTER = resolve(TOP, process.env['S3_STARTER'] ?? '../shared/tools/start-rgw');
/** The first start on a machine installs the gateway. */
const START_MS = 300_000;
const RUN_MS = 1_200_000;

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly said: string;
}

function starter(step: 'start' | 'wipe', env: Readonly<Record<string, string>>): Ended {
  const { status, stdout, stderr } = spawnSync(STARTER, [step], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: START_MS,
  });
  return { status: status ?? 1, stdout: stdout ?? '', said: (stderr ?? '').trim().split('\n').at(-1) ?? '' };
}

/** Tests for any bucket, and tests for a bucket whose server may be killed. */
type Part = 'crashed' | 'real';

function runTests(part: Part, env: Readonly<Record<string, string | undefined>>): number {
  const path = [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const { status } = spawnSync(
    'vitest',
    ['run', '--config', 'test/s3/vitest.config.ts', `test/s3/${part}-`],
    {
      cwd: TOP,
      env: { ...process.env, ...env, PATH: path },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: RUN_MS,
    },
  );
  return status === 0 ? 0 : 1;
}

/** What the storage of a gateway does when that is killed: the quick one forgets everything. */
const STORAGE: Readonly<Record<Part, string>> = { crashed: 'bluestore', real: 'memstore' };

/** Runs the tests on a gateway of their own, and ends it whatever they did. */
async function onOwnGateway(part: Part, kills: Readonly<Record<string, string>>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-s3-'));
  // Below the ports that systems give out on demand; the starter takes the next thirty too.
  const port = 20_000 + (process.pid % 250) * 40;
  const env = { S3_DIR: join(folder, 'gateway'), S3_PORT: String(port), S3_STORE: STORAGE[part] };
  try {
    const { status, stdout, said } = starter('start', env);
    if (status !== 0) return notRun(`${STARTER} could not start a bucket: ${said}`);
    const { S3_BUCKET, ...given } = parseEnv(stdout.trim().split('\n').at(-1)?.replaceAll(' ', '\n') ?? '');
    return runTests(part, {
      ...env,
      ...given,
      ...kills,
      S3_STARTER: STARTER,
      OBJECT_STORE: `s3://${S3_BUCKET}/crossfoot`,
    });
  } finally {
    starter('wipe', env);
    await rm(folder, { recursive: true, force: true });
  }
}

function notRun(why: string): number {
  process.stderr.write(`${why}\n`);
  return 2;
}

const PARTS: readonly Part[] = ['real', 'crashed'];

async function run([wanted, kills]: readonly string[]): Promise<number> {
  const parts = PARTS.filter((part) => wanted === undefined || wanted === part);
  if (parts.length === 0) return notRun(`The parts are ${PARTS.join(' and ')}`);
  if (kills !== undefined && !/^[1-9]\d*$/.test(kills)) return notRun(`${kills} is no number of kills`);
  if (process.env['OBJECT_STORE']?.startsWith('s3:') === true) {
    const killed = 'no publishes while the gateway is killed: this one was not started here';
    process.stderr.write(`Not run: ${killed}\n`);
    return parts.includes('real') ? runTests('real', {}) : 2;
  }
  if (!existsSync(STARTER)) {
    return notRun(`OBJECT_STORE names no bucket, and there is no ${STARTER} to start one`);
  }
  const statuses: number[] = [];
  for (const part of parts)
    statuses.push(await onOwnGateway(part, kills === undefined ? {} : { S3_KILLS: kills }));
  // What failed counts for more than what could not be run.
  return statuses.includes(1) ? 1 : Math.max(...statuses);
}

process.exitCode = await run(process.argv.slice(2));
