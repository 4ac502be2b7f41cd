/**
 * Retraction: saying of a published snapshot that it must no longer be relied upon. Its files stay as they are and may
 * be read, because somebody will have to compare; nothing takes the word back.
 */
import { CrossfootError } from '../errors.ts';
import { appendMark, type MarkTools } from './append-mark.ts';
import { formatInstant } from './instant.ts';
import { demandPublished } from './published-entry.ts';
import { type Retraction, standingOf } from './standing.ts';

export interface RetractedSnapshot {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly reason: string;
  /** The id of the snapshot to read instead, if there is one. */
  readonly replaced_by: string | null;
  readonly by: string;
  readonly now: bigint;
}

/** Retracts the snapshot; saying the very same again changes nothing, saying something else is refused. */
export async function retract(wanted: RetractedSnapshot, tools: MarkTools): Promise<Retraction> {
  const { account_id, snapshot_id, reason, replaced_by, by, now } = wanted;
  await demandPublished(account_id, snapshot_id, tools);
  if (replaced_by === snapshot_id) throw refusedSuccessor('A snapshot cannot replace itself.');
  if (replaced_by !== null) await demandPublished(account_id, replaced_by, tools);
  const at = formatInstant(now);
  const marks = await appendMark(
    account_id,
    (known) => {
      const { retraction } = standingOf(known, snapshot_id);
      if (retraction !== null) {
        if (retraction.reason === reason && retraction.replaced_by === replaced_by) return null;
        throw new CrossfootError(
          'snapshot_retracted',
          `Snapshot ${snapshot_id} was retracted already, at ${retraction.at}.`,
          { hint: 'A retraction stands as it was first said.', data: { snapshot: snapshot_id } },
        );
      }
      if (replaced_by !== null && standingOf(known, replaced_by).retraction !== null) {
        throw refusedSuccessor(`Snapshot ${replaced_by} was retracted itself.`);
      }
      return { kind: 'retracted', snapshot_id, reason, replaced_by, at, by };
    },
    tools,
  );
  return standingOf(marks, snapshot_id).retraction ?? { reason, at, replaced_by };
}

function refusedSuccessor(message: string): CrossfootError {
  return new CrossfootError('usage_invalid', message, {
    hint: 'Name a snapshot that may be relied upon, or none.',
  });
}
