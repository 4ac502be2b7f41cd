/** How the newest snapshot stands on the page of nights: damaged or retracted, and the command that mends it. */
import { html } from 'hono/html';
import {
  lookWords,
  mendingCommand,
  type NewestFault,
  type NextCommand,
  type PendingBuild,
  pendingWords,
} from '../../next-step.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { copyable } from '../frame/copyable.ts';
import type { Html } from '../frame/site-layout.ts';
import { damagedNote, retractedNote } from './standing-notes.ts';

export interface NightSnapshots {
  readonly account_id: bigint;
  /** The newest snapshot; null before the first, or if it cannot be read now. */
  readonly latest: Pick<ReadableSnapshot, 'left_out' | 'retraction' | 'snapshot_id'> | null;
  /** The readable snapshots, newest first; none if they cannot be read now. */
  readonly listed: readonly Pick<ReadableSnapshot, 'snapshot_id' | 'quarantine'>[];
  /** The id of the account's first snapshot, which may have expired; null before it, or if it cannot be read now. */
  readonly first_id: string | null;
}

/** A clause as a sentence. */
export function sentence(clause: string): string {
  return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}.`;
}

/** A sentence: which build of the queue runs or follows, or what to do if no worker takes it; nothing without one. */
export function whatFollows(pending: PendingBuild | null): string {
  if (pending === null) return '';
  return pending.untaken ? `${lookWords(pending)}.` : sentence(pendingWords(pending));
}

/** Why the newest snapshot needs a newer one; null if it does not. */
export function newestFault({ latest, listed }: NightSnapshots): NewestFault {
  if (listed[0] !== undefined && listed[0].quarantine !== null) return 'damaged';
  return latest !== null && latest.retraction !== null ? 'retracted' : null;
}

/** That the newest snapshot is retracted, what readers get now, and the command that helps; nothing otherwise. */
export function retractedNewest(
  { account_id, latest }: NightSnapshots,
  pending: PendingBuild | null,
): Html | '' {
  if (latest === null || latest.retraction === null) return '';
  const { snapshot_id, retraction } = latest;
  const subject = html`Newest snapshot <a href="snapshots/${snapshot_id}">${snapshot_id}</a> retracted`;
  const served = ' It is still served as the newest, marked as retracted, until a newer one is published.';
  return html`<div id="retracted">
    ${retractedNote(subject, retraction, 'snapshots/', served)}
    ${mending(mendingCommand(account_id, 'retracted', pending))}
  </div>`;
}

/** A command that mends the newest snapshot, with its reason. */
function mending({ command, why }: NextCommand): Html {
  return html`<p>${sentence(why)}</p>
    ${copyable(command, 'The command to run next')}`;
}

/** The snapshots with damaged files, newest first, and what mends the newest one; nothing if all are whole. */
export function damage(snapshots: NightSnapshots, pending: PendingBuild | null) {
  const notes = snapshots.listed.flatMap(({ snapshot_id, quarantine }) =>
    quarantine === null ? [] : [damagedNote(`Snapshot ${snapshot_id} is damaged`, quarantine)],
  );
  if (notes.length === 0) return '';
  const isNewest = newestFault(snapshots) === 'damaged';
  return html`<div id="damaged">
    ${isNewest ? mending(mendingCommand(snapshots.account_id, 'damaged', pending)) : ''} ${notes}
  </div>`;
}
