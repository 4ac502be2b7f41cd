/** Pruning with what the settings name: the ledger's clock, the object store, and its folder if it is one. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readClock } from '../../ledger/clock.ts';
import { openClient } from '../../ledger/connect.ts';
import { openLog } from '../../log.ts';
import { prune, type PruneJob, type Pruned } from '../../snapshot/keep/prune.ts';
import type { Removal } from '../../snapshot/keep/removals.ts';
import type { Settings } from '../../config.ts';
import { readStoreClock } from '../../store/clock.ts';
import { sweepFolder } from '../../store/folder-sweep.ts';
import { openObjectStore } from '../object-store.ts';
import { type HeadSettings, openHeadWatch } from '../seen-heads.ts';
import { MARKING, PACE } from '../surroundings.ts';

export type PruneSettings = HeadSettings & Pick<Settings, 'logFormat'>;

export interface StorePruneJob extends PruneJob {
  readonly settings: PruneSettings;
  readonly ledgerUrl: string;
  readonly onRemoval: (account_id: bigint, removal: Removal) => void;
  readonly onFault: (account_id: bigint, fault: unknown) => void;
  /** A half-written file or an empty folder of a store that is a folder. */
  readonly onSweep: (path: string) => void;
}

/** Prunes, then sweeps; says how much there was. */
export async function pruneStore(job: StorePruneJob): Promise<Pruned> {
  const { settings, ledgerUrl, dryRun, ...rest } = job;
  // A connection that is lost fails the next question, which says so.
  await using client = await openClient({
    url: ledgerUrl,
    role: 'cf_reader',
    applicationName: 'crossfoot prune',
  });
  const store = await openObjectStore(settings);
  const clock = (): Promise<bigint> => readStoreClock(store, randomUUID);
  const readDatabaseClock = (): Promise<bigint> => readClock(client);
  // A login that reads is enough to prune: the folder remembers what builds and servers of this machine saw.
  const checkHead = openHeadWatch({
    settings,
    onService: null,
    logger: openLog({ logLevel: 'warn', logFormat: settings.logFormat }),
  });
  const tools = {
    ...rest,
    checkHead,
    store,
    pace: PACE,
    ...MARKING,
    readDatabaseClock,
    readStoreClock: clock,
  };
  const pruned = await prune({ account_id: job.account_id, dryRun }, tools);
  if (settings.objectStore.protocol === 'file:' && job.account_id === null) {
    const root = fileURLToPath(settings.objectStore);
    for await (const path of sweepFolder({ fs, root, now: await clock(), dryRun })) job.onSweep(path);
  }
  return pruned;
}
