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
