/**
 * The action of `crossfoot retract`: writes the retraction into the account's marks, the objects in the store that record
 * pins, retractions and damage. The files stay, and `latest` does not move back.
 */
import { retract, retractFutureHeads } from '../../snapshot/keep/retract.ts';
import type { CommandContext } from '../../run/context.ts';
import { markedSnapshot } from '../terminal/latest-snapshot.ts';
import { openMarking } from '../terminal/marking.ts';
import { shownInstant } from '../../format.ts';
import { shellWord } from '../../next-step.ts';

/** The snapshot and the reason. */
interface Named {
  readonly account_id: bigint;
  /** Or `latest`. */
  readonly snapshot_id: string;
  readonly reason: string;
}

/** Retracts a snapshot, and names a replacement if given. */
export async function retractSnapshot(
  named: Named & { readonly replaced_by: string | null },
  context: CommandContext,
): Promise<void> {
  const { account_id, replaced_by } = named;
  const marking = await openMarking(context);
  const { tools, by, now } = marking;
  const snapshot_id = await markedSnapshot(
    named.snapshot_id,
    account_id,
    'retract',
    marking,
    `${reasonOf(named)}${replaced_by === null ? '' : ` --replaced-by ${replaced_by}`}`,
  );
  const { at } = await retract({ ...named, snapshot_id, by, now }, tools);
  const instead = replaced_by === null ? '' : `; ${replaced_by} replaces it`;
  context.print(`${snapshot_id} is retracted since ${shownInstant(at)}${instead}`);
  context.say('servers show the retraction within a minute');
}

/** Retracts the newest snapshot if its date is in the future, and the snapshots before it dated in the future. */
export async function retractHead(named: Named, context: CommandContext): Promise<void> {
  const { account_id } = named;
  const marking = await openMarking(context);
  const { tools, by, now } = marking;
  const snapshot_id = await markedSnapshot(
    named.snapshot_id,
    account_id,
    'retract',
    marking,
    `${reasonOf(named)} --future-head`,
  );
  for (const id of await retractFutureHeads({ ...named, snapshot_id, by, now }, tools)) {
    context.print(`${id} is retracted; the next build of account ${account_id} ignores it`);
  }
}

function reasonOf({ reason }: Named): string {
  return `--reason ${shellWord(reason)}`;
}
