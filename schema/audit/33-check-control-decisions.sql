-- The files equal the control totals of the ledger's tables: rows, sums, counts of filled columns, and a fingerprint of all
-- columns that are copied unchanged. Approval decisions are compared for each kind and decision, portfolio decisions for
-- each outcome and currency.
set variable reads = ['approval_decisions', 'portfolio_decisions'];
with approvals as (
  select
    subject_kind || ' ' || decision as place,
    count(*)::varchar as rows,
    min(approval_decision_id)::varchar as least_id,
    max(approval_decision_id)::varchar as greatest_id,
    count(initiative_id)::varchar as with_initiative,
    count(item_label)::varchar as with_item,
    count(resulting_state)::varchar as with_state,
    count(step)::varchar as with_step,
    count(total_steps)::varchar as with_steps,
    count(amount_cents)::varchar as with_amount,
    coalesce(sum(amount_cents), 0)::varchar as amount_cents,
    count(reason)::varchar as with_reason,
    count(decided_by_id)::varchar as with_decider,
    sum(digest_bits(concat_ws(chr(31),
      approval_decision_id, subject_kind, subject_id, coalesce(initiative_id::varchar, ''), subject_title,
      coalesce(item_label, ''), decision, coalesce(resulting_state, ''), coalesce(step::varchar, ''),
      coalesce(total_steps::varchar, ''), source, coalesce(amount_cents::varchar, ''), coalesce(currency, ''),
      coalesce(reason, ''), coalesce(decided_by_id::varchar, ''), epoch_us(decided_at))))::varchar as fingerprint
  from approval_decisions
  group by subject_kind, decision
), outcomes as (
  select
    outcome || ' ' || currency as place,
    count(*)::varchar as rows,
    min(portfolio_decision_id)::varchar as least_id,
    max(portfolio_decision_id)::varchar as greatest_id,
    sum(cash_value_cents)::varchar as cash_value_cents,
    sum(freed_capacity_cents)::varchar as freed_capacity_cents,
    sum(cost_to_date_cents)::varchar as cost_to_date_cents,
    coalesce(sum(planned_value_cents), 0)::varchar as planned_value_cents,
    coalesce(sum(planned_value_to_date_cents), 0)::varchar as planned_value_to_date_cents,
    count(planned_value_cents)::varchar as with_plan,
    count(planned_value_to_date_cents)::varchar as with_plan_to_date,
    count(initiative_id)::varchar as with_initiative,
    count(next_review_on)::varchar as with_review,
    count(decided_by_id)::varchar as with_decider,
    sum(digest_bits(concat_ws(chr(31),
      portfolio_decision_id, coalesce(initiative_id::varchar, ''), subject_title, outcome, stage_before, stage_after,
      rationale, coalesce(next_review_on::varchar, ''), cash_value_cents, freed_capacity_cents, cost_to_date_cents,
      coalesce(planned_value_cents::varchar, ''), coalesce(planned_value_to_date_cents::varchar, ''), currency,
      coalesce(decided_by_id::varchar, ''), epoch_us(decided_at))))::varchar as fingerprint
  from portfolio_decisions
  group by outcome, currency
), found as (
  select 'approval_decisions' as subject, * from (unpivot approvals on columns(* exclude (place)) into name name value content)
  union all
  select 'portfolio_decisions', * from (unpivot outcomes on columns(* exclude (place)) into name name value content)
), groups as (
  select base_table as subject, figures['subject_kind'] || ' ' || figures['decision'] as place, figures
  from control_rows where base_table = 'approval_decisions' and figures['is_sample'] = 'false'
  union all
  select base_table, figures['outcome'] || ' ' || figures['currency'], figures
  from control_rows where base_table = 'portfolio_decisions'
), expected as (
  select subject, place, entry.key as name, entry.value as content
  from (select subject, place, unnest(map_entries(figures)) as entry from groups)
  where entry.key not in ('is_sample', 'subject_kind', 'decision', 'sample_entry_id', 'sample_ids', 'latest_at', 'outcome', 'currency')
)
select
  subject,
  place,
  name as figure,
  expected.content as expected,
  found.content as found,
  'the file holds what the ledger held' as rule
from expected full join found using (subject, place, name)
where expected.content is distinct from found.content
order by subject, place, name = 'fingerprint', name;
