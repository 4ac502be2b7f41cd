/** The reasons for a changed row or total, in the order in which they are tried. */

/** Each reason with its sentence; `schema/diff` decides when it applies. */
export const REASONS = {
  rate_became_average:
    "It had the latest rate, because the period's average rate was not known yet; it has the average rate now.",
  rate_arrived: 'It had no dollar figure, because no rate was published; it has a dollar figure now.',
  rate_changed:
    'Its rate changed, even if the cents are equal: to a later provisional rate, or to a revised rate.',
  initiative_entered:
    'Its initiative was a sample and is no longer one: by their dates, entry and initiative were in the ledger before.',
  initiative_left: 'Its initiative is no longer reported: it was deleted, or marked as a sample.',
  approved: 'The value was approved since the earlier snapshot, or approved again without being rewritten.',
  disputed: 'The newest decision about the value disputed it.',
  archived: 'The newest decision about the value archived it.',
  sent_back: 'The newest decision about the value sent it back or rejected it.',
  added_in_reopened_month:
    'The cost was recorded in a month that was locked in the earlier snapshot and was reopened since.',
  month_reopened:
    'Its month was locked in the earlier snapshot and was reopened since; a locked entry cannot change.',
  deleted_in_reopened_month:
    'It is no longer reported; its month was locked in the earlier snapshot and was reopened since.',
  month_unlocked: 'Its month was reopened since; no dollar figure changed, and nothing that a person wrote.',
  month_locked: 'Its month was locked since; no dollar figure changed, and nothing that a person wrote.',
  entry_added: 'The cost was recorded since the earlier snapshot.',
  entry_edited: 'A person changed it: its amount, currency, kind, period, initiative, vendor or texts.',
  entry_deleted:
    'It is no longer reported, and no decision says why: it was deleted, moved to a sample, or withdrawn.',
  vendor_merged: 'Its vendor was merged into another; no amount changed.',
  described_anew:
    'Only columns that follow from other records changed: a name, a link, the basis of the value.',
  fiscal_year_moved: 'The fiscal year begins in another month, so the same entries belong to other windows.',
  plan_moved:
    'Plans were edited or confirmed, became due, or are converted at a later rate; the files do not say which.',
} as const satisfies Record<string, string>;

export type Reason = keyof typeof REASONS;

/** The names of the reasons, in the order in which they are tried. */
export const REASON_NAMES = Object.keys(REASONS) as readonly Reason[]; // keys of a literal are its own, in their order
