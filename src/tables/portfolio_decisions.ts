import { STAGES } from './initiatives.ts';
import { columnsOf, defineTable, field, repeating } from './table.ts';

/** Every portfolio decision, with the figures as they were shown when it was made. */
export const portfolio_decisions = defineTable({
  name: 'portfolio_decisions',
  grain: 'one row per portfolio decision',
  description:
    'Decisions on initiatives. The figures are totals of all time on the day of the decision and are never computed again.',
  key: ['portfolio_decision_id'],
  from: 'reporting.portfolio_decisions where account_id = :account_id and not is_sample order by id',
  from_base:
    'ledger.portfolio_decisions d where d.account_id = $1 and not d.is_sample and not exists (select from ledger.initiatives i where i.account_id = $1 and i.is_sample and i.id = d.initiative_id)',
  copied: {
    base: 'portfolio_decisions',
    check: '33-check-control-decisions',
    by: ['outcome', 'currency'],
    except: ['roi', 'decided_by_name', 'app_url'],
    counts: {
      with_plan: 'planned_value_cents',
      with_plan_to_date: 'planned_value_to_date_cents',
      with_initiative: 'initiative_id',
      with_review: 'next_review_on',
      with_decider: 'decided_by_id',
    },
    sums: [
      'cash_value_cents',
      'freed_capacity_cents',
      'cost_to_date_cents',
      'planned_value_cents',
      'planned_value_to_date_cents',
    ],
  },
  columns: columnsOf({
    portfolio_decision_id: field('id', 'The decision.', { from: 'id' }),
    initiative_id: repeating('id?', 'The initiative; empty after it was deleted: the decision is kept.', {
      references: 'initiatives',
    }),
    subject_title: repeating('string', 'The title of the initiative when it was decided.'),
    outcome: field('string', 'What was decided.', {
      values: ['continue', 'scale', 'fix', 'pause', 'retire'],
    }),
    stage_before: field('string', 'The stage of the initiative before.', { values: STAGES }),
    stage_after: field('string', 'The stage of the initiative after; some outcomes leave it as it was.', {
      values: STAGES,
    }),
    rationale: field('text', 'Why it was decided so.'),
    next_review_on: repeating('date?', 'When it is to be reviewed next; empty when it is not.'),
    cash_value_cents: field('cents', 'Approved cash value when it was decided.'),
    freed_capacity_cents: field('cents', 'Approved freed capacity when it was decided; not cash, in no ROI.'),
    cost_to_date_cents: field('cents', 'Cost when it was decided.'),
    planned_value_cents: field('cents?', 'The cash that the business case promised; empty without a plan.'),
    planned_value_to_date_cents: field(
      'cents?',
      'The part of the planned value due by the decision; empty without a plan.',
    ),
    roi: field('number?', 'Cash value less cost, over cost; empty unless both are above zero.', {
      from: 'case when cash_value_cents > 0 and cost_to_date_cents > 0 then (cash_value_cents - cost_to_date_cents)::float8 / cost_to_date_cents::float8 end',
    }),
    currency: repeating('string', 'The ISO 4217 currency of every amount.'),
    decided_by_id: repeating('id?', 'The person who decided; empty when not known.'),
    decided_by_name: repeating('string?', 'The name of that person; empty when not known.'),
    decided_at: field('timestamp', 'When it was decided.'),
    app_url: field('string?', "A link to the decision's page; empty once the initiative is deleted."),
  }),
});
