-- Dollar figures stand on the row. A dollar row is its own figure; any other carries the rate it was converted at,
-- and the figure is reproducible from the two columns. The conversion job alone writes rates; a writer who changes
-- an amount keeps the rate, one who changes the currency or the period loses it until the next conversion.

-- What a row's rate depends on beside its currency. A charge's month is computed after the triggers: its day stands
-- for it. An entry without a period is converted by its booking day.
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

-- The same for what only costs and bills have: the provisional mark, and the AI part where there is one.
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

-- Triggers of one kind fire in the order of their names: dollars first, then what follows from the rate.
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

-- The dollars for one unit of a currency on each published day of a span: a day on which the dollar and that currency
-- both have a rate. Crossed through the euro. A hundred decimals, to be rounded by whoever averages them. The currency's
-- rate is a subquery and no join, because then it is looked up by its day, whatever the planner believes of the span.
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

-- The last day that decides on a cost's rate. A period without an end ends with the month of its start; a cost without a
-- period is one of its booking day.
create function service.cost_ends_on(period_start date, period_end date, booked_on date) returns date
language sql immutable parallel safe
return case when period_start is null then booked_on
  else coalesce(period_end, (service.month_of(period_start) + interval '1 month - 1 day')::date) end;

-- The rate of a cost, by what is published up to a day: the average over a period that is complete, the latest rate for
-- one that is not; where no day inside is published, the last one before. There is none before the currency's first.
-- Sixty decimals of the mean are kept before the one rounding, so that thirds which add up to a half do so again.
create function service.cost_rate(
  of_currency text, period_start date, period_end date, booked_on date, as_of date,
  out usd_rate numeric, out usd_rate_from date, out usd_rate_through date, out usd_rate_provisional boolean)
language sql stable parallel safe
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
