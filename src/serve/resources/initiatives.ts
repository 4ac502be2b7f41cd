import type { z } from '@hono/zod-openapi';
import {
  findInitiative,
  type InitiativeRow,
  listInitiatives,
  STAGES,
} from '../../ledger/lists/initiatives.ts';
import { include_sample, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';
import {
  component,
  integer,
  number,
  oneOfThese,
  person,
  text,
  timestamp,
  boolean,
} from '../contract/shapes.ts';
import { orNull, shownAs, shownPerson, whole } from '../contract/shown.ts';

const row = component('Initiative', 'An AI initiative and its business case.', {
  id: integer('The initiative.'),
  title: text('Its title.'),
  description: text('Free text; null when none was given.').nullable(),
  hypothesis: text('The expected result; null when none was given.').nullable(),
  stage: oneOfThese(STAGES, 'The stage that it has reached.'),
  is_sample: boolean('True for demo data.'),
  category: text('Null when it has none.').nullable(),
  priority: integer('A lower number is a higher priority; null when it has none.').nullable(),
  source: text('How the initiative was created; null when not recorded.').nullable(),
  business_unit: text('Null when none was given.').nullable(),
  department: text('Null when none was given.').nullable(),
  gl_dimension_value: text('Its dimension value in the general ledger; null when it has none.').nullable(),
  owner: person.nullable().meta({ description: 'The owner; null without one.' }),
  confidence_score: number('0 to 100; null when not assessed.').nullable(),
  roi_time_horizon_years: integer('The years its plan looks ahead; null when no horizon is set.').nullable(),
  currency: text('The ISO 4217 currency of its planned amounts.').nullable(),
  expected_capex_cents: integer('Planned one-time cost, in `currency`; null when not planned.').nullable(),
  expected_opex_cents: integer(
    'Planned running cost per value period, in `currency`; null when not planned.',
  ).nullable(),
  expected_cost_savings_cents: integer(
    'Planned cash savings per value period, in `currency`; null when not planned.',
  ).nullable(),
  expected_capacity_cents: integer(
    'Planned freed capacity per value period, in `currency`. It is not cash, so it does not count in planned ROI; null when not planned.',
  ).nullable(),
  expected_revenue_uplift_cents: integer(
    "Planned top-line revenue per value period, in `currency`. Planned value counts this revenue at the account's contribution margin; null when not planned.",
  ).nullable(),
  started_at: timestamp('When work began; null before that.').nullable(),
  went_live_at: timestamp('When it went live; null before that.').nullable(),
  approved_at: timestamp('When it was approved; null before that.').nullable(),
  closed_at: timestamp('When it was closed; null while it is open.').nullable(),
  submitted_for_review_at: timestamp('When it was submitted for review; null before that.').nullable(),
  created_at: timestamp('First written.'),
  updated_at: timestamp('The last change; lists are ordered by it.'),
});

/** Initiatives, and one of them by its id. */
export const initiatives = defineResource({
  name: 'initiatives',
  component: 'Initiative',
  sentence: 'AI initiatives and their business cases.',
  row,
  filters: { updated_since, include_sample },
  read: listInitiatives,
  find: findInitiative,
  show: showInitiative,
});

/** An initiative in its JSON form. */
export function showInitiative(initiative: InitiativeRow): z.output<typeof row> {
  return shownAs(row, initiative, {
    owner: shownPerson(initiative.owner_id, initiative.owner_name),
    roi_time_horizon_years: initiative.roi_horizon_years,
    expected_capex_cents: orNull(initiative.planned_capex_cents, whole),
    expected_opex_cents: orNull(initiative.planned_opex_cents, whole),
    expected_cost_savings_cents: orNull(initiative.planned_cost_savings_cents, whole),
    expected_capacity_cents: orNull(initiative.planned_capacity_cents, whole),
    expected_revenue_uplift_cents: orNull(initiative.planned_revenue_uplift_cents, whole),
  });
}
