import { defineRecord, field, source } from '../record.ts';
import { reported_value } from '../reported_value.ts';
import { created_at, RATE } from './shared-fields.ts';

/** The states of a value entry; only approved ones are reported value. */
export const VALUE_STATUSES = [
  'draft',
  'calculated',
  'reviewed',
  'approved',
  'disputed',
  'archived',
] as const;

export const ENTRY_TYPES = [
  'revenue_gain',
  'cost_savings',
  'cost_avoidance',
  'capacity_realized',
  'capacity',
] as const;

/** A value entry of any status. */
export const VALUE_ENTRY = defineRecord({
  name: 'value_entries',
  component: 'ValueEntry',
  description: 'Value of an initiative.',
  view: 'reporting.value_entries',
  frozen: 'not is_sample',
  counterpart: { table: reported_value, rows: "status = 'approved'" },
  fields: {
    id: field('id', 'The value entry.'),
    initiative_id: field('id', 'The initiative that brought the value.'),
    amount_cents: field('cents?', 'The value in cents of `currency`, as recorded; null while it has none.'),
    currency: field('string?', 'The ISO 4217 currency of the entry; null while it has no amount.'),
    usd_amount_cents: field(
      'cents?',
      'The value in US cents; null, and in no total of `/roi`, while there is no rate.',
    ),
    ...RATE,
    status: field(
      'string',
      'Only `approved` entries are reported value: the sum of all rows is not the value of `/roi`.',
      { values: VALUE_STATUSES },
    ),
    counts_toward_roi: field(
      'boolean',
      'True if the entry is approved, of a cash type, and has a dollar figure; otherwise false.',
    ),
    entry_type: field(
      'string?',
      '`revenue_gain` (cash, margin on revenue), `cost_savings` (cash, a bill that fell), `cost_avoidance` (cash, a cost that did not happen), `capacity_realized` (cash, freed capacity shown to have become cash), `capacity` (freed capacity, not cash); null while undecided.',
      { values: ENTRY_TYPES },
    ),
    period_start: field(
      'date?',
      'The first day of the period, which decides the window; null for an undated entry.',
    ),
    period_end: field('date?', 'The last day of the period; null when none was given.'),
    is_estimated: field('boolean', 'True when the entry was marked as an estimate.'),
    locked: field(
      'boolean',
      'True for an approved entry of a locked month: it cannot be edited, sent back or deleted until the month is reopened. False for an unapproved entry of a locked month: it can be recalculated, but not approved until the month is reopened.',
    ),
    basis: field(
      'string',
      '`measured` (history or a time study that began before go-live, or of unknown day), `reconstructed` (a sample of work done without the AI), `estimated` (a benchmark, an estimate, history or a time study that began later, or an entry marked as an estimate), `none` (no baseline). The weakest baseline decides.',
      { values: ['measured', 'reconstructed', 'estimated', 'none'] },
    ),
    confidence_score: field('number?', '0 to 100; null when not assessed.'),
    quality_score: field('number?', '0 to 100; null when not assessed.'),
    notes: field('text?', 'Free text by a person; null when none was given.'),
    provenance: field(
      'string?',
      'One phrase: synced, calculated, recorded by the assistant, imported or entered by hand.',
    ),
    formula_id: field('id?', 'The formula that calculated it; null without one.'),
    formula_key: field('string?', 'Stable across the versions of the formula; null without one.'),
    formula_version: field(
      'integer?',
      'The version that calculated the entry, even if the formula has a newer version now; null without one.',
    ),
    source: source('string?'),
    approved_at: field('timestamp?', 'When it was last approved; null when it never was.'),
    created_at,
    updated_at: field('timestamp', 'The last change; lists are ordered by it.'),
  },
});
