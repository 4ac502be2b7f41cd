-- The file equals the control totals of the ledger's table without samples, for each currency: rows, sums, counts of filled
-- columns, and a fingerprint of all columns that are copied unchanged.
set variable reads = ['initiatives'];
with totals as (
  select
    currency,
    count(*)::varchar as rows,
    min(initiative_id)::varchar as least_id,
    max(initiative_id)::varchar as greatest_id,
    coalesce(sum(planned_capex_cents), 0)::varchar as planned_capex_cents,
    coalesce(sum(planned_opex_cents), 0)::varchar as planned_opex_cents,
    coalesce(sum(planned_cost_savings_cents), 0)::varchar as planned_cost_savings_cents,
    coalesce(sum(planned_revenue_uplift_cents), 0)::varchar as planned_revenue_uplift_cents,
    coalesce(sum(planned_capacity_cents), 0)::varchar as planned_capacity_cents,
    count(previous_stage)::varchar as with_previous_stage,
    count(owner_id)::varchar as with_owner,
    coalesce(sum(owner_id), 0)::varchar as owner_ids,
    count(module_kind)::varchar as with_module_kind,
    count(department)::varchar as with_department,
    count(business_unit)::varchar as with_business_unit,
    count(priority)::varchar as with_priority,
    count(started_at)::varchar as with_start,
    count(went_live_at)::varchar as with_go_live,
    count(closed_at)::varchar as with_close,
    count(archived_at)::varchar as with_archiving,
    count(planned_value_period)::varchar as with_value_period,
    count(roi_horizon_years)::varchar as with_horizon,
    count(time_to_value_months)::varchar as with_time_to_value,
    count(description)::varchar as with_description,
    count(hypothesis)::varchar as with_hypothesis,
    sum(digest_bits(concat_ws(chr(31),
      initiative_id, title, stage, coalesce(previous_stage, ''), category, coalesce(module_kind, ''),
      coalesce(department, ''), coalesce(business_unit, ''), coalesce(priority::varchar, ''),
      coalesce(owner_id::varchar, ''), coalesce(epoch_us(started_at)::varchar, ''),
      coalesce(epoch_us(went_live_at)::varchar, ''), coalesce(epoch_us(closed_at)::varchar, ''),
      coalesce(epoch_us(archived_at)::varchar, ''), coalesce(planned_capex_cents::varchar, ''),
      coalesce(planned_opex_cents::varchar, ''), coalesce(planned_cost_savings_cents::varchar, ''),
      coalesce(planned_revenue_uplift_cents::varchar, ''), coalesce(planned_capacity_cents::varchar, ''),
      coalesce(planned_value_period, ''), coalesce(roi_horizon_years::varchar, ''),
      coalesce(time_to_value_months::varchar, ''), coalesce(description, ''), coalesce(hypothesis, ''),
      epoch_us(created_at), currency)))::varchar as fingerprint
  from initiatives
  group by currency
), found as (
  unpivot totals on columns(* exclude (currency)) into name name value content
), groups as (
  select row, max(content) filter (where name = 'currency') as currency
  from control where base_table = 'initiatives'
  group by row
  having max(content) filter (where name = 'is_sample') = 'false'
), expected as (
  select currency, name, content
  from groups join control using (row)
  where base_table = 'initiatives' and name not in ('is_sample', 'currency')
)
select
  'initiatives' as subject,
  said(currency) as place,
  name as figure,
  expected.content as expected,
  found.content as found,
  'the file holds what the ledger held' as rule
from expected full join found using (currency, name)
where expected.content is distinct from found.content
order by currency, name = 'fingerprint', name;
