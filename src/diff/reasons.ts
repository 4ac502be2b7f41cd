/** The reasons for a changed row or total, in the order in which they are tried. */

/** Each reason with its sentence; `schema/diff` decides when it applies. */
export const REASONS = {
  rate_became_average: "The latest rate stood in for the period's average, which has now taken its place.",
  rate_arrived: 'It had no dollar figure for want of a rate, and has one now.',
  rate_changed:
    'Its dollar figure follows another rate, even where the cents are equal: a later provisional rate, or a revised rate.',
  initiative_entered:
    'By its dates it stood in the ledger before, and so did its initiative: it was in a sample then.',
  initiative_left: 'Its initiative is reported no longer: it was deleted, or marked as a sample.',
  approved: 'The value was approved since, or approved anew without being rewritten.',
  disputed: 'The newest decision about the value disputed it.',
  archived: 'The newest decision about the value archived it.',
  sent_back: 'The newest decision about the value sent it back or rejected it.',
  month_reopened: 'Its month was locked and was reopened since, without which it could not have changed.',
  month_locked: 'Its month was locked since; nothing that a person wrote and no dollar figure changed.',
  entry_added: 'The cost was recorded since.',
  entry_edited:
    'What a person wrote into it changed: amount, currency, kind, period, initiative, vendor or words.',
  entry_deleted:
    'It is reported no longer, and no decision says why: it was deleted, moved to a sample, or withdrawn.',
  vendor_merged: 'Its vendor was merged into another; no amount changed.',
  described_anew: 'Only what stands beside it changed: a name, a link, how its baseline is judged.',
  fiscal_year_moved: 'The fiscal year begins in another month: the same entries fall into other windows.',
  plan_moved:
    'Plans were edited or confirmed, fell due, or are converted at a later rate; files do not say which.',
} as const satisfies Record<string, string>;

export type Reason = keyof typeof REASONS;

/** The names of the reasons, in the order in which they are tried. */
export const REASON_NAMES = Object.keys(REASONS) as readonly Reason[]; // keys of a literal are its own, in their order
