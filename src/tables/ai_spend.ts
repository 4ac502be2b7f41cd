import { columnsOf, defineTable, field, repeating } from './table.ts';

/** What AI cost by month, by provider connection, by vendor and on cards. */
export const ai_spend = defineTable({
  name: 'ai_spend',
  grain:
    'one row per month per provider connection with a bill, per AI vendor with a bill, and for the card feeds together',
  description:
    'Monthly AI spend in US dollars; a bill without a published rate is in no row. Card rows count charges made in dollars, are stated beside the others and never added to them.',
  key: ['month', 'source_kind', 'connection_id', 'vendor_name'],
  from: 'reporting.ai_spend where account_id = :account_id order by month, source_kind collate "C", connection_id, vendor_name collate "C"',
  columns: columnsOf({
    month: repeating('date', 'The first day of the month billed.'),
    source_kind: field('string', 'Where the spend was seen.', {
      values: ['provider_bill', 'ai_vendor', 'card'],
    }),
    connection_id: repeating('id?', 'The connection to the provider; empty on `ai_vendor` and `card` rows.'),
    platform: repeating('string?', 'The platform of that connection; empty on `ai_vendor` and `card` rows.'),
    connection_name: repeating(
      'string?',
      'The name of that connection; empty on `ai_vendor` and `card` rows.',
    ),
    vendor_name: repeating('string?', 'The vendor; empty on `provider_bill` and `card` rows.'),
    billed_cents: field('cents', 'Everything billed or charged in that month, credits negative.'),
    currency: repeating('string', 'Always USD.', { from: "'USD'" }),
    attribution: field(
      'string?',
      'Whether initiatives carry the spend, if only in part; unless `attributed`, none does; empty on card rows.',
      { values: ['attributed', 'unlinked', 'unmapped', 'unbooked'] },
    ),
    set_aside: field(
      'boolean?',
      'True when an admin marked it as belonging to no initiative, which attributes nothing; empty on card rows.',
    ),
    initiative_count: repeating(
      'integer?',
      'How many initiatives have a cost booked from it; empty on card rows.',
    ),
    booked_cents: field('cents?', 'The part booked to initiatives; empty on `provider_bill` rows.'),
    ai_billed_cents: field('cents?', 'The AI part of what was billed; empty on card rows.'),
    ai_booked_cents: field(
      'cents?',
      'The part of that which is booked to initiatives, 0 unless attributed; empty on card rows.',
    ),
  }),
});
