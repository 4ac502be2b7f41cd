/**
 * Finds and queues events that no other code queued: a snapshot whose builder died after publishing or ran outside the queue, a
 * build that failed its last retry, a late or stale newest snapshot, a retracted or damaged snapshot. The search keeps no state: an event's id is
 * made of its type, account and snapshot (for a failed build, its job), so queueing an event twice has no effect.
 */
import type { Pool } from 'pg';
import { errorFields, type Logger } from '../log.ts';
import { readDeadBuilds } from '../ops/dead-builds.ts';
import { WEBHOOK_QUEUE } from './queue.ts';
import { tidyAccountChanges } from '../ops/account-changes.ts';
import { claimWatch, readWebhookAccounts, tidyEvents } from './records.ts';
import { FRESH_SECONDS } from '../snapshot/format/retention.ts';
import type { Marks } from '../snapshot/format/marks.ts';
import type { LogEntry, PublishLog } from '../snapshot/format/publish-log.ts';
import { secondOfSnapshotId } from '../snapshot/format/snapshot-id.ts';
import type { EnqueueEvent } from './enqueue-event.ts';
import { DAY, type Instant, SECOND } from '../instant.ts';

/** The time between searches. A search costs one store call per account, and an event may be reported this much later. */
const EVERY_SECONDS = 120;
/** Events older than this are not sent, such as after a long outage. */
const LOOKED_BACK_DAYS = 2;
/** A newest snapshot is stale after 36 hours: one night, and half a day for an operator to act. */
const STALE_MICROSECONDS = (DAY * 3n) / 2n;
const LATE_MICROSECONDS = BigInt(FRESH_SECONDS) * SECOND;

export interface MissedEventTools {
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  readonly enqueueEvent: EnqueueEvent;
  /** The accounts that report. */
  readonly readAccounts: () => Promise<readonly bigint[]>;
  readonly logOf: (account_id: bigint) => Promise<PublishLog>;
  readonly marksOf: (account_id: bigint) => Promise<Marks>;
  readonly now: () => Instant;
  readonly logger: Logger;
}

/** Searches once if a search is due and no other worker runs one. Failures go to the log. */
export async function watchOnce(tools: MissedEventTools): Promise<void> {
  const { service, logger } = tools;
  try {
    if (!(await claimWatch(service, 'webhooks', EVERY_SECONDS))) return;
    await enqueueMissedEvents(tools);
  } catch (error) {
    logger.error('watch.failed', errorFields(error));
  }
}

/** Searches now, and deletes old events and deliveries without a job. */
export async function enqueueMissedEvents(tools: MissedEventTools): Promise<void> {
  const { service, enqueueEvent, logger } = tools;
  await tidyEvents(service, WEBHOOK_QUEUE);
  await tidyAccountChanges(service);
  for (const { account_id, night, job_id, code } of await readDeadBuilds(service, LOOKED_BACK_DAYS)) {
    await enqueueEvent({ type: 'snapshot.failed', account_id, night, job_id, code });
  }
  const accounts = await readWebhookAccounts(service);
  const reporting = accounts.length === 0 ? null : new Set(await tools.readAccounts());
  for (const { account_id, since } of accounts) {
    if (reporting?.has(account_id) !== true) continue;
    // A broken publish log of one account must not stop the search in the others.
    await enqueueMissedEventsOf(account_id, since, tools).catch((error: unknown) =>
      logger.error('watch.failed', { account: account_id, ...errorFields(error) }),
    );
  }
}

async function enqueueMissedEventsOf(
  account_id: bigint,
  since: Instant,
  tools: MissedEventTools,
): Promise<void> {
  const { enqueueEvent, now } = tools;
  const [{ entries }, marks] = await Promise.all([tools.logOf(account_id), tools.marksOf(account_id)]);
  const earliest = now() - BigInt(LOOKED_BACK_DAYS) * DAY;
  const after = since > earliest ? since : earliest;
  for (const entry of entries.filter((each) => each.published_at > after)) {
    const of = { account_id, ...namesOf(entry) };
    await enqueueEvent({ type: 'snapshot.published', ...of });
    await enqueueEvent({ type: 'totals.moved', ...of });
    await enqueueEvent({ type: 'budget.passed', ...of });
  }
  for (const mark of [...marks.of.values()].flat()) {
    if (mark.at <= after) continue;
    const { snapshot_id } = mark;
    const night = entries.find((each) => each.snapshot_id === snapshot_id)?.night ?? null;
    const of = { account_id, snapshot_id, night };
    if (mark.kind === 'retracted') {
      await enqueueEvent({ type: 'snapshot.retracted', ...of, replaced_by: mark.replaced_by });
    } else if (mark.kind === 'quarantined') {
      await enqueueEvent({ type: 'snapshot.damaged', ...of, files: mark.files, mark: mark.seq });
    }
  }
  const newest = entries.at(-1);
  if (newest === undefined) return;
  const age = now() - secondOfSnapshotId(newest.snapshot_id);
  const overdue = { account_id, ...namesOf(newest) };
  if (age > LATE_MICROSECONDS) await enqueueEvent({ type: 'snapshot.late', ...overdue });
  if (age > STALE_MICROSECONDS) await enqueueEvent({ type: 'snapshot.stale', ...overdue });
}

function namesOf({ snapshot_id, night }: LogEntry): Pick<LogEntry, 'snapshot_id' | 'night'> {
  return { snapshot_id, night };
}
