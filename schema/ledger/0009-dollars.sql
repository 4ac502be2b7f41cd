-- The dollar amount is stored in the row. For a row in USD it is the amount. Any other row stores its conversion rate too,
-- and amount times rate gives the dollar amount. Only the conversion job writes rates. A change of the amount keeps the
-- rate; a change of the currency or the period removes it until the next conversion.

-- The dates that decide a row's rate. A card charge gives its day, because its month is computed after the triggers. An
-- entry without a period gives its booking day.
create function service.rate_dates(recorded jsonb) returns jsonb
language sql immutable strict parallel safe
return jsonb_build_array(
  coalesce(recorded -> 'charged_on', recorded -> 'month', nullif(recorded -> 'period_start', 'null'), recorded -> 'created_at'),
  recorded -> 'period_end');

create function service.settle_dollars() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if new.currency is null or new.currency = 'USD' then
    new.usd_amount_cents := case when new.currency = 'USD' then new.amount_cents end;
    new.usd_rate := null;
    new.usd_rate_from := null;
    new.usd_rate_through := null;
    return new;
  end if;
  if tg_op = 'UPDATE' and new.usd_rate is not distinct from old.usd_rate
    and new.usd_rate_from is not distinct from old.usd_rate_from
    and new.usd_rate_through is not distinct from old.usd_rate_through
    and (new.currency is distinct from old.currency
      or service.rate_dates(to_jsonb(new)) <> service.rate_dates(to_jsonb(old)))
  then
    new.usd_rate := null;
    new.usd_rate_from := null;
    new.usd_rate_through := null;
  end if;
  -- numeric rounds half away from zero, as every figure here does.
  new.usd_amount_cents := round(new.amount_cents * new.usd_rate)::bigint;
  return new;
end $$;

-- Only costs and bills have a provisional mark, and most of them an AI part.
create function service.settle_provisional() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.usd_rate_provisional := coalesce(new.usd_rate_provisional, false) and new.usd_rate is not null;
  return new;
end $$;

create function service.settle_ai_part() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.ai_usd_amount_cents := case when new.currency = 'USD' then new.ai_amount_cents
    else round(new.ai_amount_cents * new.usd_rate)::bigint end;
  return new;
end $$;

-- Triggers fire in the order of their names: first the dollars, then the columns that follow from the rate.
do $$
declare
  target text;
begin
  foreach target in array array['cost_entries', 'provider_bills', 'vendor_bills', 'card_charges'] loop
    execute format('create trigger settle_1_dollars before insert or update on ledger.%I for each row execute function service.settle_dollars()', target);
    execute format('create trigger settle_2_provisional before insert or update on ledger.%I for each row execute function service.settle_provisional()', target);
    if target <> 'card_charges' then
      execute format('create trigger settle_3_ai_part before insert or update on ledger.%I for each row execute function service.settle_ai_part()', target);
    end if;
    execute format(
      'alter table ledger.%I add constraint %I check (
        (usd_rate is null) = (usd_rate_from is null) and (usd_rate is null) = (usd_rate_through is null)
        and usd_rate_through >= usd_rate_from
        and case when currency = ''USD'' then usd_amount_cents is not distinct from amount_cents and usd_rate is null
          else usd_amount_cents is not distinct from round(amount_cents * usd_rate) end)',
      target, target || '_dollars_reproducible');
  end loop;
end $$;

-- The dollars for one unit of a currency on each published day of a span: a day with a rate of the dollar and of that
-- currency. It is the cross rate through the euro, with a hundred decimals; the caller averages and rounds. The currency's
-- rate is a subquery and no join, so that the planner always looks it up by its day.
create function service.published_crosses(of_currency text, first_day date, last_day date)
returns table (day date, usd_rate numeric)
language sql stable parallel safe
begin atomic
  select crossed.day, crossed.usd_per_euro::numeric(120, 100) / crossed.units_per_euro
  from (
    select dollars.day, dollars.units_per_euro as usd_per_euro,
      case of_currency when 'EUR' then 1 else (
        select units.units_per_euro from ledger.euro_reference_rates as units
        where units.currency = of_currency and units.day = dollars.day
      ) end as units_per_euro
    from ledger.euro_reference_rates as dollars
    where dollars.currency = 'USD' and of_currency <> 'USD' and dollars.day between first_day and last_day
  ) as crossed
  where crossed.units_per_euro is not null;
end;

-- The last day that decides a cost's rate. A period without an end ends with the month of its start. A cost without a
-- period takes its booking day.
create function service.cost_ends_on(period_start date, period_end date, booked_on date) returns date
language sql immutable parallel safe
return case when period_start is null then booked_on
  else coalesce(period_end, (service.month_of(period_start) + interval '1 month - 1 day')::date) end;

-- The rate of a cost, from the rates published up to a day: the average over a complete period, the latest rate for an
-- incomplete one. If no day of the period has a rate, it is the last rate before. Before a currency's first rate there is
-- no rate. The mean is rounded to sixty decimals first, so that thirds that add up to an exact half are rounded as a half.
-- One plan serves all calls: a rate takes 0.2 to 0.6 ms, and 1 to 1.5 ms with a plan made for each call.
create function service.cost_rate(
  of_currency text, period_start date, period_end date, booked_on date, as_of date,
  out usd_rate numeric, out usd_rate_from date, out usd_rate_through date, out usd_rate_provisional boolean)
language sql stable parallel safe set plan_cache_mode = force_generic_plan
begin atomic
  select round(round(avg(used.usd_rate), 60), 10), min(used.day), max(used.day), not period.complete
  from (
    select starts_on, ends_on, exists (select from service.published_crosses(of_currency, ends_on, as_of)) as complete
    from (
      select coalesce(period_start, booked_on) as starts_on, service.cost_ends_on(period_start, period_end, booked_on) as ends_on
    ) as days
  ) as period
  -- Of an incomplete period this is the latest day of all.
  cross join lateral (
    select day from service.published_crosses(of_currency, '-infinity', least(period.ends_on, as_of)) order by day desc limit 1
  ) as last_published
  cross join lateral service.published_crosses(
    of_currency,
    case when period.complete then least(period.starts_on, last_published.day) else last_published.day end,
    last_published.day
  ) as used
  group by period.complete;
end;
