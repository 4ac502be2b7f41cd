/**
 * Deletes the oldest deliveries of a target, so that the newest stay that its owner asked for. An object is deleted only if a
 * delivery made it and it has not changed since: all others belong to the customer.
 */
import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import { untilAnswered } from '../store/retry.ts';
import type { ReplacingStore } from '../store/store.ts';
import { readKeep, readOverdue, readOwnObjects, recordPruned } from './kept-records.ts';
import type { DueDelivery } from './records.ts';

interface PruneTools {
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  readonly clock: Clock;
}

/** Deletes what no longer stays; safe to repeat. */
export async function pruneTarget(
  due: DueDelivery,
  target: ReplacingStore,
  { service, clock }: PruneTools,
): Promise<void> {
  const keep = await readKeep(service, due);
  if (keep === null) return;
  for (const id of await readOverdue(service, due, keep)) {
    for (const { key, made_at } of await readOwnObjects(service, due.account_id, id)) {
      const found = await untilAnswered(clock, () => target.stat(key));
      if (found !== null && found.created_at === made_at) await target.delete(key);
    }
    await recordPruned(service, due.account_id, id);
  }
}
