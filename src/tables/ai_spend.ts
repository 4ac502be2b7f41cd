import { columnsOf, defineTable, field, repeating } from './table.ts';

/** What AI cost in each month, for each provider connection and AI vendor, and for cards together. */
export const ai_spend = defineTable({
  name: 'ai_spend',
  grain:
    'one row per month per provider connection with a bill, per AI vendor with a bill, and for the card feeds together',
  description:
    'Monthly AI spend in US dollars; a bill without a published rate is in no row. Card rows count charges made in dollars. Never add them to the other rows: they pay the same bills.',
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
      '`attributed` if at least a part of the spend is booked to initiatives; the other values say what is missing for that; empty on card rows.',
      { values: ['attributed', 'unlinked', 'unmapped', 'unbooked'] },
    ),
    set_aside: field(
      'boolean?',
      'True when an admin marked it as belonging to no initiative; `attribution` does not depend on it; empty on card rows.',
    ),
    initiative_count: repeating(
      'integer?',
      'How many initiatives have a cost booked from it; empty on card rows.',
    ),
    booked_cents: field('cents?', 'The part booked to initiatives; empty on `provider_bill` rows.'),
    ai_billed_cents: field('cents?', 'The AI part of what was billed; empty on card rows.'),
    ai_booked_cents: field(
      'cents?',
      'The part of `ai_billed_cents` that is booked to initiatives, 0 unless attributed; empty on card rows.',
    ),
  }),
});
