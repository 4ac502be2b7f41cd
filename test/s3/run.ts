/**
 * `npm run test:s3`: the store, a build and `crossfoot start` on a real bucket. Which one, `OBJECT_STORE=s3://…` with
 * `S3_ENDPOINT` and the usual `AWS_*` settings says; without it a Ceph gateway is started for this run by the program
 * that `S3_STARTER` names, or by `../shared/tools/start-rgw`. Exits 2 with a sentence where there is neither.
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

function runTests(env: Readonly<Record<string, string | undefined>>): number {
  const path = [join(TOP, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const { status } = spawnSync('vitest', ['run', '--config', 'test/s3/vitest.config.ts'], {
    cwd: TOP,
    env: { ...process.env, ...env, PATH: path },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: RUN_MS,
  });
  return status === 0 ? 0 : 1;
}

/** Runs the tests on a gateway of their own, and ends it whatever they did. */
async function onOwnGateway(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-s3-'));
  // Below the ports that systems give to whoever asks for any; the starter takes the next thirty too.
  const port = 20_000 + (process.pid % 250) * 40;
  const env = { S3_DIR: join(folder, 'gateway'), S3_PORT: String(port), S3_STORE: 'memstore' };
  try {
    const { status, stdout, said } = starter('start', env);
    if (status !== 0) return notRun(`${STARTER} could not start a bucket: ${said}`);
    const { S3_BUCKET, ...given } = parseEnv(stdout.trim().split('\n').at(-1)?.replaceAll(' ', '\n') ?? '');
    return runTests({ ...given, OBJECT_STORE: `s3://${S3_BUCKET}/crossfoot` });
  } finally {
    starter('wipe', env);
    await rm(folder, { recursive: true, force: true });
  }
}

function notRun(why: string): number {
  process.stderr.write(`${why}\n`);
  return 2;
}

async function run(): Promise<number> {
  if (process.env['OBJECT_STORE']?.startsWith('s3:') === true) return runTests({});
  if (existsSync(STARTER)) return await onOwnGateway();
  return notRun(`OBJECT_STORE names no bucket, and there is no ${STARTER} to start one`);
}

process.exitCode = await run();
