/** Marking and scrubbing as the tests run them: one clock, one store, and what was told. */
import { scrub, type Scrubbed, type ScrubJob, type ScrubTools } from '../../../src/snapshot/keep/scrub.ts';
import type { MarkTools } from '../../../src/snapshot/keep/append-mark.ts';
import type { Store } from '../../../src/store/store.ts';
import { marking, clockOf } from './prune-harness.ts';

/** What is needed to say something of a snapshot. */
export function markTools(store: Store, clock: { now: bigint }): MarkTools {
  return { store, clock: clockOf(clock), newNonce: marking().newNonce };
}

export interface ToldScrub extends Scrubbed {
  /** `damaged 20260301T000000Z costs.parquet`, and `read`, `restored`, `strange`, in the order they were told. */
  readonly told: readonly string[];
  readonly faults_told: readonly unknown[];
}

export async function scrubNow(
  store: Store,
  clock: { now: bigint },
  job: Partial<ScrubJob> = {},
  tools: Partial<ScrubTools> = {},
): Promise<ToldScrub> {
  const told: string[] = [];
  const faults_told: unknown[] = [];
  const scrubbed = await scrub(
    {
      account_id: null,
      budget_bytes: Number.MAX_SAFE_INTEGER,
      dryRun: false,
      signal: new AbortController().signal,
      ...job,
    },
    {
      openStore: () => Promise.resolve(store),
      clock: clockOf(clock),
      now: clock.now,
      ...marking(),
      onDue: ({ entry }) => told.push(`read ${entry.snapshot_id}`),
      onDamage: ({ entry, files, pins, head }) => {
        const lost = pins.map(({ name }) => ` lost ${name}`).join('');
        told.push(`damaged ${entry.snapshot_id} ${files.join(' ')}${lost}${head ? ' head' : ''}`);
      },
      onRestored: ({ entry }) => told.push(`restored ${entry.snapshot_id}`),
      onUnknownKey: ({ entry }, key) => told.push(`unknown ${entry.snapshot_id} ${key}`),
      onStrange: ({ entry }, file) => told.push(`strange ${entry.snapshot_id} ${file}`),
      onDamagedComparison: ({ entry }, prefix) => told.push(`comparison ${entry.snapshot_id} ${prefix}`),
      onFault: (_, fault) => faults_told.push(fault),
      ...tools,
    },
  );
  return { ...scrubbed, told, faults_told };
}

/** Turns one bit of the stored object whose key fits. */
export function flipStored(objects: Map<string, Uint8Array>, key: RegExp): void {
  const found = [...objects].find(([each]) => key.test(each));
  if (found === undefined) throw new Error(`nothing is stored as ${key}`);
  const [name, bytes] = found;
  const bad = Buffer.from(bytes);
  bad[0] = (bad[0] ?? 0) ^ 1;
  objects.set(name, bad);
}
