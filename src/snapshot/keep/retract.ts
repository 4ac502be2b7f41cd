/**
 * A retraction marks a published snapshot as no longer to be used. Its files stay readable, so that readers can compare. A
 * retraction cannot be undone.
 */
import { CrossfootError } from '../../errors.ts';
import { appendMark, type MarkTools } from './append-mark.ts';
import { untilAnswered } from '../../store/retry.ts';
import { requireAgreement } from '../../clock-offsets.ts';
import { futureHeads } from './future-heads.ts';
import type { Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import { requirePublished } from '../read/published-entry.ts';
import { readLog } from '../read/read-log.ts';
import { type Retraction, snapshotStatus } from '../format/snapshot-status.ts';

export interface RetractedSnapshot {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly reason: string;
  /** The id of the snapshot to read instead; null if there is none. */
  readonly replaced_by: string | null;
  readonly by: string;
  readonly now: Instant;
}

/** Retracts the snapshot. Repeating the same retraction changes nothing; a different one is refused. */
export async function retract(wanted: RetractedSnapshot, tools: MarkTools): Promise<Retraction> {
  const { account_id, snapshot_id, reason, replaced_by, by, now } = wanted;
  await requirePublished(account_id, snapshot_id, tools);
  if (replaced_by === snapshot_id) throw refusedSuccessor('A snapshot cannot replace itself.');
  if (replaced_by !== null) await requirePublished(account_id, replaced_by, tools);
  const at = now;
  const marks = await appendMark(
    account_id,
    (known) => {
      const { retraction } = snapshotStatus(known, snapshot_id);
      if (retraction !== null) {
        if (retraction.reason === reason && retraction.replaced_by === replaced_by) return null;
        throw new CrossfootError(
          'snapshot_retracted',
          `Snapshot ${snapshot_id} was already retracted at ${formatInstant(retraction.at)}, with another reason or replacement.`,
          { hint: 'A retraction cannot be changed.', data: { snapshot: snapshot_id } },
        );
      }
      if (replaced_by !== null && snapshotStatus(known, replaced_by).retraction !== null) {
        throw refusedSuccessor(`Snapshot ${replaced_by} was itself retracted.`);
      }
      return { kind: 'retracted', snapshot_id, reason, replaced_by, at, by };
    },
    tools,
  );
  return snapshotStatus(marks, snapshot_id).retraction ?? { reason, at, replaced_by };
}

export type RetractedHead = Omit<RetractedSnapshot, 'replaced_by'>;

/**
 * Retracts the newest snapshot if it is dated in the future, and the snapshots right before it that are, too. The next build may
 * then have a smaller id. Returns the retracted ids, newest first. Idempotent. Throws if `snapshot_id` is not the newest
 * snapshot or is not dated in the future.
 */
export async function retractFutureHeads(
  wanted: RetractedHead,
  tools: MarkTools,
): Promise<readonly string[]> {
  const { account_id, snapshot_id, reason, by, now } = wanted;
  // If this machine's clock is slow, a correct snapshot looks dated in the future. So the clocks must agree.
  requireAgreement({ database_offset: null, store_offset: now - tools.clock.now() }, 'retracted');
  await requirePublished(account_id, snapshot_id, tools);
  const log = await untilAnswered(tools.clock, () => readLog(tools.store, account_id));
  if (log.fault !== null) throw log.fault;
  const heads = futureHeads(log, now).map((entry) => entry.snapshot_id);
  if (heads[0] !== snapshot_id) {
    const newest = log.entries.at(-1)?.snapshot_id;
    throw new CrossfootError(
      'usage_invalid',
      newest === snapshot_id
        ? `Snapshot ${snapshot_id} is not dated in the future: it is ${formatInstant(now)}.`
        : `Snapshot ${snapshot_id} is not the newest of account ${account_id}; expected ${newest}.`,
      { hint: 'Only the newest snapshot, dated in the future, keeps builds from publishing.' },
    );
  }
  const at = now;
  for (const id of heads) {
    await appendMark(
      account_id,
      (marks) => {
        const { future_head } = snapshotStatus(marks, id);
        if (future_head) return null;
        return { kind: 'retracted', snapshot_id: id, reason, replaced_by: null, at, by, future_head: true };
      },
      tools,
    );
  }
  return heads;
}

function refusedSuccessor(message: string): CrossfootError {
  return new CrossfootError('usage_invalid', message, {
    hint: 'Name another snapshot that is not retracted, or omit the replacement.',
  });
}
