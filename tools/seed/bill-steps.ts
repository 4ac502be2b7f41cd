/** The seeded AI bills, card charges and shared bills, and the initiatives that bear their shares. */
import type { SeedStep } from './step.ts';

/** SQL that joins the rate of the bill's month as `r`. */
const MONTH_RATE = `left join pg_temp.period_rates r
  on r.key = pg_temp.rate_key(drawn.currency, drawn.month, (drawn.month + interval '1 month - 1 day')::date, null)`;

/** SQL that draws (chooses at random by the seed) the month, currency and amount of bill `n`; a credit is negative. */
const BILL = `lateral (
  select (p.first_month + make_interval(months => pg_temp.draw(p.seed, 'bill month', n, p.months)::integer))::date as month,
    case when n % 4 = 0 then 'EUR' else 'USD' end as currency,
    case when n % 13 = 0 then -1 else 1 end * (1000 + pg_temp.draw(p.seed, 'bill', n, 900000)) as amount_cents
) as drawn`;

/**
 * The statements, in the order that foreign keys need. Connections 1 to 3 and vendors 1 and 4 are linked to initiatives, and
 * most of their bills are shared. Connection 4 is linked, but its bills are never shared. Connection 5 and vendor 7 have no
 * link.
 */
export const BILL_STEPS: readonly SeedStep[] = [
  {
    table: 'provider_bills',
    sql: `
      insert into ledger.provider_bills
        (account_id, id, connection_id, month, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through,
          usd_rate_provisional, ai_amount_cents, external_ref, created_at)
      select account_id, n, 1 + n % 5, month, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through,
        coalesce(usd_rate_provisional, false), case when n % 3 = 0 then amount_cents / 2 else amount_cents end, 'invoice-' || n, month + 31
      from pg_temp.plan p cross join generate_series(1, p.bills) as n cross join ${BILL} ${MONTH_RATE}`,
  },
  {
    table: 'usage',
    // Two of three bills say what was used: six tenths of the AI cost for input tokens, four tenths for output tokens, the rest
    // for storage.
    sql: `
      insert into ledger.usage
        (account_id, id, bill_id, used_on, is_ai, service, model, unit, quantity, billed_cost, effective_cost, cost_cents, created_at)
      select b.account_id, 3 * b.id - 3 + k, b.id, b.month + 9 + k, k < 3, case when k < 3 then 'Models' else 'Storage' end,
        case when k < 3 then 'model-' || b.connection_id end, (array['input_tokens', 'output_tokens', 'GB-Months'])[k], abs(cents) * 1000,
        cents / 100.0, cents / 100.0, cents, b.created_at
      from pg_temp.plan p join ledger.provider_bills b on b.account_id = p.account_id, generate_series(1, 3) as k,
        lateral (select b.ai_amount_cents * 6 / 10 as input_cents) as part,
        lateral (select (array[input_cents, b.ai_amount_cents - input_cents, b.amount_cents - b.ai_amount_cents])[k] as cents) as cost
      where b.id % 3 <> 1 and cents <> 0`,
  },
  {
    table: 'vendor_bills',
    sql: `
      insert into ledger.vendor_bills
        (account_id, id, vendor_id, feed, connection_id, month, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through,
          usd_rate_provisional, ai_amount_cents, external_ref, created_at)
      select account_id, n, (array[1, 4, 7, 2])[1 + n % 4], (array['books', 'card_feed'])[1 + n % 2], case when n % 3 = 0 then 6 end,
        month, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through, coalesce(usd_rate_provisional, false),
        case when n % 5 = 0 then amount_cents / 3 else amount_cents end, 'bill-' || n, month + 31
      from pg_temp.plan p cross join generate_series(1, p.bills) as n cross join ${BILL} ${MONTH_RATE}`,
  },
  {
    table: 'card_charges',
    sql: `
      insert into ledger.card_charges
        (account_id, id, connection_id, charged_on, merchant, vendor_id, amount_cents, currency, usd_rate, usd_rate_from,
          usd_rate_through, usd_rate_provisional, external_ref, created_at)
      select account_id, n, 7, month + (n % 28)::integer, 'MERCHANT *' || n, (array[1, 4, 7, 2, null])[1 + n % 5], amount_cents, currency,
        usd_rate, usd_rate_from, usd_rate_through, coalesce(usd_rate_provisional, false), 'charge-' || n, month + 31
      from pg_temp.plan p cross join generate_series(1, p.bills) as n cross join ${BILL} ${MONTH_RATE}`,
  },
  {
    table: 'ai_spend_links',
    // Initiative 9 is a sample.
    sql: `
      insert into ledger.ai_spend_links (account_id, id, initiative_id, connection_id, vendor_id, created_at)
      select account_id, id, initiative_id, connection_id, vendor_id, first_month
      from pg_temp.plan, (values (1, 1, 1, null), (2, 2, 1, null), (3, 3, 2, null), (4, 4, 2, null), (5, 5, 3, null), (6, 9, 3, null),
        (7, 6, 4, null), (8, 1, null, 1), (9, 2, null, 1), (10, 3, null, 4), (11, 9, null, 4)) as link (id, initiative_id, connection_id, vendor_id)`,
  },
  {
    table: 'bill_shares',
    // A shared bill has two shares: six tenths for the first link, four tenths for the second.
    sql: `
      insert into ledger.bill_shares (account_id, id, link_id, provider_bill_id, vendor_bill_id, share)
      select b.account_id, 2 * b.id - 2 + k, 2 * b.connection_id - 2 + k, b.id, null::bigint, (array[0.6, 0.4])[k]
      from pg_temp.plan p join ledger.provider_bills b on b.account_id = p.account_id, generate_series(1, 2) as k
      where b.connection_id <= 3 and b.id % 6 <> 5
      union all
      select b.account_id, 2 * (p.bills + b.id) - 2 + k, case b.vendor_id when 1 then 7 else 9 end + k, null, b.id, (array[0.6, 0.4])[k]
      from pg_temp.plan p join ledger.vendor_bills b on b.account_id = p.account_id, generate_series(1, 2) as k
      where b.vendor_id in (1, 4) and b.id % 6 <> 5`,
  },
  {
    table: 'shared_bills',
    sql: `
      insert into ledger.shared_bills (account_id, id, vendor_id, description, amount_cents, currency, period_start, period_end)
      select account_id, n, case when n % 2 = 0 then 3 end, 'Shared bill ' || n, 2 * n + 10001, currency, month,
        (month + interval '1 month - 1 day')::date
      from pg_temp.plan p cross join generate_series(1, 1 + p.bills / 4) as n cross join ${BILL}`,
  },
  {
    table: 'allocation_lines',
    // Each bill has two halves, the first rounded up, the second down. Every seventh bill has no lines yet.
    sql: `
      insert into ledger.allocation_lines (account_id, id, shared_bill_id, initiative_id, weight, amount_cents)
      select b.account_id, 2 * b.id - 2 + k, b.id, case when b.id % 5 <> 0 or k = 1 then 1 + (b.id + k) % p.initiatives end, 1,
        (b.amount_cents + 2 - k) / 2
      from pg_temp.plan p join ledger.shared_bills b on b.account_id = p.account_id, generate_series(1, 2) as k
      where b.id % 7 <> 0`,
  },
];
