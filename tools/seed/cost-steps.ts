/**
 * SQL statements that seed cost entries: first entries booked from bills, card charges and allocations, then drawn entries,
 * whose values are chosen at random by the seed.
 */
import type { SeedStep } from './step.ts';

// One of every five bill shares stays unbooked, so that some bills are fully booked, some partly and some not. Every second
// card charge with a vendor is booked, and every allocation line with an initiative.
const BOOKINGS = `
  create temp view bookings as
  select row_number() over (order by kind, source_id) as k, b.*
  from (
    select 'provider' as kind, s.id as source_id, l.initiative_id, round(b.amount_cents * s.share)::bigint as amount_cents, b.currency,
      b.usd_rate, b.usd_rate_from, b.usd_rate_through, b.usd_rate_provisional, b.month::date as month,
      round(b.ai_amount_cents * s.share)::bigint as ai_amount_cents, b.id as provider_bill_id, null::bigint as vendor_bill_id,
      null::bigint as card_charge_id, null::bigint as allocation_line_id
    from pg_temp.plan p
    join ledger.bill_shares s on s.account_id = p.account_id
    join ledger.ai_spend_links l on l.account_id = s.account_id and l.id = s.link_id
    join ledger.provider_bills b on b.account_id = s.account_id and b.id = s.provider_bill_id
    where s.id % 5 <> 3
    union all
    select 'vendor', s.id, l.initiative_id, round(b.amount_cents * s.share)::bigint, b.currency, b.usd_rate, b.usd_rate_from,
      b.usd_rate_through, b.usd_rate_provisional, b.month, round(b.ai_amount_cents * s.share)::bigint, null, b.id, null, null
    from pg_temp.plan p
    join ledger.bill_shares s on s.account_id = p.account_id
    join ledger.ai_spend_links l on l.account_id = s.account_id and l.id = s.link_id
    join ledger.vendor_bills b on b.account_id = s.account_id and b.id = s.vendor_bill_id
    where s.id % 5 <> 3
    union all
    select 'charge', c.id, 1 + c.id % p.initiatives, c.amount_cents, c.currency, c.usd_rate, c.usd_rate_from, c.usd_rate_through,
      c.usd_rate_provisional, c.month, c.amount_cents, null, null, c.id, null
    from pg_temp.plan p join ledger.card_charges c on c.account_id = p.account_id
    where c.vendor_id is not null and c.id % 2 = 0
    union all
    select 'allocation', l.id, l.initiative_id, l.amount_cents, b.currency, r.usd_rate, r.usd_rate_from, r.usd_rate_through,
      coalesce(r.usd_rate_provisional, false), b.period_start, null, null, null, null, l.id
    from pg_temp.plan p
    join ledger.allocation_lines l on l.account_id = p.account_id
    join ledger.shared_bills b on b.account_id = l.account_id and b.id = l.shared_bill_id
    left join pg_temp.period_rates r on r.key = pg_temp.rate_key(b.currency, b.period_start, b.period_end, null)
    where l.initiative_id is not null
  ) as b`;

/**
 * The statements of booked costs, in order. They take the last ids. Drawn costs fill the ids before them, so the total is
 * `rows`. The first and third statements write no cost entries; their table name is only for progress messages.
 */
export const BOOKED_COSTS: readonly SeedStep[] = [
  { table: 'cost_entries', sql: BOOKINGS },
  {
    table: 'cost_entries',
    sql: `
      insert into ledger.cost_entries
        (account_id, id, initiative_id, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through, usd_rate_provisional,
          cost_type, period_start, period_end, vendor_name, description, source_type, source_ref, provider_bill_id, vendor_bill_id,
          card_charge_id, allocation_line_id, ai_amount_cents, created_at)
      select account_id, rows + 1 - k, initiative_id, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through,
        usd_rate_provisional, 'software', month, (month + interval '1 month - 1 day')::date, case when k % 2 = 0 then 'Vendor 1 GmbH & Co. "KG"' end,
        'Booked from ' || kind || ' ' || source_id, 'system', kind || ':' || source_id, provider_bill_id, vendor_bill_id, card_charge_id,
        allocation_line_id, ai_amount_cents, month + 31
      from pg_temp.plan, pg_temp.bookings`,
  },
  { table: 'cost_entries', sql: 'update pg_temp.plan set booked = (select count(*) from pg_temp.bookings)' },
];

/** The drawn costs: a long step. */
export const DRAWN_COSTS: SeedStep = {
  table: 'cost_entries',
  sql: `
      insert into ledger.cost_entries
        (account_id, id, initiative_id, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through, usd_rate_provisional,
          cost_type, cost_category, period_start, period_end, is_estimated, vendor_name, description, notes, books_account_id,
          source_type, connection_id, source_ref, implementation_id, recurring_cost_id, recorded_by_id, created_at)
      select account_id, n, initiative_id,
        case when n % 200 = 0 then 0 when n % 37 = 0 then -1 else 1 end * (1 + pg_temp.draw(seed, 'cost amount', n, 999))
          * (array[1, 10, 100, 100, 1000])[1 + pg_temp.draw(seed, 'cost size', n, 5)],
        drawn.currency, usd_rate, usd_rate_from, usd_rate_through, coalesce(usd_rate_provisional, false),
        (array['implementation', 'software', 'software', 'hardware', 'cloud', 'seats', 'Own word', null])[1 + pg_temp.draw(seed, 'cost type', n, 8)],
        case when n % 9 = 0 then 'capex' when n % 9 = 1 then 'opex' end, period_start, period_end, n % 12 = 5,
        case when n % 3 <> 0 then 'Vendor ' || vendor || (array[' Inc.', ' GmbH & Co. "KG"', ', Süd', ''])[1 + vendor % 4] end,
        case when n % 4 <> 0 then 'Cost ' || n || (array['', ', second half', ' — "as agreed"'])[1 + n % 3] end,
        case when n % 10 = 0 then E'Fixed price.\\nAccepted, n° ' || n end, case when n % 5 = 0 then 1 + n % 8 end, source,
        case when source = 'integration' then 1 + n % connections end, case when source in ('integration', 'csv') then 'ref-' || n end,
        case when source = 'manual' and initiative_id % 3 = 1 then initiative_id end,
        case when source = 'calculated' and initiative_id % 3 = 1 then initiative_id end,
        case when source in ('manual', 'assistant', 'csv') and n % 6 <> 0 then users_before + 1 + n % people end,
        month + 14 + interval '9 hours 0.000001 seconds'
      from pg_temp.plan
      cross join (select count(*) as connections from ledger.platforms) as counted
      cross join generate_series($1::bigint, least($2::bigint, rows - booked)) as n
      cross join lateral (
        select pg_temp.draw_initiative(seed, 'cost', n, initiatives) as initiative_id, pg_temp.draw_currency(seed, 'cost', n) as currency,
          (first_month + make_interval(months => pg_temp.draw(seed, 'cost month', n, months + 2)::integer))::date as month,
          1 + pg_temp.draw(seed, 'vendor', n, vendors) as vendor,
          (array['manual', 'assistant', 'csv', 'calculated', 'integration', 'system'])[1 + pg_temp.draw(seed, 'cost source', n, 6)] as source
      ) as drawn
      cross join lateral pg_temp.draw_period(seed, 'cost', n, drawn.currency, drawn.month) as period
      left join pg_temp.period_rates r on r.key = pg_temp.rate_key(drawn.currency, period_start, period_end, month + 14)`,
};
