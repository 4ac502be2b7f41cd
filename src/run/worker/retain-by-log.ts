/** Retention as a job: logs each deletion, and each account whose pruning ended with a fault. */
import { errorFields, type Logger } from '../../log.ts';
import { type PruneSettings, pruneStore, type StorePruneJob } from './prune-store.ts';
import { withReserve } from '../with-reserve.ts';

/** Prunes every account; false if the pruning of an account ended with a fault. */
export async function retainByLog(
  settings: PruneSettings,
  ledgerUrl: string,
  logger: Logger,
): Promise<boolean> {
  const job: StorePruneJob = {
    settings,
    ledgerUrl,
    account_id: null,
    dryRun: false,
    onRemoval: (account, { snapshot_id, why }) =>
      logger.info('files.removed', { account, snapshot: snapshot_id, step: why }),
    onFault: (account, fault) => logger.error('retention.skipped', { account, ...errorFields(fault) }),
    onSweep: (file) => logger.info('leftover.removed', { file }),
  };
  const { faults } = await withReserve(settings, () => pruneStore(job));
  return faults === 0;
}
