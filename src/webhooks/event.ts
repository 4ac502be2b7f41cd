/**
 * The webhook events. They are small and name no person. They contain only figures on which a person must act: the amounts that
 * are left out of all totals, the difference for which a snapshot was refused, totals that moved and budgets that were passed.
 */
import { createHash } from 'node:crypto';
import type { Instant } from '../instant.ts';
import { formatInstant } from '../time.ts';
import type { NightChanges } from './night-changes.ts';
import type { Manifest } from '../snapshot/format/manifest.ts';

interface OfAccount {
  readonly account_id: bigint;
}
interface OfSnapshot extends OfAccount {
  readonly snapshot_id: string;
  /** The night of the snapshot, `YYYY-MM-DD`; null if it is not known. */
  readonly night: string | null;
}

/** A snapshot can be read. */
interface Published extends OfSnapshot {
  readonly type: 'snapshot.published';
}
/** A snapshot was refused, because of its figures or of a table that lost rows. The previous snapshot stays the newest. */
interface Refused extends OfAccount {
  readonly type: 'snapshot.refused';
  readonly night: string;
  /** The check of the audit, or the code of the error. */
  readonly check: string;
  /** The difference between found and expected in the first finding, in cents; null if the finding is not about an amount. */
  readonly cents_off: number | null;
}
/** All attempts of a build failed. The previous snapshot stays the newest. */
interface Failed extends OfAccount {
  readonly type: 'snapshot.failed';
  readonly night: string | null;
  /** The id of the job, which distinguishes rebuilds. */
  readonly job_id: string;
  /** A code of the error catalogue, or `unforeseen`. */
  readonly code: string;
}
/** The newest snapshot is too old, of 26 hours (late: a night was missed) or of 36 (stale); sent once per snapshot. */
interface Overdue extends OfSnapshot {
  readonly type: 'snapshot.late' | 'snapshot.stale';
}
/** A snapshot that could be read should no longer be used. */
interface Retracted extends OfSnapshot {
  readonly type: 'snapshot.retracted';
  /** The id of the snapshot to use instead; null if there is none. */
  readonly replaced_by: string | null;
}
/** Files of a snapshot that could be read are not what was audited. They are refused until they are restored. */
interface Damaged extends OfSnapshot {
  readonly type: 'snapshot.damaged';
  readonly files: readonly string[];
  /** The number of the mark that says so, which distinguishes damage from later damage. */
  readonly mark: number;
}

/** The snapshot was compared with the one before: totals moved, or budgets were passed. */
interface Compared extends OfSnapshot {
  readonly type: 'totals.moved' | 'budget.passed';
}

/** A snapshot was delivered whole to a target of the account, or could not be: `reason` then says why. */
interface Delivered extends OfSnapshot {
  readonly type: 'snapshot.delivered' | 'snapshot.undelivered';
  readonly target_id: bigint;
  readonly reason: string | null;
}

export type WebhookEvent =
  | Published
  | Refused
  | Failed
  | Overdue
  | Retracted
  | Damaged
  | Compared
  | Delivered;

/** Sent as `webhook-id`: equal for equal events, so that a receiver can drop duplicates. */
export function messageIdOf(event: WebhookEvent): string {
  const parts = [event.type, event.account_id, ...identityOf(event)];
  const digest = createHash('sha256').update(`crossfoot ${parts.join(' ')}`);
  return `msg_${digest.digest('base64url')}`;
}

function identityOf(event: WebhookEvent): readonly string[] {
  switch (event.type) {
    case 'snapshot.published':
    case 'snapshot.late':
    case 'snapshot.stale':
    case 'snapshot.retracted':
    case 'totals.moved':
    case 'budget.passed':
      return [event.snapshot_id];
    case 'snapshot.damaged':
      return [event.snapshot_id, String(event.mark)];
    case 'snapshot.delivered':
    case 'snapshot.undelivered':
      return [event.snapshot_id, String(event.target_id)];
    case 'snapshot.refused':
      return [event.night, event.check];
    case 'snapshot.failed':
      return [event.job_id];
  }
}

export interface Circumstances {
  /** When it happened. */
  readonly at: Instant;
  /** For a refusal: since when the same check refuses every night; `at` if the refusal is new. */
  readonly since: Instant;
  /** For a published snapshot: the amounts that its totals leave out; null if its manifest does not state them. */
  readonly left_out: Manifest['left_out'];
  /** For an event of the comparison with the snapshot before: what changed. Null for every other event. */
  readonly changes: NightChanges | null;
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: string;
}

/** The body of the message as JSON: `type`, `timestamp` and `data`, as the Standard Webhooks specification requires. */
export function bodyOf(event: WebhookEvent, circumstances: Circumstances): string {
  const { at } = circumstances;
  const { type, account_id, night } = event;
  // The id is exact as a JSON number: no manifest is written for a larger id.
  const of = { account_id: Number(account_id), night };
  return JSON.stringify({
    type,
    timestamp: formatInstant(at),
    data: { ...of, ...detailsOf(event, circumstances), url: urlOf(event, circumstances) },
  });
}

function detailsOf(
  event: WebhookEvent,
  { since, left_out, changes }: Circumstances,
): Readonly<Record<string, unknown>> {
  switch (event.type) {
    case 'snapshot.published':
      return { snapshot_id: event.snapshot_id, left_out };
    case 'snapshot.late':
    case 'snapshot.stale':
      return { snapshot_id: event.snapshot_id };
    case 'snapshot.retracted':
      return { snapshot_id: event.snapshot_id, replaced_by: event.replaced_by };
    case 'snapshot.damaged':
      return { snapshot_id: event.snapshot_id, files: event.files };
    case 'snapshot.delivered':
    case 'snapshot.undelivered':
      return { snapshot_id: event.snapshot_id, target_id: Number(event.target_id), reason: event.reason };
    case 'snapshot.refused':
      return { check: event.check, cents_off: event.cents_off, since: formatInstant(since) };
    case 'snapshot.failed':
      return { code: event.code };
    case 'totals.moved':
      return {
        snapshot_id: event.snapshot_id,
        compared_with: changes?.compared_with,
        totals: changes?.totals,
      };
    case 'budget.passed':
      return {
        snapshot_id: event.snapshot_id,
        compared_with: changes?.compared_with,
        budgets: changes?.budgets,
      };
  }
}

/** The address of the comparison, or else of the snapshot's manifest; without a snapshot, of the newest manifest. */
function urlOf(event: WebhookEvent, { baseUrl, changes }: Circumstances): string {
  if (!('snapshot_id' in event)) return `${baseUrl}/reporting/latest`;
  return changes === null
    ? `${baseUrl}/reporting/snapshots/${event.snapshot_id}`
    : `${baseUrl}/reporting/diff/${changes.compared_with}/${event.snapshot_id}`;
}
