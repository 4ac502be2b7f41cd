select
  month,
  source_kind,
  connection_id,
  platform,
  connection_name,
  vendor_name,
  billed_cents,
  'USD' as currency,
  attribution,
  set_aside,
  initiative_count,
  booked_cents,
  ai_billed_cents,
  ai_booked_cents
from reporting.ai_spend
where account_id = :account_id
order by month, source_kind collate "C", connection_id, vendor_name collate "C"
