-- Planned value is savings plus revenue times the account's contribution margin, annualised, times the years of the
-- horizon. Only a paused initiative has a previous stage, to which it returns.
set variable reads = ['initiatives'];
with planned as (
  select i.*,
    (coalesce(planned_cost_savings_cents, 0)::hugeint
      + round(coalesce(planned_revenue_uplift_cents, 0)::decimal(17, 0) * contribution_margin)::hugeint)
      * case planned_value_period when 'monthly' then 12 when 'quarterly' then 4 else 1 end
      * coalesce(roi_horizon_years, 0) as derived
  from initiatives i cross join control_account
), broken as (
  select initiative_id, 'planned_value_cents' as figure, derived::varchar as expected, planned_value_cents::varchar as found,
    'it is savings plus revenue at the margin of the account, over the horizon' as rule
  from planned where planned_value_cents <> derived
  union all
  select initiative_id, 'previous_stage', null, previous_stage, 'only a paused initiative has one, and its stage is ' || stage
  from planned where previous_stage is not null and stage <> 'paused'
)
select 'initiatives' as subject, 'initiative_id ' || initiative_id as place, figure, expected, found, rule from broken
order by initiative_id, figure;
