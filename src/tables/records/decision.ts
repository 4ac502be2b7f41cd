import { STAGES } from '../initiatives.ts';
import { portfolio_decisions } from '../portfolio_decisions.ts';
import { computed, defineRecord, field, person } from '../record.ts';
import { created_at } from './shared-fields.ts';

/** The possible decisions about an initiative. */
export const OUTCOMES = ['continue', 'scale', 'fix', 'pause', 'retire'] as const;

/** A portfolio decision; its amounts are those shown when it was made. */
export const DECISION = defineRecord({
  name: 'decisions',
  component: 'Decision',
  description: 'A portfolio decision, never modified once written.',
  view: 'reporting.portfolio_decisions',
  frozen: 'not is_sample',
  counterpart: { table: portfolio_decisions },
  fields: {
    id: field('id', 'The decision.'),
    initiative_id: field('id?', 'The initiative; null once it no longer exists.'),
    subject_title: field('string', "The initiative's title when decided."),
    outcome: field('string', 'What was decided.', { values: OUTCOMES }),
    outcome_label: computed('string', 'Display wording of the outcome.'),
    rationale: field('text', 'Why; always present.'),
    stage_before: field('string', 'The stage before the decision.', { values: STAGES }),
    stage_after: field('string', 'The stage after it.', { values: STAGES }),
    stage_changed: computed('boolean', 'False for an outcome that did not change the stage.'),
    decided_at: field('timestamp', 'The moment to report it under.', { or_null: true }),
    decided_by: person('Who decided; null when that was not recorded.'),
    next_review_on: field(
      'date?',
      'The reason: suggested from the outcome, and editable by the decider; null without one.',
    ),
    currency: field('string', 'The ISO 4217 currency of every amount of the decision.', { or_null: true }),
    cash_value_cents: field(
      'cents',
      'Approved cash value at decision time, as shown then and not recomputed.',
      { or_null: true },
    ),
    freed_capacity_cents: field(
      'cents',
      'Approved freed capacity at decision time; in neither `net_cents` nor `roi`.',
      { or_null: true },
    ),
    cost_to_date_cents: field('cents', 'Cost to date at decision time.', { or_null: true }),
    net_cents: computed('cents?', 'Cash value minus cost to date.'),
    planned_value_cents: field(
      'cents?',
      'All cash the business case promised: planned savings plus planned revenue at contribution margin; null when it was not kept.',
    ),
    planned_value_to_date_cents: field(
      'cents?',
      'The part of the plan due by the decision; null when it was not kept.',
    ),
    roi: computed('number?', 'Cash ROI at the decision; null when there was no cost.'),
    created_at,
    updated_at: field(
      'timestamp',
      'Changes only when the initiative is deleted or the decider renamed; lists are ordered by it.',
    ),
  },
});
