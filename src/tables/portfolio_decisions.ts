import { column, defineTable, repeating } from './table.ts';

const STAGES = [
  'identified',
  'reviewing',
  'implementing',
  'live',
  'paused',
  'completed',
  'rejected',
  'dismissed',
] as const;

/** Every portfolio decision, with the figures as they were shown when it was made. */
export const portfolio_decisions = defineTable({
  name: 'portfolio_decisions',
  grain: 'one row per portfolio decision',
  description:
    'Decisions on initiatives; figures are all-time as of the decision and are never computed anew.',
  key: ['portfolio_decision_id'],
  from: 'reporting.portfolio_decisions where account_id = :account_id and not is_sample order by id',
  bare: 'ledger.portfolio_decisions d where d.account_id = $1 and not d.is_sample and not exists (select from ledger.initiatives i where i.account_id = $1 and i.is_sample and i.id = d.initiative_id)',
  columns: [
    column('portfolio_decision_id', 'id', 'The decision.', { from: 'id' }),
    repeating('initiative_id', 'id?', 'The initiative; empty once it is deleted, the decision is kept.', {
      references: 'initiatives',
    }),
    repeating('subject_title', 'string', 'The title of the initiative when it was decided.'),
    column('outcome', 'string', 'What was decided.', {
      values: ['continue', 'scale', 'fix', 'pause', 'retire'],
    }),
    column('stage_before', 'string', 'The stage of the initiative before.', { values: STAGES }),
    column('stage_after', 'string', 'The stage of the initiative after; some outcomes leave it as it was.', {
      values: STAGES,
    }),
    column('rationale', 'text', 'Why it was decided so.'),
    repeating('next_review_on', 'date?', 'When it is to be reviewed next; empty when it is not.'),
    column('cash_value_cents', 'cents', 'Approved cash value when it was decided.'),
    column(
      'freed_capacity_cents',
      'cents',
      'Approved freed capacity when it was decided; not cash, in no ROI.',
    ),
    column('cost_to_date_cents', 'cents', 'Cost when it was decided.'),
    column(
      'planned_value_cents',
      'cents?',
      'The cash that the business case promised; empty without a plan.',
    ),
    column('planned_value_to_date_cents', 'cents?', 'The part of it due by then; empty without a plan.'),
    column('roi', 'number?', 'Cash value less cost, over cost; empty unless both are above zero.', {
      from: 'case when cash_value_cents > 0 and cost_to_date_cents > 0 then (cash_value_cents - cost_to_date_cents)::float8 / cost_to_date_cents::float8 end',
    }),
    repeating('currency', 'string', 'The ISO 4217 currency of every amount.'),
    repeating('decided_by_id', 'id?', 'The person who decided; empty when not known.'),
    repeating('decided_by_name', 'string?', 'The name of that person; empty when not known.'),
    column('decided_at', 'timestamp', 'When it was decided.'),
    column('app_url', 'string?', "A link to the decision's page; empty once the initiative is deleted.", {
      near: true,
    }),
  ],
});
