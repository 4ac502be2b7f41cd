-- Every row has the id of the snapshot, and the id and name of its account.
set variable reads = ['focus/focus'];
select 'focus' as subject, concat_ws(' ', said(x_SnapshotId), said(BillingAccountId), said(BillingAccountName)) as place,
  'rows' as figure, '0' as expected, count(*)::varchar as found, 'every row names the snapshot and its account' as rule
from focus
where (x_SnapshotId, BillingAccountId, BillingAccountName) not in (
  select (snapshot_id, 'crossfoot-account-' || account_id, account_name) from snapshot
)
group by all
order by all;
