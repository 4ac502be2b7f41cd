-- The form of a webhook's messages, and the events that it gets. Older webhooks keep their JSON and their six types.
alter table vault.webhooks
  add column form text not null default 'json' check (form in ('json', 'slack', 'teams', 'email')),
  add column events text[] not null check (cardinality(events) > 0) default array[
    'snapshot.published', 'snapshot.refused', 'snapshot.failed', 'snapshot.stale', 'snapshot.retracted', 'snapshot.damaged'
  ],
  add column moved_share numeric not null default 0.05 check (moved_share > 0),
  drop constraint webhooks_url_check,
  add constraint webhooks_url_check check (url ~ case form when 'email' then '^mailto:' else '^https?://' end);
comment on column vault.webhooks.form is 'The form of its messages: the JSON of an event, or a sentence for Slack, Teams or e-mail';
comment on column vault.webhooks.events is 'The types of events that it gets';
comment on column vault.webhooks.moved_share is 'The share of a total that must have moved for an event of moved totals';

-- Older workers call the older functions until the last of these workers has ended.
-- A share of 0 is an event that concerns no webhook. It is stored, so that its snapshot is not examined again.
create function ops.webhooks_to_tell(account bigint, event text, share numeric) returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.id from vault.webhooks w
  where w.account_id = account and w.disabled_at is null and event = any (w.events)
    and share > 0 and (event <> 'totals.moved' or share >= w.moved_share)
  order by w.id
$$;

create function ops.webhook_receiver(account bigint, webhook bigint) returns table (url text, secrets text[], form text)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.url, w.secrets, w.form from vault.webhooks w
  where w.account_id = account and w.id = webhook and w.disabled_at is null
$$;

revoke execute on function ops.webhooks_to_tell(bigint, text, numeric), ops.webhook_receiver(bigint, bigint) from public;
grant execute on function ops.webhooks_to_tell(bigint, text, numeric), ops.webhook_receiver(bigint, bigint) to cf_service;
