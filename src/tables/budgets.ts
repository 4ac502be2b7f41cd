import { column, defineTable, repeating } from './table.ts';

/** Every budget version; only approved ones are budgets. */
export const budgets = defineTable({
  name: 'budgets',
  grain: 'one row per budget version',
  description:
    'Budget versions of every status; only approved ones are budgets, and a version applies from the start of the month of `effective_from`.',
  key: ['budget_id'],
  from: 'reporting.budget_versions where account_id = :account_id and not is_sample order by id',
  bare: 'ledger.budget_versions b where b.account_id = $1 and b.initiative_id not in (select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)',
  columns: [
    column('budget_id', 'id', 'The budget version.', { from: 'id' }),
    repeating('initiative_id', 'id', 'The initiative it is for.', { references: 'initiatives' }),
    column('status', 'string', 'Where the version stands; only an approved one is a budget.', {
      values: ['pending', 'approved', 'rejected', 'withdrawn'],
    }),
    column('source', 'string', 'How the version came to be.', { values: ['approval', 'revision', 'manual'] }),
    column('capex_cents', 'cents', 'The one-time budget as a total, in cents of `currency`.'),
    column('opex_cents', 'cents', 'The running budget per `opex_cadence`, in cents of `currency`.'),
    column('opex_cadence', 'string', 'What the running budget is a rate of.', {
      values: ['monthly', 'quarterly', 'annually'],
    }),
    repeating('currency', 'string', 'The ISO 4217 currency of both.'),
    repeating('effective_from', 'date', 'It applies from the start of the month of this day.'),
    repeating('ends_on', 'date?', 'The last month it covers is that of this day; empty without an end.'),
    column('reason', 'text?', 'Why it was set; empty when no reason was given.'),
    repeating('set_by_id', 'id?', 'The person who set it; empty when not known.'),
    repeating('set_by_name', 'string?', 'The name of that person; empty when not known.'),
    column('decided_at', 'timestamp?', 'When it was approved or rejected; empty while it is neither.'),
    repeating('decided_by_id', 'id?', 'The person who decided; empty when nobody has.'),
    repeating('decided_by_name', 'string?', 'The name of that person; empty when nobody has.'),
    column('decision_reason', 'text?', 'The reason given with the decision; empty when none was.'),
    column('approval_decision_id', 'id?', 'The approval decision behind it; empty when there is none.', {
      references: 'approval_decisions',
    }),
    column('created_at', 'timestamp', 'When the version was first recorded.'),
    column('app_url', 'string', "A link to the version's page in the application.", { near: true }),
  ],
});
