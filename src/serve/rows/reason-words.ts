/** The reasons of a comparison as short phrases with a count: `3 costs recorded`. */
import type { Reason } from '../../diff/reasons.ts';
import type { MoveKind } from '../../figures/waterfall.ts';
import { shownCount } from '../../format.ts';

const PHRASES: Readonly<Record<Reason, string>> = {
  rate_became_average: 'now at the average rate of the period',
  rate_arrived: 'now with a rate',
  rate_changed: 'at another rate',
  initiative_entered: 'of initiatives reported since',
  initiative_left: 'of initiatives no longer reported',
  approved: 'approved',
  disputed: 'disputed',
  archived: 'archived',
  sent_back: 'sent back',
  added_in_reopened_month: 'added in a reopened month',
  month_reopened: 'changed in a reopened month',
  deleted_in_reopened_month: 'deleted in a reopened month',
  month_unlocked: 'whose month was reopened in between',
  month_locked: 'whose month was closed in between',
  entry_added: 'recorded',
  entry_edited: 'edited',
  entry_deleted: 'deleted',
  vendor_merged: 'of a merged vendor',
  described_anew: 'described anew',
  fiscal_year_moved: 'in other windows of a moved fiscal year',
  plan_moved: 'by moved plans',
};

/** What happened to how many entries. */
export function reasonPhrase(reason: string, kind: MoveKind, entries: number): string {
  const phrase = Object.hasOwn(PHRASES, reason) ? PHRASES[reason as Reason] : reason;
  return `${shownCount(entries)} ${kind}${entries === 1 ? '' : 's'} ${phrase}`;
}
