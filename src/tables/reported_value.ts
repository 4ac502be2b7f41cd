import { ENTRY_TEXTS } from './costs.ts';
import { columnsOf, defineTable, field, repeating } from './table.ts';

/** The confidence in millionths, which both engines write alike. */
const MILLIONTHS = 'floor(confidence_score * 1000000)::bigint';

/** Every approved value entry; cash value and freed capacity are sums of these. */
export const reported_value = defineTable({
  name: 'reported_value',
  grain: 'one row per approved value entry',
  description:
    'Value approved by a person or by auto-approval; cash value is the sum of `usd_amount_cents` over the cash types, freed capacity is never added to it: per initiative and month it is `capacity` less `capacity_realized`, floored at zero.',
  key: ['value_entry_id'],
  from: `reporting.value_entries where account_id = :account_id and status = 'approved' and not is_sample order by id`,
  from_base:
    "ledger.value_entries v where v.account_id = $1 and v.status = 'approved' and v.initiative_id not in (select i.id from ledger.initiatives i where i.account_id = $1 and i.is_sample)",
  copied: {
    base: 'value_entries',
    check: '31-check-control-value',
    by: ['currency', 'entry_type'],
    only: { status: 'approved' },
    except: [
      'period_month',
      'provenance',
      'platform',
      'formula_id',
      'formula_key',
      'formula_name',
      'formula_version',
      'formula_expression',
      'input_snapshot',
      'recorded_by_name',
      'approved_at',
      'approved_by_id',
      'approved_by_name',
      'approval_source',
      'app_url',
      'basis',
    ],
    counts: {
      with_rate: 'usd_rate',
      with_effects: 'vendor_price_effect_cents',
      with_period_start: 'period_start',
      with_period_end: 'period_end',
      with_confidence: 'confidence_score',
      with_connection: 'connection_id',
      with_source_ref: 'source_ref',
      with_formula: ['formula_id', 'formula_version_id'],
      with_expression: 'formula_expression',
      with_notes: 'notes',
      with_recorder: 'recorded_by_id',
      with_approval: ['approved_at', 'approval_decision_id'],
    },
    sums: ['amount_cents', 'usd_amount_cents', 'vendor_price_effect_cents', 'own_changes_effect_cents'],
    figures: {
      connection_ids: 'coalesce(sum(connection_id), 0)',
      recorder_ids: 'coalesce(sum(recorded_by_id), 0)',
      empty_dollars: 'count(*) filter (where usd_amount_cents is null)',
      estimated: 'count(*) filter (where is_estimated)',
    },
    texts: { ...ENTRY_TEXTS, confidence_score: [MILLIONTHS, MILLIONTHS] },
  },
  columns: columnsOf({
    value_entry_id: field('id', 'The value entry.', { from: 'id' }),
    initiative_id: repeating('id', 'The initiative that brought the value.', {
      references: 'initiatives',
    }),
    amount_cents: field('cents', 'The value in cents of `currency`, as recorded.'),
    currency: repeating('string', 'The ISO 4217 currency of the entry.'),
    usd_amount_cents: field(
      'cents?',
      'The value in US cents: `amount_cents` times `usd_rate`, rounded half away from zero; empty while waiting on a rate, and then in no total.',
    ),
    usd_rate: repeating(
      'number?',
      'US dollars per unit of `currency`, the mean over the rate days of the period; empty for dollar entries and while waiting.',
      { from: 'usd_rate::float8' },
    ),
    usd_rate_from: repeating('date?', 'The first rate day averaged; empty when there is no rate.'),
    usd_rate_through: repeating('date?', 'The last rate day averaged; empty when there is no rate.'),
    entry_type: field(
      'string',
      'What kind of value it is; all types are cash except `capacity`, which is time freed and not cash.',
      { values: ['revenue_gain', 'cost_savings', 'cost_avoidance', 'capacity', 'capacity_realized'] },
    ),
    period_start: repeating(
      'timestamp?',
      'Midnight UTC of the first day of the period; it decides the window the entry belongs to; empty for undated value, which is in all time only.',
      { from: "period_start::timestamp at time zone 'UTC'" },
    ),
    period_end: repeating(
      'timestamp?',
      'Midnight UTC of the last day of the period, as recorded; empty when none was.',
      { from: "period_end::timestamp at time zone 'UTC'" },
    ),
    period_month: repeating(
      'date?',
      'The first day of the UTC month in which `period_start` falls; empty for undated value.',
      { from: 'service.month_of(period_start)' },
    ),
    is_estimated: field('boolean', 'True when the entry was marked as an estimate.'),
    confidence_score: repeating('number?', 'Confidence from 0 to 100; empty when none was given.'),
    source_type: field('string', 'How the entry came to exist.', {
      values: ['manual', 'assistant', 'csv', 'calculated', 'integration'],
    }),
    provenance: repeating('string', 'The origin in one phrase, for a reader.'),
    connection_id: repeating('id?', 'The connection it was synced from; empty for other sources.'),
    platform: repeating('string?', 'The platform of that connection; empty for other sources.'),
    source_ref: field('string?', "The record's reference at its source; empty when the source gives none."),
    formula_id: repeating('id?', 'The formula that calculated it; empty when not calculated.'),
    formula_key: repeating(
      'string?',
      'The key of that formula, the same in all its versions; empty when not calculated.',
    ),
    formula_name: repeating('string?', 'The name of that formula at evaluation; empty when not calculated.'),
    formula_version: repeating('integer?', 'The version used at evaluation; empty when not calculated.'),
    formula_expression: repeating(
      'string?',
      'The expression as recorded at evaluation; empty when not calculated.',
    ),
    input_snapshot: field(
      'json',
      'The expression and inputs frozen with the figure, keys sorted and without white space; `{}` without a formula.',
    ),
    input_snapshot_sha256: field(
      'string',
      'The SHA-256 digest of the bytes of `input_snapshot`, in lower-case hex.',
    ),
    vendor_price_effect_cents: field(
      'cents?',
      "The part of an AI-spend saving due to the provider's price changes, in cents of `currency`; empty when the entry carries no split.",
    ),
    own_changes_effect_cents: field(
      'cents?',
      "The part due to the account's own choices, in cents of `currency`; with the price effect it adds up to `amount_cents`; empty when the entry carries no split.",
    ),
    notes: field('text?', 'What a person wrote about the entry; empty when nothing.'),
    recorded_by_id: repeating(
      'id?',
      'The person who recorded it or had the assistant draft it; empty when calculated or synced.',
    ),
    recorded_by_name: repeating('string?', 'The name of that person; empty when calculated or synced.'),
    approved_at: field(
      'timestamp?',
      'When the latest approval was given; empty when no decision is on record.',
    ),
    approved_by_id: repeating('id?', 'The person who gave that approval; empty when auto-approved.'),
    approved_by_name: repeating('string?', 'The name of that person; empty when auto-approved.'),
    approval_source: field('string', '`auto` when approved by the setting of the account, else `direct`.', {
      values: ['auto', 'direct'],
    }),
    created_at: repeating('timestamp', 'When the entry was first recorded.'),
    updated_at: field(
      'timestamp',
      'When the entry last changed, the locking or reopening of its month included.',
    ),
    app_url: field('string', "A link to the entry's page in the application.", { encoding: 'delta' }),
    basis: field(
      'string?',
      'What the weakest baseline is: `measured` before go-live, `reconstructed` from work done without the AI, `estimated`, or `none` without a baseline; never empty.',
      { values: ['measured', 'reconstructed', 'estimated', 'none'], never_empty: true },
    ),
  }),
});
