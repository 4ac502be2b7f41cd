-- The reason of each changed entry: of the reasons that apply, the first in the declared order.

-- Changed entries of both tables, with the facts that decide the reason.
create view changed_entries as
with facts as (
  select
    'costs' as table_name,
    coalesce(earlier.cost_entry_id, later.cost_entry_id) as id,
    change,
    columns_changed,
    earlier.initiative_id as earlier_initiative,
    later.initiative_id as later_initiative,
    earlier.usd_amount_cents as earlier_dollars,
    later.usd_amount_cents as later_dollars,
    coalesce(earlier.usd_rate_provisional, false) as was_provisional,
    coalesce(later.usd_rate_provisional, false) as is_provisional,
    utc_month(coalesce(earlier.period_start, earlier.created_at)) as earlier_month,
    utc_month(coalesce(later.period_start, later.created_at)) as later_month,
    later.created_at as stood_since,
    false as is_undecided
  from changed_costs
  union all
  select
    'reported_value',
    coalesce(earlier.value_entry_id, later.value_entry_id),
    change,
    columns_changed,
    earlier.initiative_id,
    later.initiative_id,
    earlier.usd_amount_cents,
    later.usd_amount_cents,
    false,
    false,
    utc_month(earlier.period_start),
    utc_month(later.period_start),
    coalesce(later.approved_at, later.created_at),
    later.approved_at is null
  from changed_reported_value
)
select
  *,
  -- Columns that a person writes; the other columns follow from these or come from other records.
  len(list_filter(columns_changed, lambda name: name not in (
    'usd_amount_cents', 'usd_rate', 'usd_rate_from', 'usd_rate_through', 'usd_rate_provisional', 'period_month', 'locked',
    'vendor_id', 'books_account_name', 'platform', 'provenance', 'formula_name', 'formula_key', 'basis', 'recorded_by_name',
    'approved_at', 'approved_by_id', 'approved_by_name', 'approval_source', 'updated_at', 'app_url'))) > 0 as is_rewritten,
  -- Columns that decide how much an entry adds, and to which window.
  list_has_any(columns_changed, [
    'initiative_id', 'amount_cents', 'currency', 'entry_type', 'cost_category', 'period_start', 'period_end',
    'vendor_price_effect_cents']) as is_recounted
from facts;

-- The smallest index in a list of reasons. A reason that does not apply is null in the list, so list_min skips it.
create table entry_reasons as
select
  table_name,
  id,
  list_min([
    if(change = 'changed' and not is_recounted and was_provisional and not is_provisional, place('rate_became_average'), null),
    if(change = 'changed' and not is_recounted and earlier_dollars is null and later_dollars is not null, place('rate_arrived'), null),
    -- Rates are compared too, because a small amount may have the same dollars, to the cent, at another rate.
    if(change = 'changed' and not is_recounted and (earlier_dollars is distinct from later_dollars
      or list_has_any(columns_changed, ['usd_rate', 'usd_rate_from', 'usd_rate_through'])), place('rate_changed'), null),
    -- The entry and its initiative are older than the earlier snapshot, but the entry was not in it: the initiative was a
    -- sample then. If the time of an approval is unknown, this reason applies only if the earlier snapshot does not have the
    -- initiative. It does not apply to an initiative created after the earlier snapshot, even if its entries are older.
    if(change = 'added' and stood_since <= earlier_moment and home.created_at <= earlier_moment
      and (not is_undecided or appeared.initiative_id is not null), place('initiative_entered'), null),
    if(change = 'removed' and vanished.initiative_id is not null, place('initiative_left'), null),
    if(table_name = 'reported_value' and change = 'added', place('approved'), null),
    if(table_name = 'reported_value' and not is_rewritten and list_contains(columns_changed, 'approved_at'), place('approved'), null),
    if(table_name = 'reported_value' and change = 'removed', place(outcome), null),
    if(change = 'added' and at_last.reopened, place('added_in_reopened_month'), null),
    if(change = 'changed' and is_rewritten and (was.reopened or at_last.reopened), place('month_reopened'), null),
    if(change = 'removed' and was.reopened, place('deleted_in_reopened_month'), null),
    if(change = 'changed' and was.reopened, place('month_unlocked'), null),
    if(change = 'changed' and not is_rewritten and earlier_dollars is not distinct from later_dollars
      and at_last.is_locked and not at_last.was_locked, place('month_locked'), null),
    if(change = 'added', place('entry_added'), null),
    if(change = 'changed' and is_rewritten, place('entry_edited'), null),
    if(change = 'removed', place('entry_deleted'), null),
    if(list_contains(columns_changed, 'vendor_id'), place('vendor_merged'), null),
    place('described_anew')
  ]) as reason
from changed_entries
cross join (select generated_at as earlier_moment from snapshots where side = 'earlier') as earlier_snapshot
left join outcomes using (id)
left join months as was on was.month = earlier_month
left join months as at_last on at_last.month = later_month
left join initiatives as home on home.side = 'later' and home.initiative_id = later_initiative
left join (
  select initiative_id from initiatives group by initiative_id having min(side) = 'later'
) as appeared on appeared.initiative_id = later_initiative
left join (
  select initiative_id from initiatives group by initiative_id having max(side) = 'earlier'
) as vanished on vanished.initiative_id = earlier_initiative;
