-- The rows that budget_vs_actual must have, computed from budgets, costs and the snapshot row alone. The number of a month
-- is 12 times its year plus the month counted from 0, so months have consecutive numbers.
create macro month_number(day) as year(day) * 12 + month(day) - 1;
create macro first_day(number) as make_date(number // 12, number % 12 + 1, 1);
-- The opex budget for a number of months. `rate` is the budget for one cadence, and `cadence` is its length in months (1, 3
-- or 12). Halves round up, which is away from zero, because budgets are never negative.
create macro opex_over(rate, months, cadence) as (2 * rate::hugeint * months + cadence) // (2 * cadence);

-- The snapshot's day and the ends of the 8 fiscal quarters that ended before it.
create table budget_days as
with moment as (
  select as_of as today, month_number(as_of) as month, fiscal_year_start_month - 1 as shift from snapshot
), days as (
  select 0 as number, today as as_of, today, shift from moment
  union all
  select 1 + ago, first_day(((month - shift) // 3 - ago) * 3 + shift) - 1, today, shift
  from moment cross join generate_series(0, 7) as quarters (ago)
)
select
  number,
  as_of,
  month_number(as_of) as month,
  (month_number(as_of) - shift) // 12 * 12 + shift as fiscal_year,
  -- The last complete month: its last day is not after the row's `as_of`, and is before the snapshot's day.
  month_number(least(as_of + 1, today)) - 1 as complete_month
from days;

-- The approved versions and the months that each covers. If several begin in the same month, the one decided last counts. A
-- version covers the months until the next one begins or until its own end. After its end no earlier version applies.
create table budget_spans as
with approved as (
  select *,
    month_number(effective_from) as first_month,
    case opex_cadence when 'monthly' then 1 when 'quarterly' then 3 else 12 end as cadence
  from budgets where status = 'approved'
), chosen as (
  select * from approved
  qualify row_number() over (partition by initiative_id, first_month order by decided_at desc, budget_id desc) = 1
)
select
  initiative_id, budget_id, capex_cents, opex_cents, cadence, currency, first_month,
  least(coalesce(month_number(ends_on), 99999),
    coalesce(lead(first_month) over (partition by initiative_id order by first_month) - 1, 99999)) as last_month,
  min(first_month) over (partition by initiative_id) as budget_start
from chosen;

-- The spend of each month through the snapshot's day, in the budget's currency. If the budget is in dollars, a cost in
-- another currency counts with its dollar figure. If the budget is in any other currency, converting such a cost needs a
-- rate that no file holds. Then `foreign_costs` counts the cost, and the row is not comparable.
create table budget_spend as
select
  initiative_id,
  month_number(coalesce(utc_day(period_start), utc_day(created_at))) as month,
  sum(case when cost_category = 'capex' then amount end) as capex,
  sum(case when cost_category = 'opex' then amount end) as opex,
  count(*) filter (where is_foreign) as foreign_costs
from (
  select c.*, case budget.currency when c.currency then c.amount_cents when 'USD' then c.usd_amount_cents end as amount,
    budget.currency not in ('USD', c.currency) and c.usd_amount_cents is not null as is_foreign
  from costs c join (select distinct initiative_id, currency from budget_spans) budget using (initiative_id)
  where coalesce(utc_day(period_start), utc_day(created_at)) <= (select as_of from snapshot)
)
group by all;

-- For each month that a budget covers: the opex of this month and the two covered months before it, and how many months
-- these are (fewer than three at the start). The quotient is the mean monthly running cost.
create table budget_run_rates as
select initiative_id, month, sum(coalesce(opex, 0)) over last_three as opex, count(*) over last_three as months
from (
  select initiative_id, unnest(generate_series(first_month, least(last_month, (select max(complete_month) from budget_days)))) as month
  from budget_spans
)
left join budget_spend using (initiative_id, month)
window last_three as (partition by initiative_id order by month rows 2 preceding);

-- The expected rows of the days `first` to `last`. The macro is called for three days at a time: nine days together exceed a
-- small memory, and with single days DuckDB would plan the query nine times.
create macro expected_budgets(first, last) as table
with current as (
  select d.* exclude (number), s.* exclude (first_month, last_month)
  from budget_days d join budget_spans s on d.month between s.first_month and s.last_month
  where d.number between first and last
), budgeted as (
  select c.as_of, c.initiative_id,
    sum(opex_over(s.opex_cents, least(s.last_month, c.month) - s.first_month + 1, s.cadence))
      filter (where s.first_month <= c.month) as to_date,
    sum(opex_over(s.opex_cents, least(s.last_month, c.fiscal_year + 11) - greatest(s.first_month, c.fiscal_year) + 1, s.cadence))
      filter (where s.first_month <= c.fiscal_year + 11 and s.last_month >= c.fiscal_year) as fiscal_year_budget,
    sum(opex_over(s.opex_cents, least(s.last_month, c.month) - greatest(s.first_month, c.fiscal_year) + 1, s.cadence))
      filter (where s.first_month <= c.month and s.last_month >= c.fiscal_year) as fiscal_ytd_budget
  from current c join budget_spans s using (initiative_id)
  group by c.as_of, c.initiative_id
), spent as (
  select c.as_of, c.initiative_id,
    sum(p.capex) filter (where p.month >= c.budget_start) as capex,
    sum(p.opex) filter (where p.month >= c.budget_start) as opex,
    sum(p.opex) filter (where p.month >= greatest(c.budget_start, c.fiscal_year)) as fiscal_opex,
    sum(coalesce(p.capex, 0) + coalesce(p.opex, 0)) filter (where p.month < c.budget_start) as before,
    sum(foreign_costs) as foreign_costs
  from current c join budget_spend p on p.initiative_id = c.initiative_id and p.month <= c.month
  group by c.as_of, c.initiative_id
), decided as (
  select c.as_of, c.initiative_id, count(*) as versions
  from current c join budgets b on b.initiative_id = c.initiative_id and b.status = 'approved' and utc_day(b.decided_at) <= c.as_of
  group by c.as_of, c.initiative_id
), recent as (
  select c.as_of, c.initiative_id, r.opex, r.months
  from current c asof join budget_run_rates r on r.initiative_id = c.initiative_id and c.complete_month >= r.month
)
select
  as_of,
  initiative_id,
  coalesce(foreign_costs, 0) = 0 as is_comparable,
  if(coalesce(spent.capex, 0) > capex_cents or coalesce(spent.opex, 0) > coalesce(to_date, 0), 'over', 'within') as status,
  budget_id,
  coalesce(decided.versions, 0) > 1 as revised,
  capex_cents as capex_budget_cents,
  coalesce(spent.capex, 0)::bigint as capex_actual_cents,
  coalesce(to_date, 0)::bigint as opex_budget_to_date_cents,
  coalesce(spent.opex, 0)::bigint as opex_actual_cents,
  (capex_cents + coalesce(to_date, 0))::bigint as budget_to_date_cents,
  (coalesce(spent.capex, 0) + coalesce(spent.opex, 0))::bigint as actual_to_date_cents,
  (capex_cents + coalesce(to_date, 0) - coalesce(spent.capex, 0) - coalesce(spent.opex, 0))::bigint as variance_cents,
  coalesce(fiscal_year_budget, 0)::bigint as opex_budget_fiscal_year_cents,
  coalesce(fiscal_ytd_budget, 0)::bigint as opex_budget_fiscal_ytd_cents,
  coalesce(fiscal_opex, 0)::bigint as opex_actual_fiscal_ytd_cents,
  coalesce(before, 0)::bigint as spent_before_budget_cents,
  opex_over(opex_cents, 1, cadence)::bigint as budget_monthly_run_rate_cents,
  -- Rounded half away from zero, also if the mean is negative.
  (sign(recent.opex) * ((2 * abs(recent.opex) + recent.months) // (2 * recent.months)))::bigint as actual_monthly_run_rate_cents,
  currency
from current
left join budgeted using (as_of, initiative_id)
left join spent using (as_of, initiative_id)
left join decided using (as_of, initiative_id)
left join recent using (as_of, initiative_id);

-- The rows that differ or that the file lacks, each as the expected and the found row.
create macro compared_on(first, last) as table
select expected.as_of || ' initiative ' || expected.initiative_id as place, expected, found
from expected_budgets(first, last) expected
left join (
  from budget_vs_actual where as_of in (select as_of from budget_days where number between first and last)
) found on found.as_of = expected.as_of and found.initiative_id = expected.initiative_id
where (expected.as_of, expected.status, expected.budget_id, expected.revised, expected.capex_budget_cents, expected.capex_actual_cents,
    expected.opex_budget_to_date_cents, expected.opex_actual_cents, expected.budget_to_date_cents, expected.actual_to_date_cents,
    expected.variance_cents, expected.opex_budget_fiscal_year_cents, expected.opex_budget_fiscal_ytd_cents,
    expected.opex_actual_fiscal_ytd_cents, expected.spent_before_budget_cents, expected.budget_monthly_run_rate_cents,
    expected.actual_monthly_run_rate_cents, expected.currency)
  is distinct from (found.as_of, found.status, found.budget_id, found.revised, found.capex_budget_cents, found.capex_actual_cents,
    found.opex_budget_to_date_cents, found.opex_actual_cents, found.budget_to_date_cents, found.actual_to_date_cents,
    found.variance_cents, found.opex_budget_fiscal_year_cents, found.opex_budget_fiscal_ytd_cents,
    found.opex_actual_fiscal_ytd_cents, found.spent_before_budget_cents, found.budget_monthly_run_rate_cents,
    found.actual_monthly_run_rate_cents, found.currency);

create table compared_budgets as from compared_on(0, 2);
insert into compared_budgets from compared_on(3, 5);
insert into compared_budgets from compared_on(6, 8);

-- A row of any other day, or of a day that no version covers, must not exist.
insert into compared_budgets
select found.as_of || ' initiative ' || found.initiative_id, null, found
from budget_vs_actual found
left join (
  select as_of, initiative_id from budget_days d join budget_spans s on d.month between s.first_month and s.last_month
) covered on covered.as_of = found.as_of and covered.initiative_id = found.initiative_id
where covered.as_of is null;
drop table budget_spend;
drop table budget_run_rates;
drop table budget_spans;
