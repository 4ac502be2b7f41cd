/** The route `/v1/value_entries`: its fields and parameters. */
import { BASES, ENTRY_TYPES, listValueEntries, VALUE_STATUSES } from '../../ledger/lists/value-entries.ts';
import {
  include_sample,
  initiative_id,
  oneOf,
  period_from,
  period_to,
  updated_since,
} from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';
import {
  component,
  day,
  integer,
  number,
  oneOfThese,
  source,
  text,
  timestamp,
  boolean,
} from '../contract/shapes.ts';
import { shownAs, shownSource } from '../contract/shown.ts';

const row = component('ValueEntry', 'Value of an initiative.', {
  id: integer('The value entry.'),
  initiative_id: integer('The initiative that brought the value.'),
  amount_cents: integer('The value in cents of `currency`, as recorded; null while it has none.').nullable(),
  currency: text('The ISO 4217 currency of the entry; null while it has no amount.').nullable(),
  usd_amount_cents: integer(
    'The value in US cents; null, and in no total of `/roi`, while there is no rate.',
  ).nullable(),
  usd_rate: number(
    'US dollars per unit of `currency`; null for a dollar entry, or without a rate.',
  ).nullable(),
  usd_rate_from: day('The first rate day averaged; null without a rate.').nullable(),
  usd_rate_through: day('The last rate day averaged; null without a rate.').nullable(),
  status: oneOfThese(
    VALUE_STATUSES,
    'Only `approved` entries are reported value: the sum of all rows is not the value of `/roi`.',
  ),
  counts_toward_roi: boolean(
    'True if the entry is approved, of a cash type, and has a dollar figure; otherwise false.',
  ),
  entry_type: oneOfThese(
    ENTRY_TYPES,
    '`revenue_gain` (cash, margin on revenue), `cost_savings` (cash, a bill that fell), `cost_avoidance` (cash, a cost that did not happen), `capacity_realized` (cash, freed capacity shown to have become cash), `capacity` (freed capacity, not cash); null while undecided.',
  ).nullable(),
  period_start: day(
    'The first day of the period, which decides the window; null for an undated entry.',
  ).nullable(),
  period_end: day('The last day of the period; null when none was given.').nullable(),
  is_estimated: boolean('True when the entry was marked as an estimate.'),
  locked: boolean(
    'True for an approved entry of a locked month: it cannot be edited, sent back or deleted until the month is reopened. False for an unapproved entry of a locked month: it can be recalculated, but not approved until the month is reopened.',
  ),
  basis: oneOfThese(
    BASES,
    '`measured` (history or a time study that began before go-live, or of unknown day), `reconstructed` (a sample of work done without the AI), `estimated` (a benchmark, an estimate, history or a time study that began later, or an entry marked as an estimate), `none` (no baseline). The weakest baseline decides.',
  ),
  confidence_score: number('0 to 100; null when not assessed.').nullable(),
  quality_score: number('0 to 100; null when not assessed.').nullable(),
  notes: text('Free text by a person; null when none was given.').nullable(),
  provenance: text(
    'One phrase: synced, calculated, recorded by the assistant, imported or entered by hand.',
  ).nullable(),
  formula_id: integer('The formula that calculated it; null without one.').nullable(),
  formula_key: text('Stable across the versions of the formula; null without one.').nullable(),
  formula_version: integer(
    'The version that calculated the entry, even if the formula has a newer version now; null without one.',
  ).nullable(),
  source,
  approved_at: timestamp('When it was last approved; null when it never was.').nullable(),
  created_at: timestamp('First written.'),
  updated_at: timestamp('The last change; lists are ordered by it.'),
});

/** Every value entry, of any status. */
export const value_entries = defineResource({
  name: 'value_entries',
  component: 'ValueEntry',
  sentence: 'Value of initiatives, of every status.',
  row,
  filters: {
    updated_since,
    initiative_id,
    period_from,
    period_to,
    include_sample,
    status: oneOf(VALUE_STATUSES, 'Only entries of this status.'),
  },
  read: listValueEntries,
  show: (entry) => shownAs(row, entry, { source: shownSource(entry) }),
});
