import { column, defineTable } from './table.ts';

/** The snapshot's own row: when it was taken, for whom, and how to read the other tables. */
export const snapshot = defineTable({
  name: 'snapshot',
  grain: 'one row',
  description: 'What this snapshot describes: the account, the moment, and how its fiscal year runs.',
  key: ['snapshot_id'],
  from: 'ledger.accounts a where id = :account_id order by id',
  bare: 'ledger.accounts where id = $1',
  columns: [
    column(
      'schema_version',
      'string',
      'The version of these tables; within one version columns are only added, last and nullable.',
      { from: null },
    ),
    column('generated_at', 'timestamp', 'The one moment, in UTC, at which every table was read.', {
      from: ':generated_at',
    }),
    column(
      'as_of',
      'date',
      'The day described: the UTC day of `generated_at`; to-date figures run through it.',
      { from: ':as_of' },
    ),
    column('account_id', 'id', 'The account whose figures these are.', { from: 'id' }),
    column('account_name', 'string', 'The name of that account at the moment of the snapshot.', {
      from: 'name',
    }),
    column(
      'fiscal_year_start_month',
      'integer',
      'The month, 1 to 12, in which the fiscal year starts; fiscal windows in `reported_totals` follow it.',
    ),
    column(
      'sample_initiatives_excluded',
      'integer',
      'How many sample initiatives the account holds; they and their rows are in no table.',
      { from: '(select count(*)::int4 from ledger.initiatives i where i.account_id = a.id and i.is_sample)' },
    ),
  ],
});
