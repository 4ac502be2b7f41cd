-- The form of a webhook's messages, and the events that it gets. Older webhooks keep their JSON and their six types.
alter table vault.webhooks
  add column form text not null default 'json' check (form in ('json', 'slack', 'teams', 'email')),
  add column events text[] not null check (cardinality(events) > 0) default array[
    'snapshot.published', 'snapshot.refused', 'snapshot.failed', 'snapshot.stale', 'snapshot.retracted', 'snapshot.damaged'
  ],
  drop constraint webhooks_url_check,
  add constraint webhooks_url_check check (url ~ case form when 'email' then '^mailto:' else '^https?://' end);
comment on column vault.webhooks.form is 'The form of its messages: the JSON of an event, or a sentence for Slack, Teams or e-mail';
comment on column vault.webhooks.events is 'The types of events that it gets';

-- Older workers call the older functions until the last of these workers has ended.
create function ops.subscribed_webhooks(account bigint, event text) returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.id from vault.webhooks w
  where w.account_id = account and w.disabled_at is null and event = any (w.events)
  order by w.id
$$;

create function ops.webhook_receiver(account bigint, webhook bigint) returns table (url text, secrets text[], form text)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.url, w.secrets, w.form from vault.webhooks w
  where w.account_id = account and w.id = webhook and w.disabled_at is null
$$;

revoke execute on function ops.subscribed_webhooks(bigint, text), ops.webhook_receiver(bigint, bigint) from public;
grant execute on function ops.subscribed_webhooks(bigint, text), ops.webhook_receiver(bigint, bigint) to cf_service;
