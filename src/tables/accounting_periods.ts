import { column, defineTable, repeating } from './table.ts';

/** The months that were opened for close. */
export const accounting_periods = defineTable({
  name: 'accounting_periods',
  grain: 'one row per month opened for close',
  description: 'Accounting months; one without a row has never been through close.',
  key: ['month'],
  from: 'reporting.accounting_months where account_id = :account_id order by month',
  bare: 'ledger.accounting_months where account_id = $1',
  columns: [
    column('month', 'date', 'The first day of the month.'),
    column('status', 'string', 'Where the close stands; only `locked` locks.', {
      values: ['open', 'in_review', 'locked', 'reopened'],
    }),
    column('locked', 'boolean', 'True while nothing in the month may change.'),
    column('locked_at', 'timestamp?', 'When it was last locked; empty if never.'),
    repeating('locked_by_id', 'id?', 'The person who locked it; empty if never or not known.'),
    repeating('locked_by_name', 'string?', 'The name of that person; empty if never or not known.'),
    column('reopened_at', 'timestamp?', 'When it was last reopened; empty if never.'),
    repeating('reopened_by_id', 'id?', 'The person who reopened it; empty if never or not known.'),
    repeating('reopened_by_name', 'string?', 'The name of that person; empty if never or not known.'),
    column('reopen_reason', 'text?', 'Why it was reopened; empty if never.'),
  ],
});
