/**
 * `start` killed while its initdb runs, at moments spread over that run: every second time the program alone, whose
 * initdb goes on writing, else both. A `start` on the same folder, at once, makes the cluster and serves.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { type Program, startProgram } from '../../commands/program.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';

const POLL_MS = 5;
/** Only an initdb that hangs takes so long. */
const INITDB_LIMIT_MS = 120_000;

export const initdbKills: Campaign = {
  name: 'initdb-kills',
  title: 'start killed at moments spread over the run of its initdb, and started again at once',
  rows: ['F-1'],
  unit: 'kills',
  times: { short: 4, long: 16 },
  run: killStarts,
};

async function killStarts({ times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const bad: string[] = [];
  const figures = {
    'initdb takes ms': await inFolder(measure),
    'killed within initdb': 0,
    'initdb went on': 0,
  };
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const alone = done % 2 === 1;
    // In the middle of as many equal parts of the run as there are kills.
    const after_ms = Math.round(((done + 0.5) / times) * figures['initdb takes ms']);
    const kind = `${alone ? 'the program' : 'the program and its initdb'} killed after ${after_ms} ms of initdb`;
    try {
      const within = await inFolder((dataDir) => killAndStart(dataDir, after_ms, alone));
      if (within) figures['killed within initdb'] += 1;
      if (within && alone) figures['initdb went on'] += 1;
    } catch (error) {
      bad.push(violationText(kind, error));
    }
    say(`${done + 1} of ${times}: ${kind}`);
  }
  return { done, bad, figures };
}

async function inFolder<Result>(run: (dataDir: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-initdb-'));
  try {
    return await run(dataDir);
  } finally {
    // The initdb of a killed program may still be writing.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 });
  }
}

const start = (dataDir: string): Program =>
  startProgram(['start'], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' });

/** The duration of an undisturbed initdb, in milliseconds. */
async function measure(dataDir: string): Promise<number> {
  const program = start(dataDir);
  try {
    await until(async () => (await stageOf(dataDir)) !== 'before');
    const from = performance.now();
    await until(async () => (await stageOf(dataDir)) === 'made');
    return Math.round(performance.now() - from);
  } finally {
    await ended(program);
  }
}

/** Kills a first start, then demands of a second that it serves; true when the kill came before initdb had ended. */
async function killAndStart(dataDir: string, after_ms: number, alone: boolean): Promise<boolean> {
  const killed = start(dataDir);
  await until(async () => (await stageOf(dataDir)) !== 'before');
  await sleep(after_ms);
  const within = (await stageOf(dataDir)) === 'making';
  if (alone) killed.signal('SIGKILL');
  else killed.signalGroup('SIGKILL');
  const program = start(dataDir);
  try {
    const origin = (await program.said(/^ready /)).replace(/^ready /, '');
    const { TOKEN = '' } = parseEnv(await readFile(join(dataDir, 'demo.env'), 'utf8'));
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${origin}/v1/reporting/latest/costs.parquet`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`latest is ${answer.status} after the second start`);
    return within;
  } finally {
    await ended(program);
    // Its output is also its initdb's: both have ended.
    await killed.ended;
  }
}

async function ended(program: Program): Promise<void> {
  program.signal('SIGTERM');
  await program.ended;
}

async function stageOf(dataDir: string): Promise<'before' | 'making' | 'made'> {
  const names = await readdir(join(dataDir, 'postgres')).catch((): string[] => []);
  if (names.includes('data')) return 'made';
  return names.some((name) => name.startsWith('data.new')) ? 'making' : 'before';
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const from = performance.now(); performance.now() - from < INITDB_LIMIT_MS;) {
    if (await holds()) return;
    await sleep(POLL_MS);
  }
  throw new Error(`initdb did not come as far within ${INITDB_LIMIT_MS / 1000} s`);
}
