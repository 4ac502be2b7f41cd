import { columnsOf, defineTable, field, repeating } from './table.ts';

/** Every budget version; only approved ones are budgets. */
export const budgets = defineTable({
  name: 'budgets',
  grain: 'one row per budget version',
  description:
    'Budget versions of every status; only approved ones are budgets, and a version applies from the start of the month of `effective_from`.',
  key: ['budget_id'],
  from: 'reporting.budget_versions where account_id = :account_id and not is_sample order by id',
  from_base:
    'ledger.budget_versions b where b.account_id = $1 and b.initiative_id not in (select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)',
  copied: {
    base: 'budget_versions',
    check: '34-check-control-budgets',
    by: ['status', 'currency'],
    except: ['set_by_name', 'decided_by_name', 'app_url'],
    counts: {
      with_end: 'ends_on',
      with_reason: 'reason',
      with_setter: 'set_by_id',
      with_decision: 'decided_at',
      with_decider: 'decided_by_id',
      with_decision_reason: 'decision_reason',
      with_approval: 'approval_decision_id',
    },
    sums: ['capex_cents', 'opex_cents'],
  },
  columns: columnsOf({
    budget_id: field('id', 'The budget version.', { from: 'id' }),
    initiative_id: repeating('id', 'The initiative it is for.', { references: 'initiatives' }),
    status: field('string', 'The state of the version; only an approved version is a budget.', {
      values: ['pending', 'approved', 'rejected', 'withdrawn'],
    }),
    source: field('string', 'How the version was made.', { values: ['approval', 'revision', 'manual'] }),
    capex_cents: field('cents', 'The one-time budget as a total, in cents of `currency`.'),
    opex_cents: field('cents', 'The running budget per `opex_cadence`, in cents of `currency`.'),
    opex_cadence: field('string', 'The time that `opex_cents` is for: a month, a quarter or a year.', {
      values: ['monthly', 'quarterly', 'annually'],
    }),
    currency: repeating('string', 'The ISO 4217 currency of both amounts.'),
    effective_from: repeating('date', 'It applies from the start of the month of this day.'),
    ends_on: repeating('date?', 'The last month it covers is that of this day; empty without an end.'),
    reason: field('text?', 'Why it was set; empty when no reason was given.'),
    set_by_id: repeating('id?', 'The person who set it; empty when not known.'),
    set_by_name: repeating('string?', 'The name of that person; empty when not known.'),
    decided_at: field('timestamp?', 'When it was approved or rejected; empty before that.'),
    decided_by_id: repeating('id?', 'The person who decided; empty when no person did.'),
    decided_by_name: repeating('string?', 'The name of that person; empty when no person did.'),
    decision_reason: field('text?', 'The reason given with the decision; empty when no reason was given.'),
    approval_decision_id: field('id?', 'The approval decision behind it; empty when there is none.', {
      references: 'approval_decisions',
    }),
    created_at: field('timestamp', 'When the version was first recorded.'),
    app_url: field('string', "A link to the version's page in the application.", { encoding: 'delta' }),
  }),
});
