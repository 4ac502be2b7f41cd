-- The explanation of a changed row, by table and key: the reason and effects of an entry, the changes of a total.
create table notes as
select
  table_name,
  to_json(if(table_name = 'costs', {'cost_entry_id': id}::json, {'value_entry_id': id}::json)) as key,
  getvariable('reasons')[any_value(reason)] as reason,
  to_json(list({
    'initiative_id': e.initiative_id,
    'month': e.month,
    'cash_value_cents': e.cash,
    'freed_capacity_cents': e.freed,
    'capex_cents': e.capex,
    'opex_cents': e.opex,
    'vendor_price_effect_cents': e.price_effect
  } order by e.initiative_id, e.month) filter (
    where e.cash <> 0 or e.freed <> 0 or e.capex <> 0 or e.opex <> 0 or e.price_effect <> 0)) as effects,
  null::json as moved
from entry_reasons
left join effects e using (table_name, id, reason)
group by table_name, id
union all
select
  'reported_totals',
  to_json({'scope': scope, 'initiative_id': initiative_id, 'window_key': window_key}),
  null,
  null,
  to_json(list({'figure': figure, 'before_cents': before_cents, 'after_cents': after_cents, 'because': because} order by ordinal))
from explained_totals
group by scope, initiative_id, window_key;
