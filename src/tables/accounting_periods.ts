import { columnsOf, defineTable, field, repeating } from './table.ts';

/** The months for which a close was started. */
export const accounting_periods = defineTable({
  name: 'accounting_periods',
  grain: 'one row per month opened for close',
  description: 'Accounting months; a month without a row was never opened for close.',
  key: ['month'],
  from: 'reporting.accounting_months where account_id = :account_id order by month',
  from_base: 'ledger.accounting_months where account_id = $1',
  columns: columnsOf({
    month: field('date', 'The first day of the month.'),
    status: field('string', 'The state of the close; only `locked` locks the month.', {
      values: ['open', 'in_review', 'locked', 'reopened'],
    }),
    locked: field('boolean', 'True while the month is locked: no entry in it may change.'),
    locked_at: field('timestamp?', 'When the month was last locked; empty if never.'),
    locked_by_id: repeating('id?', 'The person who last locked it; empty if never or not known.'),
    locked_by_name: repeating('string?', 'The name of that person; empty if never or not known.'),
    reopened_at: field('timestamp?', 'When the month was last reopened; empty if never.'),
    reopened_by_id: repeating('id?', 'The person who last reopened it; empty if never or not known.'),
    reopened_by_name: repeating('string?', 'The name of that person; empty if never or not known.'),
    reopen_reason: field('text?', 'Why it was reopened; empty if never.'),
  }),
});
