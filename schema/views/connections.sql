-- Connections to outside platforms, with the columns that may be served. Credentials, settings and error texts are in the
-- vault, which this view cannot read.
create view reporting.connections with (security_invoker = true) as
select
  c.account_id,
  c.id,
  c.platform_key as platform,
  c.name,
  c.description,
  c.status,
  c.auth_type,
  c.last_sync_status,
  c.last_synced_at::timestamptz as last_synced_at,
  c.reauth_required_at::timestamptz as reauth_required_at,
  c.external_account_id,
  c.external_account_name,
  array(
    select p.category from ledger.connection_primary_categories p
    where p.account_id = c.account_id and p.connection_id = c.id order by p.category collate "C") as primary_source_categories,
  array(
    select m.category from ledger.platform_metric_categories m
    where m.platform_key = c.platform_key order by m.category collate "C") as metric_categories,
  c.simulated,
  c.connected_by_id,
  connector.name as connected_by_name,
  c.created_at::timestamptz as created_at,
  c.updated_at::timestamptz as updated_at
from ledger.connections c
left join ledger.users connector on connector.id = c.connected_by_id;
