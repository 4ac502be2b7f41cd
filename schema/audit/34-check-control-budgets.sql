-- The file equals the control totals of the ledger's table, for each status and currency: rows, sums, counts of filled
-- columns, and a fingerprint of all columns that are copied unchanged.
set variable reads = ['budgets'];
with totals as (
  select
    status || ' ' || currency as place,
    count(*)::varchar as rows,
    min(budget_id)::varchar as least_id,
    max(budget_id)::varchar as greatest_id,
    sum(capex_cents)::varchar as capex_cents,
    sum(opex_cents)::varchar as opex_cents,
    count(ends_on)::varchar as with_end,
    count(reason)::varchar as with_reason,
    count(set_by_id)::varchar as with_setter,
    count(decided_at)::varchar as with_decision,
    count(decided_by_id)::varchar as with_decider,
    count(decision_reason)::varchar as with_decision_reason,
    count(approval_decision_id)::varchar as with_approval,
    sum(digest_bits(concat_ws(chr(31),
      budget_id, initiative_id, status, source, capex_cents, opex_cents, opex_cadence, currency, effective_from,
      coalesce(ends_on::varchar, ''), coalesce(reason, ''), coalesce(set_by_id::varchar, ''),
      coalesce(epoch_us(decided_at)::varchar, ''), coalesce(decided_by_id::varchar, ''), coalesce(decision_reason, ''),
      coalesce(approval_decision_id::varchar, ''), epoch_us(created_at))))::varchar as fingerprint
  from budgets
  group by status, currency
), found as (
  unpivot totals on columns(* exclude (place)) into name name value content
), expected as (
  select place, entry.key as name, entry.value as content
  from (
    select figures['status'] || ' ' || figures['currency'] as place, unnest(map_entries(figures)) as entry
    from control_rows where base_table = 'budget_versions')
  where entry.key not in ('status', 'currency')
)
select
  'budgets' as subject,
  place,
  name as figure,
  expected.content as expected,
  found.content as found,
  'the file holds what the ledger held' as rule
from expected full join found using (place, name)
where expected.content is distinct from found.content
order by place, name = 'fingerprint', name;
