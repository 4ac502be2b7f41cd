import { columnsOf, defineTable, field } from './table.ts';

/** The one row about the snapshot itself: its moment, its account, and how to read the other tables. */
export const snapshot = defineTable({
  name: 'snapshot',
  grain: 'one row',
  description: 'What this snapshot describes: the account, the moment, and how its fiscal year runs.',
  key: ['snapshot_id'],
  from: 'ledger.accounts a where id = :account_id order by id',
  from_base: 'ledger.accounts where id = $1',
  columns: columnsOf({
    schema_version: field(
      'string',
      'The version of these tables; within one version columns are only added, last and nullable.',
      { from: null },
    ),
    generated_at: field('timestamp', 'The one moment, in UTC, at which every table was read.', {
      from: ':generated_at',
    }),
    as_of: field(
      'date',
      'The day described: the UTC day of `generated_at`; to-date figures run through it.',
      { from: ':as_of' },
    ),
    account_id: field('id', 'The account whose figures these are.', { from: 'id' }),
    account_name: field('string', 'The name of that account at the moment of the snapshot.', {
      from: 'name',
    }),
    fiscal_year_start_month: field(
      'integer',
      'The month, 1 to 12, in which the fiscal year starts; fiscal windows in `reported_totals` follow it.',
    ),
    sample_initiatives_excluded: field(
      'integer',
      'How many sample initiatives the account holds; they and their rows are in no table.',
      { from: '(select count(*)::int4 from ledger.initiatives i where i.account_id = a.id and i.is_sample)' },
    ),
  }),
});
