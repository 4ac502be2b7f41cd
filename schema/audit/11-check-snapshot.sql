-- Reads snapshot, initiatives, reported_value, value_inputs, value_supporting_documents, metric_readings, costs,
-- approval_decisions, budgets, budget_vs_actual, portfolio_decisions, accounting_periods, ai_spend, reported_totals. There is
-- one snapshot row, its facts are those of the account and the moment, and every row of every table bears its id.
with facts as (
  select
    s.*,
    account.*,
    (select version from description) as declared_version,
    (select coalesce(sum(rows.content::bigint), 0)
      from control sample join control rows using (base_table, row)
      where base_table = 'initiatives' and sample.name = 'is_sample' and sample.content = 'true' and rows.name = 'rows'
    ) as sample_initiatives
  from snapshot s cross join control_account account
), compared as (
  select unnest([
    -- Run by hand the script knows no other moment than the files'; the builder sets these.
    {'fact': 'snapshot_id', 'found': snapshot_id,
      'expected': coalesce(getvariable('snapshot_id'), strftime(make_timestamp(epoch_us(generated_at)), '%Y%m%dT%H%M%SZ'))},
    {'fact': 'generated_at', 'found': epoch_us(generated_at)::varchar,
      'expected': coalesce(getvariable('generated_at'), epoch_us(generated_at))::varchar},
    {'fact': 'schema_version', 'found': schema_version, 'expected': declared_version},
    {'fact': 'as_of', 'found': as_of::varchar, 'expected': utc_day(generated_at)::varchar},
    {'fact': 'account_id', 'found': account_id::varchar, 'expected': coalesce(getvariable('account_id'), id)::varchar},
    {'fact': 'account_id', 'found': account_id::varchar, 'expected': id::varchar},
    {'fact': 'digest of account_name', 'found': md5(account_name), 'expected': name_digest},
    {'fact': 'fiscal_year_start_month', 'found': fiscal_year_start_month::varchar, 'expected': fiscal_year_start_month_1::varchar},
    {'fact': 'sample_initiatives_excluded', 'found': sample_initiatives_excluded::varchar, 'expected': sample_initiatives::varchar}
  ], recursive := true)
  from facts
), bearers as (
  select 'initiatives' as subject, snapshot_id, count(*) as rows from initiatives group by snapshot_id
  union all select 'reported_value', snapshot_id, count(*) from reported_value group by snapshot_id
  union all select 'value_inputs', snapshot_id, count(*) from value_inputs group by snapshot_id
  union all select 'value_supporting_documents', snapshot_id, count(*) from value_supporting_documents group by snapshot_id
  union all select 'metric_readings', snapshot_id, count(*) from metric_readings group by snapshot_id
  union all select 'costs', snapshot_id, count(*) from costs group by snapshot_id
  union all select 'approval_decisions', snapshot_id, count(*) from approval_decisions group by snapshot_id
  union all select 'budgets', snapshot_id, count(*) from budgets group by snapshot_id
  union all select 'budget_vs_actual', snapshot_id, count(*) from budget_vs_actual group by snapshot_id
  union all select 'portfolio_decisions', snapshot_id, count(*) from portfolio_decisions group by snapshot_id
  union all select 'accounting_periods', snapshot_id, count(*) from accounting_periods group by snapshot_id
  union all select 'ai_spend', snapshot_id, count(*) from ai_spend group by snapshot_id
  union all select 'reported_totals', snapshot_id, count(*) from reported_totals group by snapshot_id
)
select distinct 'snapshot' as subject, fact as place, 'it should be ' || said(expected) as expected, 'it is ' || said(found) as found
from compared where found is distinct from expected
union all
select 'snapshot', 'the table', 'it has one row for one account',
  'it has ' || (select count(*) from snapshot) || ' rows for ' || (select count(*) from control_account) || ' accounts'
where (select count(*) from snapshot) <> 1 or (select count(*) from control_account) <> 1
union all
select subject, 'snapshot_id ' || snapshot_id, 'every row bears the id of the snapshot row', rows || ' rows bear it'
from bearers where snapshot_id not in (select snapshot_id from snapshot)
order by all;
