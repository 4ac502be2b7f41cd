-- Cost entries with the lock of their month, and with the names of people, accounts of the books and platforms.
create view reporting.cost_entries with (security_invoker = true) as
select
  c.account_id,
  c.id,
  c.initiative_id,
  i.is_sample,
  c.amount_cents::bigint as amount_cents,
  c.currency::text as currency,
  c.usd_amount_cents::bigint as usd_amount_cents,
  c.usd_rate::numeric as usd_rate,
  c.usd_rate_from::date as usd_rate_from,
  c.usd_rate_through::date as usd_rate_through,
  c.usd_rate_provisional,
  c.cost_category,
  c.cost_type,
  c.period_start::date as period_start,
  c.period_end::date as period_end,
  c.is_estimated,
  locked.month is not null as locked,
  c.vendor_id,
  c.vendor_name,
  c.description,
  c.notes,
  books.name as books_account_name,
  c.source_type,
  c.connection_id,
  connection.platform_key as platform,
  c.source_ref,
  c.implementation_id,
  c.recurring_cost_id,
  c.allocation_line_id,
  c.recorded_by_id,
  recorder.name as recorded_by_name,
  c.created_at::timestamptz as created_at,
  c.updated_at::timestamptz as updated_at,
  service.app_url(a.app_url) || '/initiatives/' || c.initiative_id || '/costs/' || c.id as app_url
from ledger.cost_entries c
join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id
join ledger.accounts a on a.id = c.account_id
left join ledger.accounting_months locked
  on locked.account_id = c.account_id and locked.month = c.booked_month and locked.status = 'locked'
left join ledger.books_accounts books on books.account_id = c.account_id and books.id = c.books_account_id
left join ledger.connections connection on connection.account_id = c.account_id and connection.id = c.connection_id
left join ledger.users recorder on recorder.id = c.recorded_by_id;
