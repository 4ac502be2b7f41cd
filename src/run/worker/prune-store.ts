/**
 * Deletes expired snapshots and abandoned builds from the store of the settings. `snapshot/keep/prune.ts` decides which.
 */
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
import { IDENTITY, CLOCK } from '../machine.ts';

export type PruneSettings = HeadSettings & Pick<Settings, 'logFormat' | 'signing'>;

export interface StorePruneJob extends PruneJob {
  readonly settings: PruneSettings;
  readonly ledgerUrl: string;
  readonly onRemoval: (account_id: bigint, removal: Removal) => void;
  readonly onFault: (account_id: bigint, fault: unknown) => void;
  /** Called for each half-written file or empty folder that is swept. */
  readonly onSweep: (path: string) => void;
}

/** Prunes; returns the counts. A prune of all accounts also sweeps a folder store: old half-written files, empty folders. */
export async function pruneStore(job: StorePruneJob): Promise<Pruned> {
  const { settings, ledgerUrl, dryRun, ...rest } = job;
  // No `onError`: if the connection is lost, the next query fails.
  await using client = await openClient({
    url: ledgerUrl,
    role: 'cf_reader',
    applicationName: 'crossfoot prune',
  });
  const store = await openObjectStore(settings);
  const clock = (): Promise<bigint> => readStoreClock(store, randomUUID);
  const readDatabaseClock = (): Promise<bigint> => readClock(client);
  // Read the last seen heads from the files below DATA_DIR only, not from the database. So a prune needs no login as
  // `cf_service`, which may write to the database.
  const checkHead = openHeadWatch({
    settings,
    onService: null,
    logger: openLog({ logLevel: 'warn', logFormat: settings.logFormat }),
  });
  const tools = {
    ...rest,
    checkHead,
    store,
    clock: CLOCK,
    ...IDENTITY,
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
