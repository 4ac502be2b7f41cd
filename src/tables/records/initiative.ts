import { initiatives, STAGES } from '../initiatives.ts';
import { defineRecord, field, person } from '../record.ts';
import { created_at } from './shared-fields.ts';

/** An initiative and its business case. Its recurring planned amounts are per value period. */
export const INITIATIVE = defineRecord({
  name: 'initiatives',
  component: 'Initiative',
  description: 'An AI initiative and its business case.',
  view: 'reporting.initiatives',
  frozen: 'not is_sample',
  counterpart: { table: initiatives, empty: { category: "'uncategorized'" } },
  fields: {
    id: field('id', 'The initiative.'),
    title: field('text', 'Its title.'),
    description: field('text?', 'Free text; null when none was given.'),
    hypothesis: field('text?', 'The expected result; null when none was given.'),
    stage: field('string', 'The stage that it has reached.', { values: STAGES }),
    is_sample: field('boolean', 'True for demo data.'),
    category: field('string?', 'Null when it has none.'),
    priority: field('integer?', 'A lower number is a higher priority; null when it has none.'),
    source: field('string?', 'How the initiative was created; null when not recorded.'),
    business_unit: field('string?', 'Null when none was given.'),
    department: field('string?', 'Null when none was given.'),
    gl_dimension_value: field('string?', 'Its dimension value in the general ledger; null when it has none.'),
    owner: person('The owner; null without one.'),
    confidence_score: field('number?', '0 to 100; null when not assessed.'),
    roi_horizon_years: field('integer?', 'The years its plan looks ahead; null when no horizon is set.', {
      shown: 'roi_time_horizon_years',
    }),
    currency: field('string?', 'The ISO 4217 currency of its planned amounts.'),
    planned_capex_cents: field('cents?', 'Planned one-time cost, in `currency`; null when not planned.', {
      shown: 'expected_capex_cents',
    }),
    planned_opex_cents: field(
      'cents?',
      'Planned running cost per value period, in `currency`; null when not planned.',
      { shown: 'expected_opex_cents' },
    ),
    planned_cost_savings_cents: field(
      'cents?',
      'Planned cash savings per value period, in `currency`; null when not planned.',
      { shown: 'expected_cost_savings_cents' },
    ),
    planned_capacity_cents: field(
      'cents?',
      'Planned freed capacity per value period, in `currency`. It is not cash, so it does not count in planned ROI; null when not planned.',
      { shown: 'expected_capacity_cents' },
    ),
    planned_revenue_uplift_cents: field(
      'cents?',
      "Planned top-line revenue per value period, in `currency`. Planned value counts this revenue at the account's contribution margin; null when not planned.",
      { shown: 'expected_revenue_uplift_cents' },
    ),
    started_at: field('timestamp?', 'When work began; null before that.'),
    went_live_at: field('timestamp?', 'When it went live; null before that.'),
    approved_at: field('timestamp?', 'When it was approved; null before that.'),
    closed_at: field('timestamp?', 'When it was closed; null while it is open.'),
    submitted_for_review_at: field('timestamp?', 'When it was submitted for review; null before that.'),
    created_at,
    updated_at: field('timestamp', 'The last change; lists are ordered by it.'),
  },
});
