import { column, defineTable, repeating } from './table.ts';

/** Every cost entry of initiatives that are not samples. */
export const costs = defineTable({
  name: 'costs',
  grain: 'one row per cost entry',
  description:
    'What initiatives cost; an entry belongs to the window in which `period_start` falls, and capex and opex split the same rows and add to the total.',
  key: ['cost_entry_id'],
  from: 'reporting.cost_entries where account_id = :account_id and not is_sample order by id',
  bare: 'ledger.cost_entries c where c.account_id = $1 and c.initiative_id not in (select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)',
  columns: [
    column('cost_entry_id', 'id', 'The cost entry.', { from: 'id' }),
    repeating('initiative_id', 'id', 'The initiative that bears the cost.', {
      references: 'initiatives',
    }),
    column('amount_cents', 'cents', 'The cost in cents of `currency`, as recorded; negative for a credit.'),
    repeating('currency', 'string', 'The ISO 4217 currency of the entry.'),
    column(
      'usd_amount_cents',
      'cents?',
      'The cost in US cents: `amount_cents` times `usd_rate`, rounded half away from zero; empty, and in no total, when there is no rate.',
    ),
    repeating(
      'usd_rate',
      'number?',
      'US dollars per unit of `currency`, for an undated cost that of its booking day; empty for dollar entries and without a rate.',
      { from: 'usd_rate::float8' },
    ),
    repeating('usd_rate_from', 'date?', 'The first rate day used; empty when there is no rate.'),
    repeating('usd_rate_through', 'date?', 'The last rate day used; empty when there is no rate.'),
    column(
      'usd_rate_provisional',
      'boolean?',
      "True when the latest rate stands in for the period's average, which a later snapshot carries unless the month was locked first; empty for dollar entries.",
      { from: "case when currency <> 'USD' then usd_rate_provisional end" },
    ),
    column('cost_category', 'string', 'One-time cost (`capex`) or running cost (`opex`).', {
      values: ['capex', 'opex'],
    }),
    repeating(
      'cost_type',
      'string',
      'What was paid for, for example licenses, infrastructure or labor; `other` when not given.',
      { from: "coalesce(cost_type, 'other')" },
    ),
    repeating(
      'period_start',
      'timestamp?',
      'Midnight UTC of the first day of the period; it decides the window the entry belongs to; empty for an undated cost, which is in all time only.',
      { from: "period_start::timestamp at time zone 'UTC'" },
    ),
    repeating(
      'period_end',
      'timestamp?',
      'Midnight UTC of the last day of the period, as recorded; empty when none was.',
      { from: "period_end::timestamp at time zone 'UTC'" },
    ),
    repeating(
      'period_month',
      'date?',
      'The first day of the UTC month in which `period_start` falls; empty for an undated cost.',
      { from: 'service.month_of(period_start)' },
    ),
    column('is_estimated', 'boolean', 'True when the entry was marked as an estimate.'),
    column(
      'locked',
      'boolean',
      'True when the month of the entry, for an undated cost that of its booking day, is locked.',
    ),
    repeating(
      'vendor_id',
      'id?',
      'The vendor, merged ones resolved to the survivor; empty when none was named.',
    ),
    repeating('vendor_name', 'string?', 'The vendor as recorded; empty when none was named.'),
    column('description', 'text?', 'What the cost is for; empty when not written.'),
    column('notes', 'text?', 'What a person wrote about the entry; empty when nothing.'),
    repeating(
      'books_account_name',
      'string?',
      'The ledger account of a cost that came from the books; empty otherwise.',
    ),
    repeating(
      'source_type',
      'string',
      'How the entry came to exist, for example `manual`, `assistant`, `csv` or `integration`.',
    ),
    repeating('connection_id', 'id?', 'The connection it was synced from; empty for other sources.'),
    repeating('platform', 'string?', 'The platform of that connection; empty for other sources.'),
    column(
      'source_ref',
      'string?',
      "The record's reference at its source; empty when the source gives none.",
      { near: true },
    ),
    repeating('implementation_id', 'id?', 'The implementation it belongs to; empty when it belongs to none.'),
    repeating('recurring_cost_id', 'id?', 'The recurring cost that made it; empty when none did.'),
    column('allocation_line_id', 'id?', 'The line of a shared bill it was split from; empty when not split.'),
    repeating(
      'recorded_by_id',
      'id?',
      'The person who recorded it or had the assistant draft it; empty when synced or made by a rule.',
    ),
    repeating('recorded_by_name', 'string?', 'The name of that person; empty when synced or made by a rule.'),
    repeating(
      'created_at',
      'timestamp',
      'When the entry was first recorded; its UTC day is the booking day.',
    ),
    column(
      'updated_at',
      'timestamp',
      'When the entry last changed, the locking or reopening of its month included.',
    ),
    column('app_url', 'string', "A link to the entry's page in the application.", { near: true }),
  ],
});
