/** One build as a schedule or a command starts it, in a process of its own, watched from outside. */
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildMessage, BuildRequest } from '../../src/run/builders/messages.ts';
import { startBuilder } from '../../src/run/builders/build-process.ts';
import { buildLine } from '../../src/run/builders/report.ts';
import type { Databases } from '../../src/run/opened-databases.ts';
import type { BuildEvent } from '../../src/snapshot/builder/events.ts';
import { type MemorySample, watchMemory } from './process-tree.ts';
import { SEED } from '../support/signing.ts';

/** A step of the build, named as its line begins; its samples are those since the step before. */
export interface MeasuredStep {
  readonly line: string;
  readonly peak_bytes: number;
}

export interface MeasuredBuild {
  readonly events: readonly BuildEvent[];
  readonly samples: readonly MemorySample[];
  readonly steps: readonly MeasuredStep[];
  readonly peak_bytes: number;
  readonly seconds: number;
}

/** The environment of a builder that works in the folder and publishes to a store in it. */
export function builderEnv(
  { ledgerUrl, serviceUrl }: Databases,
  folder: string,
  store: string,
): Readonly<Record<string, string | undefined>> {
  const OBJECT_STORE = pathToFileURL(join(folder, store)).href;
  return {
    ...process.env,
    LEDGER_URL: ledgerUrl,
    DATABASE_URL: serviceUrl,
    SIGNING_KEYS: SEED,
    OBJECT_STORE,
    DATA_DIR: folder,
  };
}

const TABLES_ALONE = fileURLToPath(new URL('./peers/tables-builder.ts', import.meta.url));

/** The same build without companion tables, FOCUS file and signatures. */
export function measureTables(account: bigint, env: ReturnType<typeof builderEnv>): Promise<MeasuredBuild> {
  return measureBuild(account, env, TABLES_ALONE);
}

/** Builds the account in a child with this environment; throws unless it was published, and so passed its audit. */
export async function measureBuild(
  account: bigint,
  env: ReturnType<typeof builderEnv>,
  entry?: string,
): Promise<MeasuredBuild> {
  const child = startBuilder(env, entry);
  child.send({ account: String(account), night: null, requested_at: null } satisfies BuildRequest);
  const samples: MemorySample[] = [];
  const events: BuildEvent[] = [];
  const steps: MeasuredStep[] = [];
  let stepBegan = 0;
  const ended = new AbortController();
  const watching = watchMemory(child.pid ?? 0, ended.signal, (sample) => samples.push(sample));
  child.on('message', (message: BuildMessage) => {
    if ('ended' in message) child.disconnect();
    if (!('event' in message) || message.event.kind === 'rows.written') return;
    events.push(message.event);
    steps.push({ line: buildLine(message.event).trim(), peak_bytes: peakOf(samples.slice(stepBegan)) });
    stepBegan = Math.max(0, samples.length - 1);
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  ended.abort();
  await watching;
  if (code !== 0) throw new Error(`the build of account ${account} ended with ${code}`);
  return { events, samples, steps, peak_bytes: peakOf(samples), seconds: (samples.at(-1)?.ms ?? 0) / 1000 };
}

function peakOf(samples: readonly MemorySample[]): number {
  return Math.max(0, ...samples.map(({ rss_bytes }) => rss_bytes));
}
