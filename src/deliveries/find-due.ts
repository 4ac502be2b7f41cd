/**
 * Finds and queues the deliveries that are due: of each target the newest snapshot at first, then every later one, and those whose snapshot was
 * retracted since. The search
 * keeps no state beside the deliveries themselves, so it finds every snapshot, also of a build by hand.
 */
import type { Pool } from 'pg';
import { errorFields, type Logger } from '../log.ts';
import type { Marks } from '../snapshot/format/marks.ts';
import type { PublishLog } from '../snapshot/format/publish-log.ts';
import { snapshotStatus } from '../snapshot/format/snapshot-status.ts';
import { DELIVERY_QUEUE, type DeliveryQueue } from './queue.ts';
import { type NewDelivery, readTargets, type TargetProgress, tidyDeliveries } from './records.ts';

export interface FindTools {
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  readonly queue: Pick<DeliveryQueue, 'enqueue' | 'reopen'>;
  /** The accounts that report. */
  readonly readAccounts: () => Promise<readonly bigint[]>;
  readonly logOf: (account_id: bigint) => Promise<PublishLog>;
  readonly marksOf: (account_id: bigint) => Promise<Marks>;
  readonly logger: Logger;
}

/** Searches once. Failures go to the log, and the damaged log of one account does not stop the search in the others. */
export async function findDueDeliveries(tools: FindTools): Promise<void> {
  const { service, logger } = tools;
  try {
    await tidyDeliveries(service, DELIVERY_QUEUE);
    const targets = await readTargets(service);
    const reporting = targets.length === 0 ? null : new Set(await tools.readAccounts());
    for (const target of targets) {
      if (reporting?.has(target.account_id) !== true) continue;
      await enqueueDue(target, tools).catch((error: unknown) =>
        logger.error('delivery.unfound', { account: target.account_id, ...errorFields(error) }),
      );
    }
  } catch (error) {
    logger.error('delivery.unfound', errorFields(error));
  }
}

async function enqueueDue({ account_id, target_id, seq }: TargetProgress, tools: FindTools): Promise<void> {
  const { entries } = await tools.logOf(account_id);
  const due = seq === null ? entries.slice(-1) : entries.slice(seq);
  const deliveries: readonly NewDelivery[] = due.map((entry) => ({
    account_id,
    target_id,
    snapshot_id: entry.snapshot_id,
    seq: entry.seq,
  }));
  if (deliveries.length > 0) await tools.queue.enqueue(deliveries);
  const marks = await tools.marksOf(account_id);
  const retracted = [...marks.of.keys()].filter((id) => snapshotStatus(marks, id).retraction !== null);
  if (seq !== null && retracted.length > 0) await tools.queue.reopen({ account_id, target_id }, retracted);
}
