import { columnsOf, defineTable, field, repeating } from './table.ts';

/** The rate and the period of a cost or value entry; the base table has a rate with ten decimals, and days. */
export const ENTRY_TEXTS = {
  usd_rate: ['usd_rate::decimal(20, 10)', 'usd_rate'],
  period_start: ['utc_day(period_start)', 'period_start'],
  period_end: ['utc_day(period_end)', 'period_end'],
} as const;

/** Every cost entry of initiatives that are not samples. */
export const costs = defineTable({
  name: 'costs',
  grain: 'one row per cost entry',
  description:
    'What initiatives cost; an entry belongs to the window in which `period_start` falls. Each entry is either capex or opex, and both add up to the total.',
  key: ['cost_entry_id'],
  from: 'reporting.cost_entries where account_id = :account_id and not is_sample order by id',
  from_base:
    'ledger.cost_entries c where c.account_id = $1 and c.initiative_id not in (select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)',
  copied: {
    base: 'cost_entries',
    check: '30-check-control-costs',
    by: ['currency'],
    except: [
      'usd_rate_provisional',
      'period_month',
      'locked',
      'books_account_name',
      'platform',
      'recorded_by_name',
      'app_url',
    ],
    counts: {
      with_rate: 'usd_rate',
      with_period_start: 'period_start',
      with_period_end: 'period_end',
      with_vendor: 'vendor_id',
      with_vendor_name: 'vendor_name',
      with_description: 'description',
      with_notes: 'notes',
      with_books_account: ['books_account_name', 'books_account_id'],
      with_connection: 'connection_id',
      with_source_ref: 'source_ref',
      with_implementation: 'implementation_id',
      with_recurring_cost: 'recurring_cost_id',
      with_allocation_line: 'allocation_line_id',
      with_recorder: 'recorded_by_id',
    },
    sums: ['amount_cents', 'usd_amount_cents'],
    figures: {
      vendor_ids: 'coalesce(sum(vendor_id), 0)',
      connection_ids: 'coalesce(sum(connection_id), 0)',
      recorder_ids: 'coalesce(sum(recorded_by_id), 0)',
      capex_usd_cents: "coalesce(sum(usd_amount_cents) filter (where cost_category = 'capex'), 0)",
      opex_usd_cents: "coalesce(sum(usd_amount_cents) filter (where cost_category = 'opex'), 0)",
      empty_dollars: 'count(*) filter (where usd_amount_cents is null)',
      provisional: 'count(*) filter (where usd_rate_provisional)',
      estimated: 'count(*) filter (where is_estimated)',
    },
    texts: { ...ENTRY_TEXTS, cost_type: ['cost_type', "coalesce(cost_type, 'other')"] },
  },
  columns: columnsOf({
    cost_entry_id: field('id', 'The cost entry.', { from: 'id' }),
    initiative_id: repeating('id', 'The initiative that bears the cost.', {
      references: 'initiatives',
    }),
    amount_cents: field('cents', 'The cost in cents of `currency`, as recorded; negative for a credit.'),
    currency: repeating('string', 'The ISO 4217 currency of the entry.'),
    usd_amount_cents: field(
      'cents?',
      'The cost in US cents: `amount_cents` times `usd_rate`, rounded half away from zero; empty, and in no total, when there is no rate.',
    ),
    usd_rate: repeating(
      'number?',
      'US dollars per unit of `currency`; for an undated cost the rate of its booking day; empty for dollar entries and without a rate.',
      { from: 'usd_rate::float8' },
    ),
    usd_rate_from: repeating('date?', 'The first rate day used; empty when there is no rate.'),
    usd_rate_through: repeating('date?', 'The last rate day used; empty when there is no rate.'),
    usd_rate_provisional: field(
      'boolean?',
      "True when the latest rate is used because the period's average is not known yet; a later snapshot has the average, unless the month is locked before; empty for dollar entries.",
      { from: "case when currency <> 'USD' then usd_rate_provisional end" },
    ),
    cost_category: field('string', 'One-time cost (`capex`) or running cost (`opex`).', {
      values: ['capex', 'opex'],
    }),
    cost_type: repeating(
      'string',
      'What was paid for, for example licenses, infrastructure or labor; `other` when not given.',
      { from: "coalesce(cost_type, 'other')" },
    ),
    period_start: repeating(
      'timestamp?',
      'Midnight UTC of the first day of the period; it decides the window the entry belongs to; empty for an undated cost, which is in all time only.',
      { from: "period_start::timestamp at time zone 'UTC'" },
    ),
    period_end: repeating(
      'timestamp?',
      'Midnight UTC of the last day of the period, as recorded; empty when none was.',
      { from: "period_end::timestamp at time zone 'UTC'" },
    ),
    period_month: repeating(
      'date?',
      'The first day of the UTC month in which `period_start` falls; empty for an undated cost.',
      { from: 'service.month_of(period_start)' },
    ),
    is_estimated: field('boolean', 'True when the entry was marked as an estimate.'),
    locked: field(
      'boolean',
      'True when the month of the entry is locked; for an undated cost, when the month of its booking day is.',
    ),
    vendor_id: repeating(
      'id?',
      'The vendor; for a merged vendor, the vendor it was merged into; empty when none was named.',
    ),
    vendor_name: repeating('string?', 'The vendor as recorded; empty when none was named.'),
    description: field('text?', 'What the cost is for; empty when nothing was written.'),
    notes: field('text?', 'What a person wrote about the entry; empty when nothing.'),
    books_account_name: repeating(
      'string?',
      'The ledger account of a cost that came from the books; empty otherwise.',
    ),
    source_type: repeating(
      'string',
      'How the entry came to exist, for example `manual`, `assistant`, `csv` or `integration`.',
    ),
    connection_id: repeating('id?', 'The connection it was synced from; empty for other sources.'),
    platform: repeating('string?', 'The platform of that connection; empty for other sources.'),
    source_ref: field('string?', "The record's reference at its source; empty when the source gives none.", {
      encoding: 'delta',
    }),
    implementation_id: repeating('id?', 'The implementation it belongs to; empty when it belongs to none.'),
    recurring_cost_id: repeating('id?', 'The recurring cost that made it; empty when none did.'),
    allocation_line_id: field('id?', 'The line of a shared bill it was split from; empty when not split.'),
    recorded_by_id: repeating(
      'id?',
      'The person who recorded it or had the assistant draft it; empty when synced or made by a rule.',
    ),
    recorded_by_name: repeating('string?', 'The name of that person; empty when synced or made by a rule.'),
    created_at: repeating('timestamp', 'When the entry was first recorded; its UTC day is the booking day.'),
    updated_at: field(
      'timestamp',
      'When the entry last changed, the locking or reopening of its month included.',
    ),
    app_url: field('string', "A link to the entry's page in the application.", { encoding: 'delta' }),
  }),
});
