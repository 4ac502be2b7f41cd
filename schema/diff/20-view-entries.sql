-- What each approved value entry and each cost of either snapshot adds to the totals, in US cents. This is the arithmetic of
-- `reported_totals` once more, in DuckDB's SQL. An entry without a dollar figure adds nothing.
create view entries as
select
  side,
  'reported_value' as table_name,
  value_entry_id as id,
  initiative_id,
  utc_month(period_start) as month,
  if(entry_type = 'capacity', 0, usd_amount_cents) as cash,
  case entry_type
    when 'capacity' then usd_amount_cents
    when 'capacity_realized' then -usd_amount_cents
    else 0
  end as capacity,
  0 as capex,
  0 as opex,
  coalesce(if(currency = 'USD', vendor_price_effect_cents, dollars(vendor_price_effect_cents, usd_rate)), 0) as price_effect
from reported_value
where usd_amount_cents is not null
union all
select
  side,
  'costs',
  cost_entry_id,
  initiative_id,
  utc_month(period_start),
  0,
  0,
  if(cost_category = 'capex', usd_amount_cents, 0),
  if(cost_category = 'opex', usd_amount_cents, 0),
  0
from costs
where usd_amount_cents is not null;

-- Each month for which a close was started, in either snapshot, and how its lock changed between the snapshots.
create table months as
select
  coalesce(earlier.month, later.month) as month,
  coalesce(earlier.locked, false) as was_locked,
  coalesce(later.locked, false) as is_locked,
  -- A month that was reopened and locked again between the two snapshots counts as reopened, too. Its locked_at then differs,
  -- even if a loaded file has emptied reopened_at.
  coalesce(earlier.locked, false) and (later.locked is not true
    or (later.reopened_at, later.locked_at) is distinct from (earlier.reopened_at, earlier.locked_at)) as reopened
from read_parquet('earlier/accounting_periods.parquet') earlier
full join read_parquet('later/accounting_periods.parquet') later on later.month = earlier.month;

-- The newest decision about each value entry since the earlier snapshot. `outcome` is null for an approval.
create table outcomes as
select
  later.subject_id as id,
  case
    when later.decision = 'disputed' or later.resulting_state = 'disputed' then 'disputed'
    when later.resulting_state = 'archived' then 'archived'
    when later.decision in ('sent_back', 'rejected') then 'sent_back'
  end as outcome
from changed_approval_decisions
where change = 'added' and later.subject_kind = 'value_entry' and later.decision <> 'step_approved'
qualify row_number() over (partition by later.subject_id order by later.decided_at desc, later.approval_decision_id desc) = 1;
