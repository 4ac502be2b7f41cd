import { column, defineTable, repeating } from './table.ts';

/** Every approved value entry: what cash value and freed capacity are summed from. */
export const reported_value = defineTable({
  name: 'reported_value',
  grain: 'one row per approved value entry',
  description:
    'Value approved by a person or by auto-approval; cash value is the sum of `usd_amount_cents` over the cash types, freed capacity is never added to it: per initiative and month it is `capacity` less `capacity_realized`, floored at zero.',
  key: ['value_entry_id'],
  from: `reporting.value_entries where account_id = :account_id and status = 'approved' and not is_sample order by id`,
  bare: "ledger.value_entries v where v.account_id = $1 and v.status = 'approved' and v.initiative_id not in (select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)",
  columns: [
    column('value_entry_id', 'id', 'The value entry.', { from: 'id' }),
    repeating('initiative_id', 'id', 'The initiative that brought the value.', {
      references: 'initiatives',
    }),
    column('amount_cents', 'cents', 'The value in cents of `currency`, as recorded.'),
    repeating('currency', 'string', 'The ISO 4217 currency of the entry.'),
    column(
      'usd_amount_cents',
      'cents?',
      'The value in US cents: `amount_cents` times `usd_rate`, rounded half away from zero; empty while waiting on a rate, and then in no total.',
    ),
    repeating(
      'usd_rate',
      'number?',
      'US dollars per unit of `currency`, the mean over the rate days of the period; empty for dollar entries and while waiting.',
      { from: 'usd_rate::float8' },
    ),
    repeating('usd_rate_from', 'date?', 'The first rate day averaged; empty when there is no rate.'),
    repeating('usd_rate_through', 'date?', 'The last rate day averaged; empty when there is no rate.'),
    column(
      'entry_type',
      'string',
      'What kind of value it is; all types are cash except `capacity`, which is time freed and not cash.',
      { values: ['revenue_gain', 'cost_savings', 'cost_avoidance', 'capacity', 'capacity_realized'] },
    ),
    repeating(
      'period_start',
      'timestamp?',
      'Midnight UTC of the first day of the period; it decides the window the entry belongs to; empty for undated value, which is in all time only.',
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
      'The first day of the UTC month in which `period_start` falls; empty for undated value.',
      { from: 'service.month_of(period_start)' },
    ),
    column('is_estimated', 'boolean', 'True when the entry was marked as an estimate.'),
    repeating('confidence_score', 'number?', 'Confidence from 0 to 100; empty when none was given.'),
    column('source_type', 'string', 'How the entry came to exist.', {
      values: ['manual', 'assistant', 'csv', 'calculated', 'integration'],
    }),
    repeating('provenance', 'string', 'The origin in one phrase, for a reader.'),
    repeating('connection_id', 'id?', 'The connection it was synced from; empty for other sources.'),
    repeating('platform', 'string?', 'The platform of that connection; empty for other sources.'),
    column(
      'source_ref',
      'string?',
      "The record's reference at its source; empty when the source gives none.",
      { near: true },
    ),
    repeating('formula_id', 'id?', 'The formula that calculated it; empty when not calculated.'),
    repeating(
      'formula_key',
      'string?',
      'The key of that formula, the same in all its versions; empty when not calculated.',
    ),
    repeating(
      'formula_name',
      'string?',
      'The name of that formula at evaluation; empty when not calculated.',
    ),
    repeating('formula_version', 'integer?', 'The version used at evaluation; empty when not calculated.'),
    repeating(
      'formula_expression',
      'string?',
      'The expression as recorded at evaluation; empty when not calculated.',
    ),
    column(
      'input_snapshot',
      'json',
      'The expression and inputs frozen with the figure, keys sorted and without white space; `{}` without a formula.',
    ),
    column(
      'input_snapshot_sha256',
      'string',
      'The SHA-256 digest of the bytes of `input_snapshot`, in lower-case hex.',
    ),
    column(
      'vendor_price_effect_cents',
      'cents?',
      "The part of an AI-spend saving due to the provider's price changes, in cents of `currency`; empty when the entry carries no split.",
    ),
    column(
      'own_changes_effect_cents',
      'cents?',
      "The part due to the account's own choices, in cents of `currency`; with the price effect it adds up to `amount_cents`; empty when the entry carries no split.",
    ),
    column('notes', 'text?', 'What a person wrote about the entry; empty when nothing.'),
    repeating(
      'recorded_by_id',
      'id?',
      'The person who recorded it or had the assistant draft it; empty when calculated or synced.',
    ),
    repeating('recorded_by_name', 'string?', 'The name of that person; empty when calculated or synced.'),
    column(
      'approved_at',
      'timestamp?',
      'When the latest approval was given; empty when no decision is on record.',
    ),
    repeating('approved_by_id', 'id?', 'The person who gave that approval; empty when auto-approved.'),
    repeating('approved_by_name', 'string?', 'The name of that person; empty when auto-approved.'),
    column(
      'approval_source',
      'string',
      '`auto` when approved by the setting of the account, else `direct`.',
      {
        values: ['auto', 'direct'],
      },
    ),
    repeating('created_at', 'timestamp', 'When the entry was first recorded.'),
    column(
      'updated_at',
      'timestamp',
      'When the entry last changed, the locking or reopening of its month included.',
    ),
    column('app_url', 'string', "A link to the entry's page in the application.", { near: true }),
    column(
      'basis',
      'string?',
      'How well the figure is founded: baseline measured before go-live, rebuilt after it, estimated, or without one; never empty.',
      { values: ['measured', 'reconstructed', 'estimated', 'none'], never_empty: true },
    ),
  ],
});
