/** How long a person waits for `npm start` on a new and on an old folder, an operator for `serve`, and what imports cost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Benchmark, type BenchRequest, type Figure, figure } from './benchmark.ts';
import { median, timed } from './rounds.ts';
import { SEED } from '../support/signing.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const RUNS = 3;
const IMPORT_RUNS = 5;

/** Typed wrong, and asked for help: nothing of what a command needs to work is loaded. */
const WORDS = { help: ['--help'], 'wrong option': ['build', '--acount', '1'] } as const;
const WORD_RUNS = 9;
/** Said by the program itself when it ends, on a line of its own. */
const TELL_PEAK = "process.on('exit', () => console.error(process.resourceUsage().maxRSS))";

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
  run: async (request) => [...(await starts(request)), ...(await words()), ...(await imports())],
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
        SIGNING_KEYS: SEED,
        OBJECT_STORE: pathToFileURL(join(folder, 'store')).href,
      }),
    );
  }
  return [
    start('npm start on a fresh folder', fresh),
    start('npm start on an existing folder', existing, { target: { at_most: 2 } }),
    start('serve, its database elsewhere', serving),
  ];
}

function start(what: string, seconds: readonly number[], beside: Pick<Figure, 'target'> = {}): Figure {
  return figure(`start-up: ${what}`, median(seconds), 's', { runs: seconds.length, ...beside });
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

/** What it takes to answer without working: seconds, and the memory of the process at its peak. */
async function words(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [what, args] of Object.entries(WORDS)) {
    await runWord(args); // once for the cache of compiled code
    const runs: Word[] = [];
    while (runs.length < WORD_RUNS) runs.push(await runWord(args));
    const [seconds, megabytes] = [runs.map(({ wall_s }) => wall_s), runs.map(({ peak_mb }) => peak_mb)];
    const name = `start-up: ${what}`;
    figures.push(
      figure(name, median(seconds), 's', { runs: WORD_RUNS, target: { at_most: 0.2 } }),
      figure(`${name}, peak memory`, median(megabytes), 'MB', {
        runs: WORD_RUNS,
        target: { at_most: 80 },
      }),
    );
  }
  return figures;
}

interface Word {
  readonly wall_s: number;
  readonly peak_mb: number;
}

async function runWord(args: readonly string[]): Promise<Word> {
  const began = performance.now();
  const tell = `data:text/javascript,${encodeURIComponent(TELL_PEAK)}`;
  const child = spawn(process.execPath, ['--import', tell, 'src/cli.ts', ...args], {
    cwd: TOP,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = await text(child.stderr);
  return {
    wall_s: (performance.now() - began) / 1000,
    peak_mb: Number(said.trimEnd().split('\n').at(-1)) / 1024,
  };
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
