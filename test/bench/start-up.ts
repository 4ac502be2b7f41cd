/** How long a person waits for `npm start` on a new and on an old folder, an operator for `serve`, and what imports cost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Benchmark, type BenchRequest, type Figure, figure } from './benchmark.ts';
import { median, timed } from './rounds.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const RUNS = 3;
const IMPORT_RUNS = 5;

/** What takes long to load, and should be loaded only where it is used. */
const HEAVY = [
  '@duckdb/node-api',
  'parquet-wasm',
  'apache-arrow',
  '@aws-sdk/client-s3',
  'pg-boss',
  '@hono/zod-openapi',
];

export const startUp: Benchmark = {
  name: 'start-up',
  title: 'from the command to ready',
  run: async (request) => [...(await starts(request)), ...(await imports())],
};

async function starts({ ledger, folder }: BenchRequest): Promise<readonly Figure[]> {
  const { databases } = await ledger();
  const own = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'error' };
  const fresh: number[] = [];
  const existing: number[] = [];
  const serving: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const env = { ...own, DATA_DIR: join(folder, `data-${run}`) };
    fresh.push(await untilReady('start', env));
    existing.push(await untilReady('start', env));
    serving.push(
      await untilReady('serve', {
        ...own,
        SECRET_KEYS: 'the key of a server that is measured',
        LEDGER_URL: databases.ledgerUrl,
        DATABASE_URL: databases.serviceUrl,
        OBJECT_STORE: pathToFileURL(join(folder, 'store')).href,
      }),
    );
  }
  return [
    start('npm start on a fresh folder', fresh),
    start('npm start on an existing folder', existing),
    start('serve, its database elsewhere', serving),
  ];
}

function start(what: string, seconds: readonly number[]): Figure {
  return figure(`start-up: ${what}`, median(seconds), 's', { runs: seconds.length });
}

/** Seconds from the start of the program to its word that it is ready; ends it. */
async function untilReady(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['src/cli.ts', command], {
    cwd: TOP,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('ready')) return (performance.now() - began) / 1000;
    }
    throw new Error(`${command} ended before it was ready`);
  } finally {
    child.stdout.resume();
    child.kill('SIGTERM');
    await ended;
  }
}

async function imports(): Promise<readonly Figure[]> {
  const bare = await importSeconds('node:fs');
  const figures: Figure[] = [];
  for (const name of HEAVY) {
    figures.push(
      figure(`start-up: import of ${name}`, (await importSeconds(name)) - bare, 's', {
        against: 'a bare node',
        runs: IMPORT_RUNS,
      }),
    );
  }
  return figures;
}

async function importSeconds(name: string): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < IMPORT_RUNS; run += 1) {
    const { wall_s } = await timed(async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', `await import('${name}')`], {
        cwd: TOP,
      });
      await once(child, 'exit');
    });
    runs.push(wall_s);
  }
  return median(runs);
}
