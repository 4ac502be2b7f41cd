import { cash, cents, netOf } from '../../figures/cents.ts';
import { liveRoi } from '../../figures/roi.ts';
import { listDecisions, OUTCOMES } from '../../ledger/lists/decisions.ts';
import { STAGES } from '../../ledger/lists/initiatives.ts';
import { requireExactSums } from '../../sum-limit.ts';
import { initiative_id, oneOf, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';
import {
  component,
  day,
  integer,
  number,
  oneOfThese,
  person,
  text,
  timestamp,
  boolean,
} from '../contract/shapes.ts';
import { shownAs, shownPerson, whole } from '../contract/shown.ts';

const LABELS = {
  continue: 'Continue',
  scale: 'Scale',
  fix: 'Fix',
  pause: 'Pause',
  retire: 'Retire',
} as const satisfies Record<(typeof OUTCOMES)[number], string>;

const row = component('Decision', 'A portfolio decision, never modified once written.', {
  id: integer('The decision.'),
  initiative_id: integer('The initiative; null once it no longer exists.').nullable(),
  subject_title: text("The initiative's title when decided."),
  outcome: oneOfThese(OUTCOMES, 'What was decided.'),
  outcome_label: text('Display wording of the outcome.'),
  rationale: text('Why; always present.'),
  stage_before: oneOfThese(STAGES, 'The stage before the decision.'),
  stage_after: oneOfThese(STAGES, 'The stage after it.'),
  stage_changed: boolean('False for an outcome that did not change the stage.'),
  decided_at: timestamp('The moment to report it under.').nullable(),
  decided_by: person.nullable().meta({ description: 'Who decided; null when that was not recorded.' }),
  next_review_on: day(
    'The reason: suggested from the outcome, and editable by the decider; null without one.',
  ).nullable(),
  currency: text('The ISO 4217 currency of every amount of the decision.').nullable(),
  cash_value_cents: integer(
    'Approved cash value at decision time, as shown then and not recomputed.',
  ).nullable(),
  freed_capacity_cents: integer(
    'Approved freed capacity at decision time; in neither `net_cents` nor `roi`.',
  ).nullable(),
  cost_to_date_cents: integer('Cost to date at decision time.').nullable(),
  net_cents: integer('Cash value minus cost to date.').nullable(),
  planned_value_cents: integer(
    'All cash the business case promised: planned savings plus planned revenue at contribution margin; null when it was not kept.',
  ).nullable(),
  planned_value_to_date_cents: integer(
    'The part of the plan due by the decision; null when it was not kept.',
  ).nullable(),
  roi: number('Cash ROI at the decision; null when there was no cost.').nullable(),
  created_at: timestamp('First written.'),
  updated_at: timestamp(
    'Changes only when the initiative is deleted or the decider renamed; lists are ordered by it.',
  ),
});

/** Portfolio decisions, with the figures shown at the time of the decision. */
export const decisions = defineResource({
  name: 'decisions',
  component: 'Decision',
  sentence: 'Portfolio decisions.',
  row,
  filters: { updated_since, initiative_id, outcome: oneOf(OUTCOMES, 'Only decisions of this outcome.') },
  read: listDecisions,
  show: (decision) => {
    const value = cash(decision.cash_value_cents);
    const cost = cents(decision.cost_to_date_cents);
    const net_cents = netOf(value, cost);
    requireExactSums(() => `decision ${decision.id}`, { net_cents });
    return shownAs(row, decision, {
      outcome_label: LABELS[decision.outcome],
      stage_changed: decision.stage_before !== decision.stage_after,
      decided_by: shownPerson(decision.decided_by_id, decision.decided_by_name),
      cost_to_date_cents: whole(cost),
      net_cents: whole(net_cents),
      roi: liveRoi(value, cost),
    });
  },
});
