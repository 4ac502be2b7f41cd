import { columnsOf, defineTable, field, repeating } from './table.ts';

/** The months that were opened for close. */
export const accounting_periods = defineTable({
  name: 'accounting_periods',
  grain: 'one row per month opened for close',
  description: 'Accounting months; one without a row has never been through close.',
  key: ['month'],
  from: 'reporting.accounting_months where account_id = :account_id order by month',
  bare: 'ledger.accounting_months where account_id = $1',
  columns: columnsOf({
    month: field('date', 'The first day of the month.'),
    status: field('string', 'Where the close stands; only `locked` locks.', {
      values: ['open', 'in_review', 'locked', 'reopened'],
    }),
    locked: field('boolean', 'True while nothing in the month may change.'),
    locked_at: field('timestamp?', 'When it was last locked; empty if never.'),
    locked_by_id: repeating('id?', 'The person who locked it; empty if never or not known.'),
    locked_by_name: repeating('string?', 'The name of that person; empty if never or not known.'),
    reopened_at: field('timestamp?', 'When it was last reopened; empty if never.'),
    reopened_by_id: repeating('id?', 'The person who reopened it; empty if never or not known.'),
    reopened_by_name: repeating('string?', 'The name of that person; empty if never or not known.'),
    reopen_reason: field('text?', 'Why it was reopened; empty if never.'),
  }),
});
