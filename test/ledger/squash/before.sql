-- file: 000-roles.sql
-- The roles of the product, made once by an administrator and harmless to run again. None of them may log in
-- until the operator says so (`alter role cf_reader login password …`), none is a superuser, none escapes row security.
--   cf_owner    owns every object; migrates, loads, converts
--   cf_reader   reads what may be served, one account at a time
--   cf_service  writes schema ops: limits, last use, queue, deliveries, links
--   cf_writer   for an application that keeps the ledger itself: writes one account at a time
--   cf_backup   reads every account, for pg_dump --enable-row-security
--   cf_stats    owns the one function that must see other sessions' transactions
do $$
declare
  wanted text;
begin
  -- Two hosts may migrate at once, and roles belong to the whole cluster.
  perform pg_advisory_xact_lock(hashtext('crossfoot roles'));
  foreach wanted in array array['cf_owner', 'cf_reader', 'cf_service', 'cf_writer', 'cf_backup', 'cf_stats'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I nologin', wanted);
    end if;
  end loop;
  if not pg_has_role('cf_stats', 'pg_read_all_stats', 'usage') then
    grant pg_read_all_stats to cf_stats;
  end if;
  if not pg_has_role('cf_owner', 'cf_stats', 'usage') then
    grant cf_stats to cf_owner;
  end if;
  if not pg_has_role(current_user, 'cf_owner', 'set') then
    execute format('grant cf_owner to %I', current_user);
  end if;
  -- Only where it is missing: cf_owner itself may run this again, and could not grant what it was granted.
  if not has_database_privilege('cf_owner', current_database(), 'create') then
    execute format('grant create on database %I to cf_owner', current_database());
  end if;
end $$;
-- file: 010-foundation.sql
-- Schemas, value types and the functions that every table leans on.

create schema ledger; -- what an account records; readable one account at a time
create schema vault; -- what must never be served: credentials, e-mail addresses, token digests
create schema service; -- functions and triggers
create schema reporting; -- the views that files, API and assistant read
create schema ops; -- what servers and workers write about themselves

-- JSON numbers stay exact below 2^53, so a larger amount is refused where it would enter.
create domain ledger.cents as bigint check (value between -9007199254740991 and 9007199254740991);
create domain ledger.currency as text check (value ~ '^[A-Z]{3}$');
-- Windows run from the first entry to the last: one mistyped year would make thousands of empty ones.
create domain ledger.day as date check (value between date '1990-01-01' and date '2199-12-31');
create domain ledger.month as date check (value between date '1990-01-01' and date '2199-12-31' and extract(day from value) = 1);
create domain ledger.instant as timestamptz check (value >= timestamptz '1970-01-01 00:00Z' and value < timestamptz '2200-01-01 00:00Z');
-- USD per unit of the currency, ten decimals. In PostgreSQL's order NaN stands above every number.
create domain ledger.rate as numeric(20, 10) check (value > 0 and value <> 'NaN');
create domain ledger.figure as double precision check (value = value and value not in ('Infinity', '-Infinity') and value <> 'NaN');

-- The account that this transaction may see; null, and so nothing, when it was never set.
create function service.current_account() returns bigint
language sql stable parallel safe
return nullif(current_setting('app.account_id', true), '')::bigint;

-- Stamps a written row. The transaction id is taken first and the clock second: no stamp is then older than the
-- start that the horizon below sees, so a list that stops at the horizon never passes over a slow writer.
-- A prepared transaction shows when it was prepared, later than its stamps, and no longer when it began; but it keeps
-- its locks. So the minute in which it began is held as one: 1129467731 marks the locks that mean this.
create function service.stamp() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_current_xact_id();
  perform pg_advisory_xact_lock_shared(1129467731, floor(extract(epoch from transaction_timestamp()) / 60)::integer);
  new.updated_at := clock_timestamp();
  return new;
end $$;

-- The moment before which no running writer can still stamp a row. The clock is read before looking: a writer that
-- starts after the look stamps later than that. The activity is cached for a transaction, so it is cleared first.
create function service.write_horizon() returns timestamptz
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  before_looking timestamptz := clock_timestamp();
begin
  perform pg_stat_clear_snapshot();
  return least(
    before_looking,
    (select min(xact_start) from pg_stat_activity
      where backend_xid is not null and pid <> pg_backend_pid() and datname = current_database()),
    (select to_timestamp(min(objid::bigint) * 60) from pg_locks
      where locktype = 'advisory' and classid = 1129467731 and objsubid = 2 and pid is null -- of no session: prepared
        and database = (select oid from pg_database where datname = current_database()))
  );
end $$;
grant usage, create on schema service to cf_stats;
alter function service.write_horizon() owner to cf_stats;
revoke create on schema service from cf_stats;

-- JSON in its one canonical form: keys in C order at every level, no white space, numbers as jsonb prints them,
-- escapes only where JSON demands them.
create function service.canonical_json(document jsonb) returns text
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  case jsonb_typeof(document)
    when 'object' then
      return (
        select '{' || coalesce(string_agg(to_json(key)::text || ':' || service.canonical_json(value), ',' order by key collate "C"), '') || '}'
        from jsonb_each(document));
    when 'array' then
      return (
        select '[' || coalesce(string_agg(service.canonical_json(value), ',' order by place), '') || ']'
        from jsonb_array_elements(document) with ordinality as element (value, place));
    else
      return document::text;
  end case;
end $$;

create function service.sha256_hex(content text) returns text
language sql immutable strict parallel safe
return encode(sha256(convert_to(content, 'UTF8')), 'hex');

-- The UTC day named by a recorded date or ISO 8601 time, null when it names none.
create function service.utc_day(recorded text) returns date
language sql immutable strict parallel safe set timezone = 'UTC' set datestyle = 'ISO'
as $$
  -- The digits first: PostgreSQL would also take 'now', which names another day tomorrow.
  select case when recorded ~ '^\d{4}-\d{2}-\d{2}' and pg_input_is_valid(recorded, 'timestamptz') then recorded::timestamptz::date end
$$;

-- What makes two names the same: no blanks around them, no difference of case in any script, whatever the
-- database's own collation.
create function service.name_key(name text) returns text
language sql immutable strict parallel safe
return casefold(btrim(name, E' \t\r\n\u00a0') collate pg_unicode_fast);

-- The month in which a day falls, named by its first day.
create function service.month_of(day date) returns date
language sql immutable strict parallel safe
return date_trunc('month', day::timestamp)::date;

-- Views are re-created as a whole, so what may be done with them is settled before they exist.
grant usage on schema reporting to cf_reader, cf_writer, cf_backup;
alter default privileges in schema reporting grant select on tables to cf_reader, cf_writer, cf_backup;
-- file: 020-accounts.sql
-- Accounts, the people in them, and the tokens that act for them.
--
-- Every key between tables is deferrable: `set constraints all deferred; delete from ledger.accounts …` removes an
-- account whole, and a load may bring its files in any order.

create table ledger.accounts (
  id bigint generated by default as identity primary key,
  name text not null check (btrim(name) <> ''),
  plan text not null check (plan in ('free', 'team', 'business', 'enterprise')),
  plan_includes_api boolean not null,
  fiscal_year_start_month integer not null default 1 check (fiscal_year_start_month between 1 and 12),
  -- The part of planned and recorded revenue that counts as value.
  contribution_margin numeric(5, 4) not null default 1 check (contribution_margin between 0 and 1),
  auto_approve_value boolean not null default false,
  budget_approval_threshold_cents ledger.cents check (budget_approval_threshold_cents >= 0),
  budget_approval_threshold_currency ledger.currency not null default 'USD',
  -- Where the account's own application lives, without a closing slash: links in tables and answers begin with it.
  -- Without one they begin with what the reading session names.
  app_url text check (app_url ~ '^https?://[^[:space:]]*[^/[:space:]]$'),
  reporting_enabled_at ledger.instant,
  reporting_enabled_by_id bigint,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  check (reporting_enabled_at is not null or reporting_enabled_by_id is null)
);

create function service.app_url(own text) returns text
language sql stable parallel safe
return coalesce(own, nullif(current_setting('app.app_url', true), ''));

-- One row an account: closing a month and writing into it wait for each other here.
create table ledger.account_gates (
  account_id bigint primary key references ledger.accounts (id) on delete cascade deferrable,
  closes bigint not null default 0
);

create function service.share_gate(account bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform from ledger.account_gates g where g.account_id = account for share;
end $$;

create function service.make_gate() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ledger.account_gates (account_id) values (new.id);
  return null;
end $$;
create trigger make_gate after insert on ledger.accounts for each row execute function service.make_gate();

-- People exist once, whatever accounts they belong to; their addresses stand in the vault.
create table ledger.users (
  id bigint generated by default as identity primary key,
  name text check (btrim(name) <> ''),
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp()
);

create table vault.user_emails (
  user_id bigint primary key references ledger.users (id) on delete cascade deferrable,
  email text not null unique
);

-- Kept after removal, so that what a person once recorded or decided still has a name.
create table ledger.memberships (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  user_id bigint not null references ledger.users (id) deferrable,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  removed_at ledger.instant,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  unique (account_id, user_id)
);
create index memberships_user on ledger.memberships (user_id);

alter table ledger.accounts add constraint accounts_reporting_enabled_by
  foreign key (id, reporting_enabled_by_id) references ledger.memberships (account_id, user_id) deferrable;

-- A token itself is never stored: only its digest, and what a person needs to recognise it.
create table vault.access_tokens (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  kind text not null check (kind in ('personal', 'reporting')),
  name text not null check (btrim(name) <> ''),
  prefix text not null check (prefix in ('cf_pat_', 'cf_rpt_')),
  last_four text not null check (length(last_four) = 4),
  checksum text not null check (checksum ~ '^[0-9A-Za-z]{6}$'),
  sha256 bytea not null unique check (length(sha256) = 32),
  issued_by_id bigint not null,
  expires_at ledger.instant,
  revoked_at ledger.instant,
  revoked_by_id bigint,
  created_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, issued_by_id) references ledger.memberships (account_id, user_id) deferrable,
  foreign key (account_id, revoked_by_id) references ledger.memberships (account_id, user_id) deferrable,
  check ((kind = 'personal') = (prefix = 'cf_pat_'))
);
create index access_tokens_issuer on vault.access_tokens (account_id, issued_by_id);

create function service.check_token_issuer() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from ledger.memberships m
    where m.account_id = new.account_id and m.user_id = new.issued_by_id
      and m.role in ('owner', 'admin') and m.removed_at is null)
  then
    raise exception 'only an owner or admin of account % may issue a token', new.account_id
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger check_token_issuer before insert on vault.access_tokens
  for each row execute function service.check_token_issuer();

-- Whose token this digest is, while it may be used: a personal one dies with its issuer's membership, a reporting
-- one belongs to the account and outlives its issuer.
create function service.authenticate(digest bytea)
returns table (token_id bigint, account_id bigint, user_id bigint, kind text, api_access boolean, reporting_enabled boolean, stored_sha256 bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select t.id, t.account_id, case when t.kind = 'personal' then t.issued_by_id end, t.kind, a.plan_includes_api,
    a.reporting_enabled_at is not null, t.sha256
  from vault.access_tokens t
  join ledger.accounts a on a.id = t.account_id
  where t.sha256 = digest
    and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > clock_timestamp())
    and (t.kind = 'reporting' or exists (
      select from ledger.memberships m
      where m.account_id = t.account_id and m.user_id = t.issued_by_id and m.removed_at is null))
$$;

-- The accounts a nightly build is for. The builder sees one account at a time, so it must be told which there are.
create function service.reporting_accounts() returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select a.id from ledger.accounts a where a.plan_includes_api and a.reporting_enabled_at is not null order by a.id
$$;

create table ops.token_uses (
  account_id bigint not null,
  token_id bigint not null,
  last_used_at timestamptz not null,
  primary key (account_id, token_id),
  foreign key (account_id, token_id) references vault.access_tokens (account_id, id) on delete cascade deferrable
);
-- file: 030-catalogue.sql
-- What is the same for every account: rates, platforms, and the texts handed out to people and assistants.

-- Units of the currency for one euro, as published for a day.
create table ledger.euro_reference_rates (
  day ledger.day not null,
  currency ledger.currency not null check (currency <> 'EUR'),
  units_per_euro numeric(20, 10) not null check (units_per_euro > 0 and units_per_euro <> 'NaN'),
  primary key (currency, day)
);

create table ledger.platforms (
  key text primary key check (key ~ '^[a-z0-9_]+$'),
  name text not null,
  category text not null,
  auth_type text check (auth_type in ('oauth', 'api_key', 'basic', 'webhook', 'github_app', 'service_account', 'file_upload')),
  updated_at ledger.instant not null default clock_timestamp()
);

create table ledger.platform_metric_categories (
  platform_key text not null references ledger.platforms (key) on delete cascade deferrable,
  category text not null check (btrim(category) <> ''),
  primary key (platform_key, category)
);

create table ledger.platform_guides (
  platform_key text primary key references ledger.platforms (key) on delete cascade deferrable,
  connection_method text not null,
  steps text not null,
  credential_location text,
  setup_script text,
  tips text,
  page_path text not null,
  source_url text,
  checked_on ledger.day
);

create table ledger.help_articles (
  id bigint generated by default as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9-]+$'),
  title text not null,
  summary text,
  body text not null,
  published boolean not null default false,
  -- A generated reference page is found by search and read at its address, never handed out as text.
  generated boolean not null default false,
  updated_at ledger.instant not null default clock_timestamp()
);

create table ledger.application_pages (
  id bigint generated by default as identity primary key,
  path text not null unique check (path like '/%'),
  title text not null,
  description text
);

create table ledger.initiative_templates (
  id bigint generated by default as identity primary key,
  key text not null unique check (key ~ '^[a-z0-9_]+$'),
  title text not null,
  category text,
  description text
);

-- Defaults of the service; an account's own values stand in ledger.assumptions.
create table ledger.system_assumptions (
  id bigint generated by default as identity primary key,
  key text not null,
  label text not null,
  value ledger.figure not null,
  unit text,
  effective_from ledger.day not null,
  source text,
  unique (key, effective_from)
);
-- file: 040-connections.sql
-- Connections of an account to outside platforms. Credentials, settings and error texts stand in the vault.

create table ledger.connections (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  platform_key text not null references ledger.platforms (key) deferrable,
  name text,
  description text,
  status text not null check (status in ('active', 'paused', 'error', 'disconnected')),
  auth_type text check (auth_type in ('oauth', 'api_key', 'basic', 'webhook', 'github_app', 'service_account', 'file_upload')),
  last_sync_status text check (last_sync_status in ('succeeded', 'partial', 'failed')),
  last_synced_at ledger.instant,
  reauth_required_at ledger.instant,
  external_account_id text,
  external_account_name text,
  simulated boolean not null default false,
  connected_by_id bigint,
  -- Marked by an admin as belonging to no initiative, for every month.
  set_aside_at ledger.instant,
  set_aside_by_id bigint,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, connected_by_id) references ledger.memberships (account_id, user_id) deferrable,
  foreign key (account_id, set_aside_by_id) references ledger.memberships (account_id, user_id) deferrable
);
create index connections_changes on ledger.connections (account_id, updated_at, id);
create index connections_platform on ledger.connections (platform_key);
create index connections_connected_by on ledger.connections (connected_by_id) where connected_by_id is not null;

-- The categories whose readings are taken from this connection where two could serve: one primary a category.
create table ledger.connection_primary_categories (
  account_id bigint not null,
  id bigint generated by default as identity,
  connection_id bigint not null,
  category text not null check (btrim(category) <> ''),
  primary key (account_id, id),
  unique (account_id, category),
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) on delete cascade deferrable
);
create index connection_primary_categories_connection on ledger.connection_primary_categories (account_id, connection_id);

create table vault.connection_secrets (
  account_id bigint not null,
  connection_id bigint not null,
  credentials text,
  settings jsonb not null default '{}',
  error_text text,
  primary key (account_id, connection_id),
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) on delete cascade deferrable
);
-- file: 050-initiatives.sql
-- Initiatives and what stands around them.

create table ledger.initiatives (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  title text not null check (btrim(title) <> ''),
  description text,
  hypothesis text,
  stage text not null check (stage in ('identified', 'reviewing', 'implementing', 'live', 'paused', 'completed', 'rejected', 'dismissed')),
  previous_stage text check (previous_stage in ('identified', 'reviewing', 'implementing', 'live', 'completed', 'rejected', 'dismissed')),
  is_sample boolean not null default false,
  category text check (btrim(category) <> ''),
  module_kind text,
  department text,
  business_unit text,
  gl_dimension_value text,
  priority integer check (priority >= 1),
  source text,
  template_id bigint references ledger.initiative_templates (id) deferrable,
  owner_id bigint,
  confidence_score ledger.figure check (confidence_score between 0 and 100),
  currency ledger.currency not null default 'USD', -- of every plan figure below
  roi_horizon_years integer check (roi_horizon_years between 1 and 50),
  time_to_value_months integer check (time_to_value_months between 0 and 600),
  planned_capex_cents ledger.cents,
  planned_opex_cents ledger.cents,
  planned_cost_savings_cents ledger.cents,
  planned_revenue_uplift_cents ledger.cents,
  planned_capacity_cents ledger.cents,
  planned_value_period text check (planned_value_period in ('monthly', 'quarterly', 'annually')),
  -- A plan that the service filled in counts in no planned total until a person confirms it.
  plan_source text not null default 'person' check (plan_source in ('person', 'service')),
  plan_confirmed_at ledger.instant,
  plan_confirmed_by_id bigint,
  submitted_for_review_at ledger.instant,
  approved_at ledger.instant,
  started_at ledger.instant,
  went_live_at ledger.instant,
  closed_at ledger.instant,
  archived_at ledger.instant,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, owner_id) references ledger.memberships (account_id, user_id) deferrable,
  foreign key (account_id, plan_confirmed_by_id) references ledger.memberships (account_id, user_id) deferrable,
  check (stage = 'paused' or previous_stage is null),
  -- Whole-horizon totals stay exact in JSON too.
  constraint plan_total_exact check (
    (abs(coalesce(planned_cost_savings_cents, 0)::numeric) + abs(coalesce(planned_revenue_uplift_cents, 0))
      + abs(coalesce(planned_capacity_cents, 0)) + abs(coalesce(planned_opex_cents, 0)))
    * 12 * coalesce(roi_horizon_years, 1) < 9007199254740992)
);
create index initiatives_changes on ledger.initiatives (account_id, updated_at, id);
create index initiatives_template on ledger.initiatives (template_id) where template_id is not null;
create index initiatives_owner on ledger.initiatives (owner_id) where owner_id is not null;

-- How many value periods a plan's horizon holds; a plan without a period counts by the year, one without a horizon not.
create function service.periods_in_horizon(value_period text, horizon_years integer) returns bigint
language sql immutable parallel safe
return case value_period when 'monthly' then 12 when 'quarterly' then 4 else 1 end * coalesce(horizon_years, 0)::bigint;

create table ledger.initiative_approvers (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  user_id bigint not null,
  primary key (account_id, id),
  unique (account_id, initiative_id, user_id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  foreign key (account_id, user_id) references ledger.memberships (account_id, user_id) deferrable
);

create table ledger.initiative_notes (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  author_id bigint,
  body text not null,
  created_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  foreign key (account_id, author_id) references ledger.memberships (account_id, user_id) deferrable
);
create index initiative_notes_initiative on ledger.initiative_notes (account_id, initiative_id, created_at);

create table ledger.assessments (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  initiative_id bigint,
  title text not null,
  description text,
  status text not null check (status in ('draft', 'active', 'closed')),
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable
);
create index assessments_initiative on ledger.assessments (account_id, initiative_id) where initiative_id is not null;
-- file: 060-vendors-and-bills.sql
-- Vendors, and the bills and charges that arrive from providers, books and card feeds. What a provider billed is its
-- fact, not a booking: locking a month does not freeze it.

create table ledger.vendors (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  name text not null check (service.name_key(name) <> ''),
  name_key text not null generated always as (service.name_key(name)) stored,
  is_ai boolean not null default false,
  -- The survivor of a merge; always a vendor that is not itself merged.
  merged_into_id bigint check (merged_into_id <> id),
  set_aside_at ledger.instant,
  set_aside_by_id bigint,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  unique (account_id, name_key),
  foreign key (account_id, merged_into_id) references ledger.vendors (account_id, id) deferrable,
  foreign key (account_id, set_aside_by_id) references ledger.memberships (account_id, user_id) deferrable
);
create index vendors_merged on ledger.vendors (account_id, merged_into_id) where merged_into_id is not null;

create table ledger.provider_bills (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  connection_id bigint not null,
  month ledger.month not null,
  amount_cents ledger.cents not null,
  currency ledger.currency not null,
  usd_amount_cents ledger.cents,
  usd_rate ledger.rate,
  usd_rate_from ledger.day,
  usd_rate_through ledger.day,
  usd_rate_provisional boolean not null default false,
  ai_amount_cents ledger.cents not null,
  ai_usd_amount_cents ledger.cents,
  external_ref text,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) deferrable
);
create index provider_bills_connection on ledger.provider_bills (account_id, connection_id, month);

create table ledger.vendor_bills (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  vendor_id bigint not null,
  feed text not null check (feed in ('books', 'card_feed')),
  connection_id bigint,
  month ledger.month not null,
  amount_cents ledger.cents not null,
  currency ledger.currency not null,
  usd_amount_cents ledger.cents,
  usd_rate ledger.rate,
  usd_rate_from ledger.day,
  usd_rate_through ledger.day,
  usd_rate_provisional boolean not null default false,
  ai_amount_cents ledger.cents not null,
  ai_usd_amount_cents ledger.cents,
  external_ref text,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, vendor_id) references ledger.vendors (account_id, id) deferrable,
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) deferrable
);
create index vendor_bills_vendor on ledger.vendor_bills (account_id, vendor_id, month);
create index vendor_bills_connection on ledger.vendor_bills (account_id, connection_id) where connection_id is not null;

create table ledger.card_charges (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  connection_id bigint not null,
  charged_on ledger.day not null,
  month date not null generated always as (service.month_of(charged_on)) stored,
  merchant text,
  vendor_id bigint, -- the vendor it was matched to
  amount_cents ledger.cents not null,
  currency ledger.currency not null,
  usd_amount_cents ledger.cents,
  usd_rate ledger.rate,
  usd_rate_from ledger.day,
  usd_rate_through ledger.day,
  usd_rate_provisional boolean not null default false,
  external_ref text,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) deferrable,
  foreign key (account_id, vendor_id) references ledger.vendors (account_id, id) deferrable
);
create index card_charges_month on ledger.card_charges (account_id, month);
create index card_charges_connection on ledger.card_charges (account_id, connection_id);
create index card_charges_vendor on ledger.card_charges (account_id, vendor_id) where vendor_id is not null;

-- Which initiatives carry a connection's or a vendor's bills.
create table ledger.ai_spend_links (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  connection_id bigint,
  vendor_id bigint,
  created_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  unique nulls not distinct (account_id, initiative_id, connection_id, vendor_id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) on delete cascade deferrable,
  foreign key (account_id, vendor_id) references ledger.vendors (account_id, id) on delete cascade deferrable,
  check (num_nonnulls(connection_id, vendor_id) = 1)
);
create index ai_spend_links_connection on ledger.ai_spend_links (account_id, connection_id) where connection_id is not null;
create index ai_spend_links_vendor on ledger.ai_spend_links (account_id, vendor_id) where vendor_id is not null;

-- The part of one bill that a link maps to its initiative.
create table ledger.bill_shares (
  account_id bigint not null,
  id bigint generated by default as identity,
  link_id bigint not null,
  provider_bill_id bigint,
  vendor_bill_id bigint,
  share numeric(9, 8) not null check (share > 0 and share <= 1),
  primary key (account_id, id),
  foreign key (account_id, link_id) references ledger.ai_spend_links (account_id, id) on delete cascade deferrable,
  foreign key (account_id, provider_bill_id) references ledger.provider_bills (account_id, id) on delete cascade deferrable,
  foreign key (account_id, vendor_bill_id) references ledger.vendor_bills (account_id, id) on delete cascade deferrable,
  check (num_nonnulls(provider_bill_id, vendor_bill_id) = 1)
);
create index bill_shares_link on ledger.bill_shares (account_id, link_id);
create index bill_shares_provider_bill on ledger.bill_shares (account_id, provider_bill_id) where provider_bill_id is not null;
create index bill_shares_vendor_bill on ledger.bill_shares (account_id, vendor_bill_id) where vendor_bill_id is not null;
-- file: 070-costs.sql
-- Costs, and the arrangements they come from.

create table ledger.books_accounts (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  connection_id bigint,
  code text,
  name text not null check (btrim(name) <> ''),
  primary key (account_id, id),
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) deferrable
);
create index books_accounts_connection on ledger.books_accounts (account_id, connection_id) where connection_id is not null;

create table ledger.implementations (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  title text not null,
  status text not null check (status in ('planned', 'in_progress', 'done', 'cancelled')),
  started_on ledger.day,
  ended_on ledger.day,
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  check (ended_on >= started_on)
);
create index implementations_initiative on ledger.implementations (account_id, initiative_id);

create table ledger.recurring_costs (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  description text not null,
  amount_cents ledger.cents not null,
  currency ledger.currency not null,
  cadence text not null check (cadence in ('monthly', 'quarterly', 'annually')),
  cost_type text,
  starts_on ledger.day not null,
  ends_on ledger.day,
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  check (ends_on >= starts_on)
);
create index recurring_costs_initiative on ledger.recurring_costs (account_id, initiative_id);

-- One bill shared by several initiatives; its lines add up to it exactly.
create table ledger.shared_bills (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  vendor_id bigint,
  description text not null,
  amount_cents ledger.cents not null,
  currency ledger.currency not null,
  period_start ledger.day,
  period_end ledger.day,
  primary key (account_id, id),
  foreign key (account_id, vendor_id) references ledger.vendors (account_id, id) deferrable,
  check (period_end >= period_start)
);
create index shared_bills_vendor on ledger.shared_bills (account_id, vendor_id) where vendor_id is not null;

create table ledger.allocation_lines (
  account_id bigint not null,
  id bigint generated by default as identity,
  shared_bill_id bigint not null,
  initiative_id bigint, -- empty once the initiative was deleted: the shares of the others do not move
  weight numeric(12, 6) not null check (weight > 0 and weight <> 'NaN'),
  amount_cents ledger.cents not null,
  primary key (account_id, id),
  foreign key (account_id, shared_bill_id) references ledger.shared_bills (account_id, id) on delete cascade deferrable,
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id)
    on delete set null (initiative_id) deferrable
);
create index allocation_lines_bill on ledger.allocation_lines (account_id, shared_bill_id);
create index allocation_lines_initiative on ledger.allocation_lines (account_id, initiative_id) where initiative_id is not null;

create table ledger.cost_entries (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  amount_cents ledger.cents not null,
  currency ledger.currency not null,
  usd_amount_cents ledger.cents,
  usd_rate ledger.rate,
  usd_rate_from ledger.day,
  usd_rate_through ledger.day,
  usd_rate_provisional boolean not null default false,
  cost_type text check (btrim(cost_type) <> ''),
  cost_category text not null check (cost_category in ('capex', 'opex')),
  period_start ledger.day,
  period_end ledger.day,
  is_estimated boolean not null default false,
  vendor_id bigint,
  vendor_name text,
  description text,
  notes text,
  books_account_id bigint,
  source_type text not null check (source_type in ('manual', 'assistant', 'csv', 'calculated', 'integration', 'system')),
  connection_id bigint,
  source_ref text,
  implementation_id bigint,
  recurring_cost_id bigint,
  allocation_line_id bigint,
  -- The provider bill, vendor bill or card charge this entry was booked from, and the AI part of it.
  provider_bill_id bigint,
  vendor_bill_id bigint,
  card_charge_id bigint,
  ai_amount_cents ledger.cents,
  ai_usd_amount_cents ledger.cents,
  recorded_by_id bigint,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  -- The month whose lock holds this entry: that of its period, else of its booking day.
  booked_month date not null generated always as
    (service.month_of(coalesce(period_start::date, (created_at at time zone 'UTC')::date))) stored,
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  foreign key (account_id, vendor_id) references ledger.vendors (account_id, id) deferrable,
  foreign key (account_id, books_account_id) references ledger.books_accounts (account_id, id) deferrable,
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) deferrable,
  foreign key (account_id, implementation_id) references ledger.implementations (account_id, id) deferrable,
  foreign key (account_id, recurring_cost_id) references ledger.recurring_costs (account_id, id) deferrable,
  foreign key (account_id, allocation_line_id) references ledger.allocation_lines (account_id, id) deferrable,
  foreign key (account_id, provider_bill_id) references ledger.provider_bills (account_id, id) deferrable,
  foreign key (account_id, vendor_bill_id) references ledger.vendor_bills (account_id, id) deferrable,
  foreign key (account_id, card_charge_id) references ledger.card_charges (account_id, id) deferrable,
  foreign key (account_id, recorded_by_id) references ledger.memberships (account_id, user_id) deferrable,
  constraint cost_period_in_order check (period_end >= period_start),
  constraint cost_booked_from_one check (num_nonnulls(provider_bill_id, vendor_bill_id, card_charge_id) <= 1),
  constraint cost_recorded_by_person check (recorded_by_id is null or source_type in ('manual', 'assistant', 'csv')),
  constraint cost_synced_from_connection check (source_type <> 'integration' or connection_id is not null)
);
create index cost_entries_changes on ledger.cost_entries (account_id, updated_at, id);
create index cost_entries_initiative_changes on ledger.cost_entries (account_id, initiative_id, updated_at, id);
create index cost_entries_initiative_period on ledger.cost_entries (account_id, initiative_id, period_start);
create index cost_entries_period on ledger.cost_entries (account_id, period_start);
create index cost_entries_booked_month on ledger.cost_entries (account_id, booked_month);
create index cost_entries_vendor on ledger.cost_entries (account_id, vendor_id) where vendor_id is not null;
create index cost_entries_books_account on ledger.cost_entries (account_id, books_account_id) where books_account_id is not null;
create index cost_entries_connection on ledger.cost_entries (account_id, connection_id) where connection_id is not null;
create index cost_entries_implementation on ledger.cost_entries (account_id, implementation_id) where implementation_id is not null;
create index cost_entries_recurring on ledger.cost_entries (account_id, recurring_cost_id) where recurring_cost_id is not null;
create index cost_entries_allocation on ledger.cost_entries (account_id, allocation_line_id) where allocation_line_id is not null;
create index cost_entries_provider_bill on ledger.cost_entries (account_id, provider_bill_id) where provider_bill_id is not null;
create index cost_entries_vendor_bill on ledger.cost_entries (account_id, vendor_bill_id) where vendor_bill_id is not null;
create index cost_entries_card_charge on ledger.cost_entries (account_id, card_charge_id) where card_charge_id is not null;
-- What the conversion job has left to do.
create index cost_entries_unconverted on ledger.cost_entries (account_id, currency)
  where currency <> 'USD' and (usd_amount_cents is null or usd_rate_provisional);

-- The category follows the type unless someone gave one.
create function service.categorise_cost() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.cost_category := coalesce(
    new.cost_category,
    case when new.cost_type in ('implementation', 'hardware', 'development') then 'capex' else 'opex' end);
  return new;
end $$;
create trigger categorise_cost before insert or update on ledger.cost_entries
  for each row execute function service.categorise_cost();

-- A vendor's name resolves to the vendor, made if new, and to the survivor once it was merged. The vendor is held
-- until this entry is committed, so a merge meanwhile waits and then finds the entry.
create function service.resolve_vendor() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(service.name_key(new.vendor_name), '') = '' then
    new.vendor_id := null;
    return new;
  end if;
  insert into ledger.vendors (account_id, name) values (new.account_id, btrim(new.vendor_name))
    on conflict (account_id, name_key) do nothing;
  select coalesce(v.merged_into_id, v.id) into strict new.vendor_id
    from ledger.vendors v
    where v.account_id = new.account_id and v.name_key = service.name_key(new.vendor_name)
    for share;
  return new;
end $$;
create trigger resolve_vendor before insert or update of vendor_name on ledger.cost_entries
  for each row execute function service.resolve_vendor();

-- Merging: chains are flattened, and entries follow to the survivor while their recorded names stay.
create function service.flatten_merge() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(new.account_id); -- before the entries that follow_merge will lock
  new.merged_into_id := coalesce(
    (select s.merged_into_id from ledger.vendors s
      where s.account_id = new.account_id and s.id = new.merged_into_id for share),
    new.merged_into_id);
  if new.merged_into_id = new.id then
    raise exception 'vendor % cannot be merged into itself', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger flatten_merge before insert or update of merged_into_id on ledger.vendors
  for each row when (new.merged_into_id is not null) execute function service.flatten_merge();

create function service.follow_merge() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.vendors set merged_into_id = new.merged_into_id
    where account_id = new.account_id and merged_into_id = new.id;
  update ledger.cost_entries set vendor_id = new.merged_into_id
    where account_id = new.account_id and vendor_id = new.id;
  return null;
end $$;
create trigger follow_merge after insert or update of merged_into_id on ledger.vendors
  for each row when (new.merged_into_id is not null) execute function service.follow_merge();

-- The lines of a shared bill, once it has any, add up to it; looked at when the transaction ends.
create function service.check_allocation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  bill record;
begin
  for bill in
    select b.id, b.amount_cents, sum(l.amount_cents) as allocated
    from ledger.shared_bills b
    join ledger.allocation_lines l on l.account_id = b.account_id and l.shared_bill_id = b.id
    where b.account_id = coalesce(new.account_id, old.account_id)
      and b.id = case when tg_table_name = 'shared_bills' then (to_jsonb(new) ->> 'id')::bigint
                 else (coalesce(to_jsonb(new), to_jsonb(old)) ->> 'shared_bill_id')::bigint end
    group by b.account_id, b.id
  loop
    if bill.allocated <> bill.amount_cents then
      raise exception 'shared bill %: its lines add up to % cents, the bill is % cents', bill.id, bill.allocated, bill.amount_cents
        using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger check_allocation after insert or update or delete on ledger.allocation_lines
  deferrable initially deferred for each row execute function service.check_allocation();
create constraint trigger check_allocation after update on ledger.shared_bills
  deferrable initially deferred for each row execute function service.check_allocation();
-- file: 080-dollars.sql
-- Dollar figures stand on the row. A dollar row is its own figure; any other carries the rate it was converted at,
-- and the figure is reproducible from the two columns. The conversion job alone writes rates; a writer who changes
-- an amount keeps the rate, one who changes the currency or the period loses it until the next conversion.

-- What a row's rate depends on beside its currency. A charge's month is computed after the triggers: its day stands
-- for it. An entry without a period is converted by its booking day.
create function service.rate_dates(recorded jsonb) returns jsonb
language sql immutable strict parallel safe
return jsonb_build_array(
  coalesce(recorded -> 'charged_on', recorded -> 'month', nullif(recorded -> 'period_start', 'null'), recorded -> 'created_at'),
  recorded -> 'period_end');

create function service.settle_dollars() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if new.currency is null or new.currency = 'USD' then
    new.usd_amount_cents := case when new.currency = 'USD' then new.amount_cents end;
    new.usd_rate := null;
    new.usd_rate_from := null;
    new.usd_rate_through := null;
    return new;
  end if;
  if tg_op = 'UPDATE' and new.usd_rate is not distinct from old.usd_rate
    and new.usd_rate_from is not distinct from old.usd_rate_from
    and new.usd_rate_through is not distinct from old.usd_rate_through
    and (new.currency is distinct from old.currency
      or service.rate_dates(to_jsonb(new)) <> service.rate_dates(to_jsonb(old)))
  then
    new.usd_rate := null;
    new.usd_rate_from := null;
    new.usd_rate_through := null;
  end if;
  -- numeric rounds half away from zero, as every figure here does.
  new.usd_amount_cents := round(new.amount_cents * new.usd_rate)::bigint;
  return new;
end $$;

-- The same for what only costs and bills have: the provisional mark, and the AI part where there is one.
create function service.settle_provisional() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.usd_rate_provisional := coalesce(new.usd_rate_provisional, false) and new.usd_rate is not null;
  return new;
end $$;

create function service.settle_ai_part() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.ai_usd_amount_cents := case when new.currency = 'USD' then new.ai_amount_cents
    else round(new.ai_amount_cents * new.usd_rate)::bigint end;
  return new;
end $$;

-- Triggers of one kind fire in the order of their names: dollars first, then what follows from the rate.
do $$
declare
  target text;
begin
  foreach target in array array['cost_entries', 'provider_bills', 'vendor_bills', 'card_charges'] loop
    execute format('create trigger settle_1_dollars before insert or update on ledger.%I for each row execute function service.settle_dollars()', target);
    execute format('create trigger settle_2_provisional before insert or update on ledger.%I for each row execute function service.settle_provisional()', target);
    if target <> 'card_charges' then
      execute format('create trigger settle_3_ai_part before insert or update on ledger.%I for each row execute function service.settle_ai_part()', target);
    end if;
    execute format(
      'alter table ledger.%I add constraint %I check (
        (usd_rate is null) = (usd_rate_from is null) and (usd_rate is null) = (usd_rate_through is null)
        and usd_rate_through >= usd_rate_from
        and case when currency = ''USD'' then usd_amount_cents is not distinct from amount_cents and usd_rate is null
          else usd_amount_cents is not distinct from round(amount_cents * usd_rate) end)',
      target, target || '_dollars_reproducible');
  end loop;
end $$;

-- The dollars for one unit of a currency on each published day of a span: a day on which the dollar and that currency
-- both have a rate. Crossed through the euro. A hundred decimals, to be rounded by whoever averages them. The currency's
-- rate is a subquery and no join, because then it is looked up by its day, whatever the planner believes of the span.
create function service.published_crosses(of_currency text, first_day date, last_day date)
returns table (day date, usd_rate numeric)
language sql stable parallel safe
begin atomic
  select crossed.day, crossed.usd_per_euro::numeric(120, 100) / crossed.units_per_euro
  from (
    select dollars.day, dollars.units_per_euro as usd_per_euro,
      case of_currency when 'EUR' then 1 else (
        select units.units_per_euro from ledger.euro_reference_rates as units
        where units.currency = of_currency and units.day = dollars.day
      ) end as units_per_euro
    from ledger.euro_reference_rates as dollars
    where dollars.currency = 'USD' and of_currency <> 'USD' and dollars.day between first_day and last_day
  ) as crossed
  where crossed.units_per_euro is not null;
end;

-- The last day that decides on a cost's rate. A period without an end ends with the month of its start; a cost without a
-- period is one of its booking day.
create function service.cost_ends_on(period_start date, period_end date, booked_on date) returns date
language sql immutable parallel safe
return case when period_start is null then booked_on
  else coalesce(period_end, (service.month_of(period_start) + interval '1 month - 1 day')::date) end;

-- The rate of a cost, by what is published up to a day: the average over a period that is complete, the latest rate for
-- one that is not; where no day inside is published, the last one before. There is none before the currency's first.
-- Sixty decimals of the mean are kept before the one rounding, so that thirds which add up to a half do so again.
create function service.cost_rate(
  of_currency text, period_start date, period_end date, booked_on date, as_of date,
  out usd_rate numeric, out usd_rate_from date, out usd_rate_through date, out usd_rate_provisional boolean)
language sql stable parallel safe
begin atomic
  select round(round(avg(used.usd_rate), 60), 10), min(used.day), max(used.day), not period.complete
  from (
    select starts_on, ends_on, exists (select from service.published_crosses(of_currency, ends_on, as_of)) as complete
    from (
      select coalesce(period_start, booked_on) as starts_on, service.cost_ends_on(period_start, period_end, booked_on) as ends_on
    ) as days
  ) as period
  -- Of an incomplete period this is the latest day of all.
  cross join lateral (
    select day from service.published_crosses(of_currency, '-infinity', least(period.ends_on, as_of)) order by day desc limit 1
  ) as last_published
  cross join lateral service.published_crosses(
    of_currency,
    case when period.complete then least(period.starts_on, last_published.day) else last_published.day end,
    last_published.day
  ) as used
  group by period.complete;
end;
-- file: 090-metrics.sql
-- Metrics, what was observed of them, and what formulas are made of.

create table ledger.metrics (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  metric_key text not null check (metric_key ~ '^[a-z0-9_.]+$'),
  name text not null check (btrim(name) <> ''),
  description text,
  metric_type text check (metric_type in ('count', 'duration', 'percentage', 'currency', 'ratio', 'score')),
  unit text,
  currency_metric boolean not null default false,
  active boolean not null default true,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  unique (account_id, metric_key)
);
create index metrics_changes on ledger.metrics (account_id, updated_at, id);

create table ledger.time_studies (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  initiative_id bigint,
  metric_id bigint not null,
  title text not null,
  started_on ledger.day not null,
  ended_on ledger.day not null,
  restudy_months integer not null check (restudy_months between 1 and 120),
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  foreign key (account_id, metric_id) references ledger.metrics (account_id, id) deferrable,
  check (ended_on >= started_on)
);
create index time_studies_metric on ledger.time_studies (account_id, metric_id);
create index time_studies_initiative on ledger.time_studies (account_id, initiative_id) where initiative_id is not null;

create table ledger.observations (
  account_id bigint not null,
  id bigint generated by default as identity,
  metric_id bigint not null,
  initiative_id bigint, -- empty for the whole account
  value ledger.figure not null,
  currency ledger.currency, -- of a money reading
  role text not null check (role in ('reading', 'baseline')),
  baseline_method text check (baseline_method in ('history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate')),
  observed_at ledger.instant,
  period_start ledger.day,
  period_end ledger.day,
  is_estimated boolean not null default false,
  sample_size integer check (sample_size >= 0),
  quality_score ledger.figure check (quality_score between 0 and 100),
  source_type text not null check (source_type in ('integration', 'manual', 'assistant', 'csv', 'calculated', 'system', 'time_study')),
  connection_id bigint,
  source_ref text,
  time_study_id bigint,
  dimensions text not null default '{}',
  notes text,
  recorded_by_id bigint,
  -- A reading that a value entry used is never deleted, only marked: the figures it made still name it.
  deleted_at ledger.instant,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, metric_id) references ledger.metrics (account_id, id) deferrable,
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) deferrable,
  foreign key (account_id, time_study_id) references ledger.time_studies (account_id, id) on delete set null (time_study_id) deferrable,
  foreign key (account_id, recorded_by_id) references ledger.memberships (account_id, user_id) deferrable,
  constraint observation_period_in_order check (period_end >= period_start),
  constraint observation_baseline_method check (role = 'baseline' or baseline_method is null),
  constraint observation_time_study check (time_study_id is null or source_type = 'time_study'),
  constraint observation_recorded_by_person check (recorded_by_id is null or source_type in ('manual', 'assistant', 'csv', 'time_study')),
  constraint observation_dimensions_canonical check (dimensions = service.canonical_json(dimensions::jsonb))
);
create index observations_changes on ledger.observations (account_id, updated_at, id) where deleted_at is null;
create index observations_initiative_changes on ledger.observations (account_id, initiative_id, updated_at, id) where deleted_at is null;
create index observations_metric_changes on ledger.observations (account_id, metric_id, updated_at, id) where deleted_at is null;
-- With the deleted ones: an initiative takes them along, a metric is held by them.
create index observations_initiative on ledger.observations (account_id, initiative_id) where initiative_id is not null;
create index observations_metric on ledger.observations (account_id, metric_id);
create index observations_connection on ledger.observations (account_id, connection_id) where connection_id is not null;
create index observations_time_study on ledger.observations (account_id, time_study_id) where time_study_id is not null;

create function service.canonicalise_dimensions() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.dimensions := service.canonical_json(new.dimensions::jsonb);
  return new;
end $$;
create trigger canonicalise_dimensions before insert or update of dimensions on ledger.observations
  for each row execute function service.canonicalise_dimensions();

create table ledger.assumptions (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  key text not null,
  label text not null,
  value ledger.figure not null,
  unit text,
  effective_from ledger.day not null,
  confirmed_at ledger.instant,
  confirmed_by_id bigint,
  primary key (account_id, id),
  unique (account_id, key, effective_from),
  foreign key (account_id, confirmed_by_id) references ledger.memberships (account_id, user_id) deferrable
);

create table ledger.formulas (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  formula_key text not null, -- the same through all versions
  description text,
  primary key (account_id, id),
  unique (account_id, formula_key)
);

-- A version never changes: an entry calculated by it keeps its name and expression.
create table ledger.formula_versions (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  formula_id bigint not null,
  version integer not null check (version >= 1),
  name text not null check (btrim(name) <> ''),
  expression text not null,
  created_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  unique (account_id, formula_id, version),
  foreign key (account_id, formula_id) references ledger.formulas (account_id, id) deferrable
);

create function service.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '% % is never changed once written', tg_table_name, old.id
    using errcode = 'restrict_violation', hint = 'Write a new row instead.';
end $$;
create trigger refuse_change before update on ledger.formula_versions
  for each row execute function service.refuse_change();
create trigger refuse_change before update of formula_key on ledger.formulas
  for each row when (new.formula_key <> old.formula_key) execute function service.refuse_change();
-- file: 100-value.sql
-- Value entries. What a formula read is frozen with the figure, as canonical JSON:
-- {"expression":…,"inputs":{"<variable>":{…}}}, or {} without a formula.

-- The ids of the observations that a frozen snapshot names, ascending.
create function service.input_observations(input_snapshot text) returns bigint[]
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(distinct (value ->> 'observation_id')::bigint order by (value ->> 'observation_id')::bigint), '{}')
  from jsonb_each(input_snapshot::jsonb -> 'inputs')
  where value ->> 'observation_id' is not null
$$;

-- The methods of its baselines, without repetition; a baseline that names none counts as an estimate.
create function service.input_baseline_methods(input_snapshot text) returns text[]
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
  select coalesce(array_agg(distinct method order by method), '{}')
  from (
    select coalesce(value ->> 'baseline_method', 'estimate') as method
    from jsonb_each(input_snapshot::jsonb -> 'inputs')
    where value ->> 'source_type' = 'baseline') as baseline
$$;

-- The latest UTC day on which a baseline from history or a time study begins.
create function service.input_measured_on(input_snapshot text) returns date
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
  select max(service.utc_day(coalesce(value ->> 'input_period_start', value ->> 'observed_at')))
  from jsonb_each(input_snapshot::jsonb -> 'inputs')
  where value ->> 'source_type' = 'baseline' and value ->> 'baseline_method' in ('history', 'time_study')
$$;

-- True for a snapshot that unfolds into rows of value_inputs: each input has the columns of that table as keys, and
-- `baseline_method` beside them, with values of their types; what it does not have counts as null.
create function service.inputs_well_formed(input_snapshot text) returns boolean
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
  select input_snapshot = '{}' or (
    jsonb_typeof(input_snapshot::jsonb -> 'expression') is not distinct from 'string'
    and jsonb_typeof(input_snapshot::jsonb -> 'inputs') is not distinct from 'object'
    and not exists (
      select
      from jsonb_each(input_snapshot::jsonb -> 'inputs') as input (variable, frozen),
        lateral jsonb_each(case when jsonb_typeof(frozen) = 'object' then frozen else '{"": true}' end) as field (name, value)
      where jsonb_typeof(value) <> 'null' and not case name
        when 'value' then pg_input_is_valid(value::text, 'double precision')
        when 'observation_id' then value::text ~ '^[1-9][0-9]{0,17}$'
        when 'assumption_id' then value::text ~ '^[1-9][0-9]{0,17}$'
        when 'requires_confirmation' then jsonb_typeof(value) = 'boolean'
        when 'source_type' then value #>> '{}' in ('observation', 'baseline', 'assumption', 'period', 'derived')
        when 'assumption_scope' then value #>> '{}' in ('system', 'account')
        when 'baseline_method' then value #>> '{}' in ('history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate')
        else name in ('label', 'metric_key', 'assumption_key', 'assumption_effective_from', 'observed_at',
            'input_period_start', 'input_period_end', 'expression') and jsonb_typeof(value) = 'string'
        end))
$$;

create table ledger.value_entries (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  amount_cents ledger.cents,
  currency ledger.currency,
  usd_amount_cents ledger.cents,
  usd_rate ledger.rate,
  usd_rate_from ledger.day,
  usd_rate_through ledger.day,
  status text not null check (status in ('draft', 'calculated', 'reviewed', 'approved', 'disputed', 'archived')),
  entry_type text check (entry_type in ('revenue_gain', 'cost_savings', 'cost_avoidance', 'capacity', 'capacity_realized')),
  period_start ledger.day,
  period_end ledger.day,
  is_estimated boolean not null default false,
  confidence_score ledger.figure check (confidence_score between 0 and 100),
  quality_score ledger.figure check (quality_score between 0 and 100),
  source_type text not null check (source_type in ('manual', 'assistant', 'csv', 'calculated', 'integration')),
  connection_id bigint,
  source_ref text,
  formula_version_id bigint,
  input_snapshot text not null default '{}',
  input_snapshot_sha256 text not null generated always as (service.sha256_hex(input_snapshot)) stored,
  formula_expression text generated always as (input_snapshot::jsonb ->> 'expression') stored,
  input_observation_ids bigint[] not null generated always as (service.input_observations(input_snapshot)) stored,
  baseline_methods text[] not null generated always as (service.input_baseline_methods(input_snapshot)) stored,
  baseline_measured_on date generated always as (service.input_measured_on(input_snapshot)) stored,
  vendor_price_effect_cents ledger.cents,
  own_changes_effect_cents ledger.cents,
  notes text,
  recorded_by_id bigint,
  -- Its latest `approved` decision; kept by the trigger that sees decisions written.
  approval_decision_id bigint,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  period_month date generated always as (service.month_of(period_start)) stored,
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  foreign key (account_id, connection_id) references ledger.connections (account_id, id) deferrable,
  foreign key (account_id, formula_version_id) references ledger.formula_versions (account_id, id) deferrable,
  foreign key (account_id, recorded_by_id) references ledger.memberships (account_id, user_id) deferrable,
  constraint value_period_in_order check (period_end >= period_start),
  constraint value_approved_complete check (
    status <> 'approved' or (amount_cents is not null and currency is not null and entry_type is not null)),
  constraint value_effects_add_up check (
    num_nonnulls(vendor_price_effect_cents, own_changes_effect_cents) = 0
    or (num_nonnulls(vendor_price_effect_cents, own_changes_effect_cents, amount_cents) = 3
      and vendor_price_effect_cents + own_changes_effect_cents = amount_cents)),
  constraint value_calculated_by_formula check (source_type <> 'calculated' or formula_version_id is not null),
  constraint value_without_formula_no_inputs check (formula_version_id is not null or input_snapshot = '{}'),
  constraint value_synced_from_connection check (source_type <> 'integration' or connection_id is not null),
  constraint value_recorded_by_person check (recorded_by_id is null or source_type in ('manual', 'assistant', 'csv')),
  constraint value_inputs_well_formed check (service.inputs_well_formed(input_snapshot)),
  constraint value_snapshot_canonical check (input_snapshot = service.canonical_json(input_snapshot::jsonb)),
  constraint value_dollars_reproducible check (
    (usd_rate is null) = (usd_rate_from is null) and (usd_rate is null) = (usd_rate_through is null)
    and usd_rate_through >= usd_rate_from
    and case when currency = 'USD' then usd_amount_cents is not distinct from amount_cents and usd_rate is null
      else usd_amount_cents is not distinct from round(amount_cents * usd_rate) end)
);
create index value_entries_changes on ledger.value_entries (account_id, updated_at, id);
create index value_entries_status_changes on ledger.value_entries (account_id, status, updated_at, id);
create index value_entries_initiative_changes on ledger.value_entries (account_id, initiative_id, updated_at, id);
create index value_entries_initiative_period on ledger.value_entries (account_id, initiative_id, period_start);
create index value_entries_period on ledger.value_entries (account_id, period_start);
create index value_entries_month on ledger.value_entries (account_id, period_month);
create index value_entries_connection on ledger.value_entries (account_id, connection_id) where connection_id is not null;
create index value_entries_formula on ledger.value_entries (account_id, formula_version_id) where formula_version_id is not null;
create index value_entries_approval on ledger.value_entries (account_id, approval_decision_id) where approval_decision_id is not null;
create index value_entries_observations on ledger.value_entries using gin (input_observation_ids);
create index value_entries_unconverted on ledger.value_entries (account_id, currency)
  where currency <> 'USD' and usd_amount_cents is null;

create function service.canonicalise_snapshot() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.input_snapshot := service.canonical_json(new.input_snapshot::jsonb);
  return new;
end $$;
create trigger canonicalise_snapshot before insert or update of input_snapshot on ledger.value_entries
  for each row execute function service.canonicalise_snapshot();
create trigger settle_1_dollars before insert or update on ledger.value_entries
  for each row execute function service.settle_dollars();

-- The readings behind an entry exist, and a real entry never rests on a sample initiative's reading.
create function service.check_inputs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  missing bigint;
  sample bigint;
begin
  select used.id into missing
    from unnest(new.input_observation_ids) as used (id)
    where not exists (
      -- Held until commit, so that nobody deletes it meanwhile without seeing this entry.
      select from ledger.observations o where o.account_id = new.account_id and o.id = used.id for key share)
    limit 1;
  if found then
    raise exception 'value entry %: its input_snapshot names observation %, which this account does not have', new.id, missing
      using errcode = 'foreign_key_violation', column = 'input_snapshot';
  end if;
  select o.id into sample
    from unnest(new.input_observation_ids) as used (id)
    join ledger.observations o on o.account_id = new.account_id and o.id = used.id
    join ledger.initiatives source on source.account_id = o.account_id and source.id = o.initiative_id and source.is_sample
    where not (select i.is_sample from ledger.initiatives i where i.account_id = new.account_id and i.id = new.initiative_id)
    limit 1;
  if found then
    raise exception 'value entry %: observation % belongs to a sample initiative', new.id, sample
      using errcode = 'check_violation', column = 'input_snapshot';
  end if;
  return null;
end $$;
create constraint trigger check_inputs after insert or update of input_snapshot, initiative_id on ledger.value_entries
  deferrable initially deferred for each row when (new.input_observation_ids <> '{}') execute function service.check_inputs();

-- The same seen from the other side: a sample mark set or taken, a reading moved to another initiative.
create function service.check_sample_readings() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  select v.id as entry, o.id as observation into refused
    from ledger.observations o
    join ledger.initiatives source on source.account_id = o.account_id and source.id = o.initiative_id and source.is_sample
    join ledger.value_entries v on v.account_id = o.account_id and v.input_observation_ids @> array[o.id]
    join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id and not i.is_sample
    where o.account_id = new.account_id
      and case tg_table_name when 'observations' then o.id = new.id else new.id in (i.id, source.id) end
    limit 1;
  if found then
    raise exception 'value entry %: observation % belongs to a sample initiative', refused.entry, refused.observation
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger check_sample_readings after update of is_sample on ledger.initiatives
  deferrable initially deferred for each row when (new.is_sample <> old.is_sample) execute function service.check_sample_readings();
create constraint trigger check_sample_readings after update of initiative_id on ledger.observations
  deferrable initially deferred for each row when (new.initiative_id <> old.initiative_id) execute function service.check_sample_readings();

-- A reading in use stays; one whose initiative goes stays without it, for the entries of other initiatives that used it.
create function service.keep_used_observation() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from ledger.accounts a where a.id = old.account_id)
    and exists (
      select from ledger.value_entries v
      where v.account_id = old.account_id and v.input_observation_ids @> array[old.id])
  then
    raise exception 'observation % is used by a value entry and cannot be deleted', old.id
      using errcode = 'restrict_violation', hint = 'Set its deleted_at instead.';
  end if;
  return null;
end $$;
create constraint trigger keep_used_observation after delete on ledger.observations
  deferrable initially deferred for each row execute function service.keep_used_observation();

create function service.release_used_observations() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(old.account_id); -- before the entries that go with the initiative
  update ledger.observations o
    set initiative_id = null, time_study_id = null, deleted_at = coalesce(o.deleted_at, clock_timestamp())
    where o.account_id = old.account_id and o.initiative_id = old.id
      and exists (
        select from ledger.value_entries v
        where v.account_id = o.account_id and v.initiative_id <> old.id and v.input_observation_ids @> array[o.id]);
  return old;
end $$;
create trigger release_used_observations before delete on ledger.initiatives
  for each row execute function service.release_used_observations();

create table ledger.documents (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  kind text not null check (kind in ('business_case', 'review_deck', 'sow', 'contract', 'other')),
  title text not null,
  format text not null check (format in ('file', 'link')),
  created_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable
);
create index documents_initiative on ledger.documents (account_id, initiative_id);

create table vault.document_contents (
  account_id bigint not null,
  document_id bigint not null,
  url text,
  content bytea,
  primary key (account_id, document_id),
  foreign key (account_id, document_id) references ledger.documents (account_id, id) on delete cascade deferrable
);

create table ledger.document_citations (
  account_id bigint not null,
  id bigint generated by default as identity,
  value_entry_id bigint not null,
  document_id bigint not null,
  cited_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, value_entry_id) references ledger.value_entries (account_id, id) on delete cascade deferrable,
  foreign key (account_id, document_id) references ledger.documents (account_id, id) on delete cascade deferrable
);
create index document_citations_entry on ledger.document_citations (account_id, value_entry_id, document_id);
create index document_citations_document on ledger.document_citations (account_id, document_id);
-- file: 110-approvals.sql
-- How things are approved, and every decision ever made.

create table ledger.approval_chains (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  subject_kind text not null check (subject_kind in ('initiative', 'value_entry', 'budget', 'charter')),
  name text not null,
  active boolean not null default true,
  primary key (account_id, id)
);

create table ledger.approval_chain_steps (
  account_id bigint not null,
  id bigint generated by default as identity,
  chain_id bigint not null,
  step integer not null check (step >= 1),
  approver_id bigint,
  approver_role text check (approver_role in ('owner', 'admin')),
  primary key (account_id, id),
  unique (account_id, chain_id, step),
  foreign key (account_id, chain_id) references ledger.approval_chains (account_id, id) on delete cascade deferrable,
  foreign key (account_id, approver_id) references ledger.memberships (account_id, user_id) deferrable,
  check (num_nonnulls(approver_id, approver_role) = 1)
);

create table ledger.charters (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  title text not null,
  status text not null check (status in ('draft', 'submitted', 'approved', 'rejected')),
  submitted_at ledger.instant,
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable
);
create index charters_initiative on ledger.charters (account_id, initiative_id);

-- Written once. The one change allowed is that the deleted initiative's id goes; the subject may be gone too, so
-- subject_id is no foreign key.
create table ledger.approval_decisions (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  subject_kind text not null check (subject_kind in ('initiative', 'value_entry', 'budget', 'charter')),
  subject_id bigint not null, -- a charter's subject is its initiative
  initiative_id bigint,
  is_sample boolean not null default false, -- as of writing
  subject_title text not null,
  item_label text,
  decision text not null check (decision in ('approved', 'step_approved', 'rejected', 'disputed', 'sent_back')),
  resulting_state text,
  step integer check (step >= 1),
  total_steps integer check (total_steps >= step),
  source text not null check (source in ('direct', 'bulk', 'auto', 'backfill', 'assistant', 'import')),
  amount_cents ledger.cents,
  currency ledger.currency,
  reason text,
  decided_by_id bigint,
  decided_at ledger.instant not null,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id)
    on delete set null (initiative_id) deferrable,
  foreign key (account_id, decided_by_id) references ledger.memberships (account_id, user_id) deferrable,
  check (num_nonnulls(amount_cents, currency) in (0, 2)),
  constraint decision_auto_by_nobody check (source <> 'auto' or decided_by_id is null)
);
create index approval_decisions_subject on ledger.approval_decisions (account_id, subject_kind, subject_id, decided_at, id);
create index approval_decisions_initiative on ledger.approval_decisions (account_id, initiative_id) where initiative_id is not null;

alter table ledger.value_entries add foreign key (account_id, approval_decision_id)
  references ledger.approval_decisions (account_id, id) deferrable;

-- Decisions are immutable; they go only with their whole account.
create function service.keep_decision() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from ledger.accounts a where a.id = old.account_id) then
      return old;
    end if;
  elsif to_jsonb(new) - 'updated_at' = to_jsonb(old) - 'updated_at' then
    return new; -- a touch: something served beside it changed
  elsif to_jsonb(new) - array['updated_at', 'initiative_id'] = to_jsonb(old) - array['updated_at', 'initiative_id']
    and new.initiative_id is null
    and not exists (select from ledger.initiatives i where i.account_id = old.account_id and i.id = old.initiative_id)
  then
    return new;
  end if;
  raise exception '% % is never changed once written', tg_table_name, old.id
    using errcode = 'restrict_violation', hint = 'Record a new decision instead.';
end $$;

create function service.mark_sample_decision() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  new.is_sample := coalesce(
    (select i.is_sample from ledger.initiatives i where i.account_id = new.account_id and i.id = new.initiative_id),
    new.is_sample);
  return new;
end $$;

create table ledger.portfolio_decisions (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  initiative_id bigint,
  is_sample boolean not null default false, -- as of writing
  subject_title text not null,
  outcome text not null check (outcome in ('continue', 'scale', 'fix', 'pause', 'retire')),
  stage_before text not null check (stage_before in ('identified', 'reviewing', 'implementing', 'live', 'paused', 'completed', 'rejected', 'dismissed')),
  stage_after text not null check (stage_after in ('identified', 'reviewing', 'implementing', 'live', 'paused', 'completed', 'rejected', 'dismissed')),
  rationale text not null check (btrim(rationale) <> ''),
  next_review_on ledger.day,
  cash_value_cents ledger.cents not null,
  freed_capacity_cents ledger.cents not null,
  cost_to_date_cents ledger.cents not null,
  planned_value_cents ledger.cents,
  planned_value_to_date_cents ledger.cents,
  currency ledger.currency not null,
  decided_by_id bigint,
  decided_at ledger.instant not null,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id)
    on delete set null (initiative_id) deferrable,
  foreign key (account_id, decided_by_id) references ledger.memberships (account_id, user_id) deferrable
);
create index portfolio_decisions_changes on ledger.portfolio_decisions (account_id, updated_at, id);
create index portfolio_decisions_initiative on ledger.portfolio_decisions (account_id, initiative_id, updated_at, id);
create index portfolio_decisions_decided_by on ledger.portfolio_decisions (decided_by_id) where decided_by_id is not null;

create trigger keep_decision before update or delete on ledger.approval_decisions
  for each row execute function service.keep_decision();
create trigger keep_decision before update or delete on ledger.portfolio_decisions
  for each row execute function service.keep_decision();
create trigger mark_sample_decision before insert on ledger.approval_decisions
  for each row execute function service.mark_sample_decision();
create trigger mark_sample_decision before insert on ledger.portfolio_decisions
  for each row execute function service.mark_sample_decision();

-- Budget versions; only approved ones are budgets. All versions of an initiative have one currency.
create table ledger.budget_versions (
  account_id bigint not null,
  id bigint generated by default as identity,
  initiative_id bigint not null,
  status text not null check (status in ('pending', 'approved', 'rejected', 'withdrawn')),
  source text not null check (source in ('approval', 'revision', 'manual')),
  capex_cents ledger.cents not null check (capex_cents >= 0),
  opex_cents ledger.cents not null check (opex_cents >= 0),
  opex_cadence text not null check (opex_cadence in ('monthly', 'quarterly', 'annually')),
  currency ledger.currency not null,
  effective_from ledger.day not null,
  effective_month date not null generated always as (service.month_of(effective_from)) stored,
  ends_on ledger.day,
  reason text,
  set_by_id bigint,
  decided_at ledger.instant,
  decided_by_id bigint,
  decision_reason text,
  approval_decision_id bigint,
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  foreign key (account_id, initiative_id) references ledger.initiatives (account_id, id) on delete cascade deferrable,
  foreign key (account_id, set_by_id) references ledger.memberships (account_id, user_id) deferrable,
  foreign key (account_id, decided_by_id) references ledger.memberships (account_id, user_id) deferrable,
  foreign key (account_id, approval_decision_id) references ledger.approval_decisions (account_id, id) deferrable,
  check (ends_on >= effective_from),
  constraint budget_decided check (status in ('pending', 'withdrawn') or decided_at is not null)
);
create index budget_versions_initiative on ledger.budget_versions (account_id, initiative_id, effective_month);
create index budget_versions_approval on ledger.budget_versions (account_id, approval_decision_id) where approval_decision_id is not null;

create function service.check_budget_currency() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  other text;
begin
  select b.currency into other from ledger.budget_versions b
    where b.account_id = new.account_id and b.initiative_id = new.initiative_id and b.currency <> new.currency limit 1;
  if found then
    raise exception 'budget version %: its currency is %, other versions of initiative % are in %', new.id, new.currency, new.initiative_id, other
      using errcode = 'check_violation', column = 'currency';
  end if;
  return null;
end $$;
create constraint trigger check_budget_currency after insert or update of currency, initiative_id on ledger.budget_versions
  deferrable initially deferred for each row execute function service.check_budget_currency();
-- file: 120-months.sql
-- Accounting months, and what a locked one forbids. Closing a month and writing into it wait for each other on the
-- account's gate row: a writer takes it for share and then reads the months' status; closing and reopening take it
-- for update and touch it. A month that any reader sees locked is therefore seen whole, and a writer with an older
-- snapshot fails instead of slipping in.
--
-- Whoever writes entries names the account first (`set local app.account_id`), the owner too: the gate is then taken
-- before the first entry is locked, and a close that touches the same entry waits instead of ending in a deadlock.

create table ledger.accounting_months (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  month ledger.month not null,
  status text not null check (status in ('open', 'in_review', 'locked', 'reopened')),
  locked_at ledger.instant,
  locked_by_id bigint,
  reopened_at ledger.instant,
  reopened_by_id bigint,
  reopen_reason text,
  primary key (account_id, id),
  unique (account_id, month),
  foreign key (account_id, locked_by_id) references ledger.memberships (account_id, user_id) deferrable,
  foreign key (account_id, reopened_by_id) references ledger.memberships (account_id, user_id) deferrable,
  constraint month_locked_when check (status <> 'locked' or locked_at is not null),
  constraint month_reopened_why check (status <> 'reopened' or (reopened_at is not null and reopen_reason is not null))
);
create index accounting_months_locked on ledger.accounting_months (account_id, month) where status = 'locked';

create function service.refuse_locked(month date, kind text, id bigint) returns void
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'month % is locked: % % cannot be written', to_char(month, 'YYYY-MM'), kind, id
    using errcode = 'restrict_violation', detail = json_build_object('month', month, 'table', kind, 'id', id)::text,
      hint = 'Reopen the month first.';
end $$;

create function service.enter_gate() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(service.current_account());
  return null;
end $$;
create trigger enter_gate before insert or update or delete on ledger.cost_entries
  for each statement execute function service.enter_gate();
create trigger enter_gate before insert or update or delete on ledger.value_entries
  for each statement execute function service.enter_gate();

create function service.guard_costs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  if tg_op = 'INSERT' then
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id and n.booked_month = m.month
      where m.status = 'locked' limit 1;
  elsif tg_op = 'DELETE' then
    perform from ledger.account_gates g where g.account_id in (select account_id from old_rows) for share;
    select m.month, o.id into refused
      from ledger.accounting_months m
      join old_rows o on o.account_id = m.account_id and o.booked_month = m.month
      where m.status = 'locked' and exists (select from ledger.accounts a where a.id = o.account_id) limit 1;
  else
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id
      join old_rows o on o.account_id = n.account_id and o.id = n.id
      where m.status = 'locked' and m.month in (o.booked_month, n.booked_month)
        and to_jsonb(n) - 'updated_at' <> to_jsonb(o) - 'updated_at'
        -- A merge may repoint the vendor, and nothing else, to the survivor: no figure changes.
        and (to_jsonb(n) - array['updated_at', 'vendor_id'] = to_jsonb(o) - array['updated_at', 'vendor_id']
          and n.vendor_id = (select v.merged_into_id from ledger.vendors v where v.account_id = o.account_id and v.id = o.vendor_id))
          is not true -- unknown, without a vendor or a survivor, is no leave either
      limit 1;
  end if;
  if found then
    perform service.refuse_locked(refused.month, 'cost_entries', refused.id);
  end if;
  return null;
end $$;
create trigger guard_insert after insert on ledger.cost_entries referencing new table as new_rows
  for each statement execute function service.guard_costs();
create trigger guard_delete after delete on ledger.cost_entries referencing old table as old_rows
  for each statement execute function service.guard_costs();
create trigger guard_update after update on ledger.cost_entries referencing old table as old_rows new table as new_rows
  for each statement execute function service.guard_costs();

create function service.guard_value() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  if tg_op = 'INSERT' then
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id and n.period_month = m.month
      where m.status = 'locked' and n.status = 'approved' limit 1;
  elsif tg_op = 'DELETE' then
    perform from ledger.account_gates g where g.account_id in (select account_id from old_rows) for share;
    select m.month, o.id into refused
      from ledger.accounting_months m
      join old_rows o on o.account_id = m.account_id and o.period_month = m.month
      where m.status = 'locked' and o.status = 'approved'
        and exists (select from ledger.accounts a where a.id = o.account_id) limit 1;
  else
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id
      join old_rows o on o.account_id = n.account_id and o.id = n.id
      where m.status = 'locked'
        and (o.status = 'approved' and m.month = o.period_month or n.status = 'approved' and m.month = n.period_month)
        and to_jsonb(n) - 'updated_at' <> to_jsonb(o) - 'updated_at'
      limit 1;
  end if;
  if found then
    perform service.refuse_locked(refused.month, 'value_entries', refused.id);
  end if;
  return null;
end $$;
create trigger guard_insert after insert on ledger.value_entries referencing new table as new_rows
  for each statement execute function service.guard_value();
create trigger guard_delete after delete on ledger.value_entries referencing old table as old_rows
  for each statement execute function service.guard_value();
create trigger guard_update after update on ledger.value_entries referencing old table as old_rows new table as new_rows
  for each statement execute function service.guard_value();

-- An initiative with a locked entry keeps its sample mark: its figures would enter or leave a closed month.
-- (Deleting it deletes its entries, which the guards above refuse.)
create function service.guard_sample_mark() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  perform service.share_gate(new.account_id);
  select m.month into refused
    from ledger.accounting_months m
    where m.account_id = new.account_id and m.status = 'locked'
      and (exists (select from ledger.cost_entries c
          where c.account_id = new.account_id and c.initiative_id = new.id and c.booked_month = m.month)
        or exists (select from ledger.value_entries v
          where v.account_id = new.account_id and v.initiative_id = new.id and v.period_month = m.month and v.status = 'approved'))
    limit 1;
  if found then
    perform service.refuse_locked(refused.month, 'initiatives', new.id);
  end if;
  return new;
end $$;
create trigger guard_sample_mark before update of is_sample on ledger.initiatives
  for each row when (new.is_sample <> old.is_sample) execute function service.guard_sample_mark();

create function service.take_gate() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  account bigint := case when tg_op = 'DELETE' then old.account_id else new.account_id end;
begin
  -- A close with an older snapshot would miss entries committed since, and leave their change times behind.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'months are closed and reopened in a READ COMMITTED transaction'
      using errcode = 'invalid_transaction_state';
  end if;
  perform from ledger.account_gates g where g.account_id = account for update;
  update ledger.account_gates set closes = closes + 1 where account_id = account;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger take_gate before insert or update or delete on ledger.accounting_months
  for each row execute function service.take_gate();

-- Locking and reopening change what is served of every entry of the month.
create function service.touch_month() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  was_locked date := case when tg_op <> 'INSERT' and old.status = 'locked' then old.month end;
  is_locked date := case when tg_op <> 'DELETE' and new.status = 'locked' then new.month end;
  account bigint := case when tg_op = 'DELETE' then old.account_id else new.account_id end;
begin
  if was_locked is not distinct from is_locked then
    return null;
  end if;
  update ledger.cost_entries set updated_at = updated_at
    where account_id = account and booked_month in (was_locked, is_locked);
  update ledger.value_entries set updated_at = updated_at
    where account_id = account and period_month in (was_locked, is_locked) and status = 'approved';
  return null;
end $$;
create trigger touch_month after insert or update or delete on ledger.accounting_months
  for each row execute function service.touch_month();
-- file: 130-change-times.sql
-- `updated_at` moves whenever anything served of a row changes, also when it stands in another table. A touch is an
-- update that changes nothing: the stamp moves, and the guards of locked months let it through.

do $$
declare
  target record;
begin
  for target in
    select c.oid::regclass as relation
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'updated_at' and not a.attisdropped
    where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r'
  loop
    -- Named to fire after every other: the stamp is the last word before a row is written.
    execute format('create trigger zz_stamp before insert or update on %s for each row execute function service.stamp()', target.relation);
  end loop;
  for target in
    select c.oid::regclass as relation
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    join pg_attribute k on k.attrelid = c.oid and k.attname = 'id'
    where c.relnamespace in ('ledger'::regnamespace, 'vault'::regnamespace) and c.relkind = 'r'
  loop
    execute format(
      'create trigger keep_key before update of account_id, id on %s for each row
        when (new.account_id <> old.account_id or new.id <> old.id) execute function service.refuse_change()',
      target.relation);
  end loop;
end $$;

-- An approval points its value entry at the latest `approved` decision.
create function service.point_to_approval() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(accounts.id) from (select distinct account_id as id from new_rows) as accounts;
  update ledger.value_entries v
    set approval_decision_id = latest.id
    from (
      select distinct on (d.account_id, d.subject_id) d.account_id, d.subject_id, d.id
      from ledger.approval_decisions d
      where d.subject_kind = 'value_entry' and d.decision = 'approved'
        and (d.account_id, d.subject_id) in (
          select n.account_id, n.subject_id from new_rows n
          where n.subject_kind = 'value_entry' and n.decision = 'approved')
      order by d.account_id, d.subject_id, d.decided_at desc, d.id desc
    ) as latest
    where v.account_id = latest.account_id and v.id = latest.subject_id
      and v.approval_decision_id is distinct from latest.id;
  return null;
end $$;
create trigger point_to_approval after insert on ledger.approval_decisions referencing new table as new_rows
  for each statement execute function service.point_to_approval();

-- The other order of writing, an entry that arrives after its decision; and nobody points it elsewhere by hand.
create function service.find_approval() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  new.approval_decision_id := (
    select d.id from ledger.approval_decisions d
    where d.account_id = new.account_id and d.subject_kind = 'value_entry' and d.subject_id = new.id and d.decision = 'approved'
    order by d.decided_at desc, d.id desc limit 1);
  return new;
end $$;
create trigger find_approval before insert or update of approval_decision_id on ledger.value_entries
  for each row execute function service.find_approval();

create function service.touch_value_of_initiative() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(new.account_id);
  update ledger.value_entries set updated_at = updated_at
    where account_id = new.account_id and initiative_id = new.id;
  return null;
end $$;
-- Going live decides whether a baseline was measured before it.
create trigger touch_value after update of went_live_at on ledger.initiatives
  for each row when (new.went_live_at is distinct from old.went_live_at) execute function service.touch_value_of_initiative();

-- A sample mark hides or shows everything that hangs on the initiative.
create function service.touch_all_of_initiative() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.value_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.cost_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.observations set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  return null;
end $$;
create trigger touch_all after update of is_sample on ledger.initiatives
  for each row when (new.is_sample <> old.is_sample) execute function service.touch_all_of_initiative();

-- People are served by name beside what they own, decided and connected.
create function service.touch_named() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.initiatives set updated_at = updated_at where owner_id = new.id;
  update ledger.portfolio_decisions set updated_at = updated_at where decided_by_id = new.id;
  update ledger.connections set updated_at = updated_at where connected_by_id = new.id;
  return null;
end $$;
create trigger touch_named after update of name on ledger.users
  for each row when (new.name is distinct from old.name) execute function service.touch_named();

-- Provenance names the platform that an entry was synced from.
create function service.touch_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(accounts.id) from (
    select distinct account_id as id from ledger.connections where platform_key = new.key order by 1) as accounts;
  update ledger.value_entries v set updated_at = v.updated_at
    from ledger.connections c
    where c.platform_key = new.key and v.account_id = c.account_id and v.connection_id = c.id;
  return null;
end $$;
create trigger touch_platform after update of name on ledger.platforms
  for each row when (new.name <> old.name) execute function service.touch_platform();

create function service.touch_synced_value() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(new.account_id);
  update ledger.value_entries set updated_at = updated_at
    where account_id = new.account_id and connection_id = new.id;
  return null;
end $$;
create trigger touch_synced_value after update of platform_key on ledger.connections
  for each row when (new.platform_key <> old.platform_key) execute function service.touch_synced_value();

create function service.touch_observations() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.observations set updated_at = updated_at where account_id = new.account_id and metric_id = new.id;
  return null;
end $$;
create trigger touch_observations after update of metric_key on ledger.metrics
  for each row when (new.metric_key <> old.metric_key) execute function service.touch_observations();

-- The categories that a connection is primary for, and those its platform can serve, are served with it.
create function service.touch_connection() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op <> 'INSERT' then
    update ledger.connections set updated_at = updated_at where account_id = old.account_id and id = old.connection_id;
  end if;
  if tg_op <> 'DELETE' then
    update ledger.connections set updated_at = updated_at where account_id = new.account_id and id = new.connection_id;
  end if;
  return null;
end $$;
create trigger touch_connection after insert or update or delete on ledger.connection_primary_categories
  for each row execute function service.touch_connection();

create function service.touch_connections_of_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.connections set updated_at = updated_at
    where platform_key in (
      case when tg_op <> 'INSERT' then old.platform_key end, case when tg_op <> 'DELETE' then new.platform_key end);
  return null;
end $$;
create trigger touch_connections after insert or update or delete on ledger.platform_metric_categories
  for each row execute function service.touch_connections_of_platform();
-- file: 900-security.sql
-- Who may do what. A reader or writer sees the one account that its transaction named, whatever its query says; the
-- owner is not held by row security (FORCE would break COPY FROM and pg_dump) and so never serves.

grant usage on schema ledger, service to cf_reader, cf_writer, cf_backup;
grant usage on schema vault to cf_writer, cf_backup;
grant usage on schema ops to cf_service, cf_backup;
grant select, insert, update, delete on all tables in schema ops to cf_service;
grant select on all tables in schema ledger to cf_reader;
grant select, insert, update, delete on all tables in schema ledger to cf_writer;
grant select on all tables in schema ledger, vault, ops to cf_backup;
grant select on all sequences in schema ledger, vault, ops to cf_backup;
-- A backup restores with the list of what was applied, or the next migration would apply it again. The list is made
-- before these files run, where a program runs them.
do $$
begin
  if to_regnamespace('migration') is not null then
    grant usage on schema migration to cf_backup;
    grant select on all tables in schema migration to cf_backup;
  end if;
end $$;
grant usage on all sequences in schema ledger to cf_writer;

-- What the ledger keeps by itself is not a writer's to change.
revoke insert, update, delete on ledger.account_gates from cf_writer;
-- Nor what every account sees.
revoke insert, update, delete on ledger.euro_reference_rates, ledger.platforms, ledger.platform_metric_categories,
  ledger.platform_guides, ledger.help_articles, ledger.application_pages, ledger.initiative_templates,
  ledger.system_assumptions from cf_writer;
revoke insert, delete on ledger.accounts from cf_writer;
revoke delete on ledger.users from cf_writer;

-- The application keeps credentials and addresses and issues tokens, and never reads a token's digest back.
grant select, insert, update, delete on vault.user_emails, vault.connection_secrets, vault.document_contents to cf_writer;
grant insert on vault.access_tokens to cf_writer;
grant select (account_id, id, kind, name, prefix, last_four, issued_by_id, expires_at, revoked_at, revoked_by_id, created_at),
  update (name, expires_at, revoked_at, revoked_by_id) on vault.access_tokens to cf_writer;
grant usage on all sequences in schema vault to cf_writer;

do $$
declare
  target record;
begin
  for target in
    select c.oid::regclass as relation, c.relnamespace = 'ledger'::regnamespace as readable
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace in ('ledger'::regnamespace, 'vault'::regnamespace) and c.relkind = 'r'
  loop
    execute format('alter table %s enable row level security', target.relation);
    if target.readable then
      execute format(
        'create policy one_account on %s for select to cf_reader
          using (account_id = nullif(current_setting(''app.account_id'', true), '''')::bigint)', target.relation);
    end if;
    execute format(
      'create policy own_account on %s to cf_writer
        using (account_id = nullif(current_setting(''app.account_id'', true), '''')::bigint)', target.relation);
    execute format('create policy every_account on %s for select to cf_backup using (true)', target.relation);
  end loop;
end $$;

alter table ledger.accounts enable row level security;
create policy one_account on ledger.accounts for select to cf_reader
  using (id = nullif(current_setting('app.account_id', true), '')::bigint);
create policy own_account on ledger.accounts to cf_writer
  using (id = nullif(current_setting('app.account_id', true), '')::bigint);
create policy every_account on ledger.accounts for select to cf_backup using (true);

-- People are seen through their membership, also a past one: what they recorded keeps its name. Anyone may add a
-- person; only those of the account can be changed.
alter table ledger.users enable row level security;
create policy one_account on ledger.users for select to cf_reader
  using (id in (select m.user_id from ledger.memberships m
    where m.account_id = nullif(current_setting('app.account_id', true), '')::bigint));
create policy own_account on ledger.users to cf_writer
  using (id in (select m.user_id from ledger.memberships m
    where m.account_id = nullif(current_setting('app.account_id', true), '')::bigint))
  with check (true);
create policy every_account on ledger.users for select to cf_backup using (true);

alter table vault.user_emails enable row level security;
create policy own_account on vault.user_emails to cf_writer
  using (user_id in (select m.user_id from ledger.memberships m
    where m.account_id = nullif(current_setting('app.account_id', true), '')::bigint));
create policy every_account on vault.user_emails for select to cf_backup using (true);

-- Functions: nothing by default, then what each role calls.
revoke execute on all functions in schema service from public;
grant execute on function
  service.current_account(), service.app_url(text), service.write_horizon(), service.canonical_json(jsonb), service.sha256_hex(text),
  service.utc_day(text), service.name_key(text), service.month_of(date), service.input_observations(text),
  service.input_baseline_methods(text), service.input_measured_on(text), service.inputs_well_formed(text),
  service.periods_in_horizon(text, integer),
  service.published_crosses(text, date, date), service.cost_ends_on(date, date, date), service.cost_rate(text, date, date, date, date)
  to cf_reader, cf_writer, cf_backup;
grant execute on function service.authenticate(bytea), service.reporting_accounts() to cf_reader;
grant execute on function service.rate_dates(jsonb) to cf_writer;
-- file: 905-check-inputs.sql
-- The readings behind an entry exist, and a real entry never rests on a sample initiative's reading: what 100 says,
-- looked up row by row. A join of all of them was planned anew for every entry, at ten times the cost of running it.
create or replace function service.check_inputs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  used bigint;
  its_initiative bigint;
  is_real boolean := (select not i.is_sample from ledger.initiatives i where i.account_id = new.account_id and i.id = new.initiative_id);
begin
  foreach used in array new.input_observation_ids loop
    -- Held until commit, so that nobody deletes it meanwhile without seeing this entry.
    select o.initiative_id into its_initiative
      from ledger.observations o where o.account_id = new.account_id and o.id = used for key share;
    if not found then
      raise exception 'value entry %: its input_snapshot names observation %, which this account does not have', new.id, used
        using errcode = 'foreign_key_violation', column = 'input_snapshot';
    end if;
    if is_real and (select i.is_sample from ledger.initiatives i where i.account_id = new.account_id and i.id = its_initiative) then
      raise exception 'value entry %: observation % belongs to a sample initiative', new.id, used
        using errcode = 'check_violation', column = 'input_snapshot';
    end if;
  end loop;
  return null;
end $$;
-- file: 910-rate-limits.sql
-- What each caller has spent of its requests, so that several servers refuse as one. Nothing here outlives a minute by
-- much: unlogged, it costs no write-ahead log and is empty after a crash, which forgives everybody once.
create unlogged table ops.rate_limits (
  -- The minute since 1970, by the server's clock and shifted by the subject, so that not all begin anew at once.
  window_number bigint not null,
  -- `token:` and an id, or `address:` and an address or the network of one.
  subject text not null,
  points bigint not null check (points > 0),
  primary key (window_number, subject)
);
grant select, insert, update, delete on ops.rate_limits to cf_service;
grant select on ops.rate_limits to cf_backup;
-- file: 920-list-indexes.sql
-- The lists of the read API: one index for each thing a list may be narrowed to, every one in the order of changes, so
-- that a page far from the beginning costs no more than the first.

create index connections_platform_changes on ledger.connections (account_id, platform_key, updated_at, id);
create index connections_status_changes on ledger.connections (account_id, status, updated_at, id);
create index portfolio_decisions_outcome_changes on ledger.portfolio_decisions (account_id, outcome, updated_at, id);

-- A range of days and the order of changes fit into no one index: a list of a range reads month by month, each in the
-- order of changes. The day stands last for a range that begins or ends within a month.
create index cost_entries_month_changes on ledger.cost_entries (account_id, booked_month, updated_at, id, period_start)
  where period_start is not null;
create index value_entries_month_changes on ledger.value_entries (account_id, period_month, updated_at, id, period_start);
-- What began with the same two columns is in the above.
drop index ledger.value_entries_month;
-- file: 930-queue.sql
-- The build queue: the tables of pg-boss, whose schema 43 (of 12.35.0) this is, word for word. They are made here and not
-- by the library, because the role that works the queue may not create anything; a test compares them with the library's
-- own plan. Left out are its lock and transaction, which a migration has already, and the day partitions of `queue_stats`,
-- which nothing is written to.

-- From here on as the library has it.
CREATE TYPE ops.job_state AS ENUM (
  'created',
  'retry',
  'active',
  'completed',
  'cancelled',
  'failed'
);

CREATE FUNCTION ops.job_now()
RETURNS timestamp with time zone AS
$$
  SELECT pg_catalog.now();
$$
LANGUAGE sql STABLE;

CREATE TABLE ops.version (
  version int primary key,
  cron_on timestamp with time zone,
  bam_on timestamp with time zone,
  flow_on timestamp with time zone,
  reindex_on timestamp with time zone,
  monitor_backoff_on timestamp with time zone
);

CREATE TABLE ops.queue (
  name text NOT NULL,
  policy text NOT NULL,
  retry_limit int NOT NULL,
  retry_delay int NOT NULL,
  retry_backoff bool NOT NULL,
  retry_delay_max int,
  expire_seconds int NOT NULL,
  retention_seconds int NOT NULL,
  deletion_seconds int NOT NULL,
  dead_letter text REFERENCES ops.queue (name) CHECK (dead_letter IS DISTINCT FROM name),
  partition bool NOT NULL,
  table_name text NOT NULL,
  deferred_count int NOT NULL default 0,
  queued_count int NOT NULL default 0,
  ready_count int NOT NULL default 0,
  warning_queued int NOT NULL default 0,
  active_count int NOT NULL default 0,
  failed_count int NOT NULL default 0,
  total_count int NOT NULL default 0,
  created_delta int NOT NULL default 0,
  completed_delta int NOT NULL default 0,
  failed_delta int NOT NULL default 0,
  delta_on timestamp with time zone,
  delta_seconds int,
  ready_history int[] NOT NULL default '{}',
  heartbeat_seconds int,
  notify bool NOT NULL DEFAULT false,
  singletons_active text[],
  monitor_claim_on timestamp with time zone,
  monitor_on timestamp with time zone,
  maintain_on timestamp with time zone,
  created_on timestamp with time zone not null default now(),
  updated_on timestamp with time zone not null default now(),
  PRIMARY KEY (name)
);

CREATE TABLE ops.schedule (
  name text REFERENCES ops.queue ON DELETE CASCADE,
  key text not null DEFAULT '',
  kind text not null DEFAULT 'cron' CHECK (kind IN ('cron', 'rrule')),
  cron text not null,
  timezone text DEFAULT 'UTC',
  data jsonb,
  options jsonb,
  created_on timestamp with time zone not null default now(),
  updated_on timestamp with time zone not null default now(),
  last_job_id uuid,
  PRIMARY KEY (name, key)
);

CREATE TABLE ops.subscription (
  event text not null,
  name text not null REFERENCES ops.queue ON DELETE CASCADE,
  created_on timestamp with time zone not null default now(),
  updated_on timestamp with time zone not null default now(),
  PRIMARY KEY(event, name)
);

CREATE TABLE ops.bam (
  id uuid PRIMARY KEY default gen_random_uuid(),
  name text NOT NULL,
  version int NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  queue text,
  table_name text NOT NULL,
  command text NOT NULL,
  error text,
  created_on timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  started_on timestamp with time zone,
  completed_on timestamp with time zone
);

CREATE FUNCTION ops.job_table_format(command text, table_name text)
RETURNS text AS
$$
  SELECT format(
    regexp_replace(
      regexp_replace(command, '\.job\y', '.%1$I', 'g'),
      '\yjob_i(\d+)', '%1$s_i\1', 'g'
    ),
    table_name
  );
$$
LANGUAGE sql IMMUTABLE;

CREATE FUNCTION ops.job_table_run(command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
RETURNS VOID AS
$$
DECLARE
  tbl RECORD;
BEGIN
  IF queue_name IS NOT NULL THEN
    SELECT table_name INTO tbl_name FROM ops.queue WHERE name = queue_name;
  END IF;

  IF tbl_name IS NOT NULL THEN
    EXECUTE ops.job_table_format(command, tbl_name);
    RETURN;
  END IF;

  EXECUTE ops.job_table_format(command, 'job_common');

  FOR tbl IN SELECT table_name FROM ops.queue WHERE partition = true
  LOOP
    EXECUTE ops.job_table_format(command, tbl.table_name);
  END LOOP;
END;
$$
LANGUAGE plpgsql;

CREATE FUNCTION ops.job_table_run_async(command_name text, version int, command text, tbl_name text DEFAULT NULL, queue_name text DEFAULT NULL)
RETURNS VOID AS
$$
BEGIN
  IF queue_name IS NOT NULL THEN
    SELECT table_name INTO tbl_name FROM ops.queue WHERE name = queue_name;
  END IF;

  IF tbl_name IS NOT NULL THEN
    INSERT INTO ops.bam (name, version, status, queue, table_name, command)
    VALUES (
      command_name,
      version,
      'pending',
      queue_name,
      tbl_name,
      ops.job_table_format(command, tbl_name)
    );
    RETURN;
  END IF;

  INSERT INTO ops.bam (name, version, status, queue, table_name, command)
  SELECT
    command_name,
    version,
    'pending',
    NULL,
    'job_common',
    ops.job_table_format(command, 'job_common')
  UNION ALL
  SELECT
    command_name,
    version,
    'pending',
    queue.name,
    queue.table_name,
    ops.job_table_format(command, queue.table_name)
  FROM ops.queue
  WHERE partition = true;
END;
$$
LANGUAGE plpgsql;

CREATE TABLE ops.job (
  id uuid not null default gen_random_uuid(),
  name text not null,
  priority integer not null default(0),
  data jsonb,
  state ops.job_state not null default 'created',
  retry_limit integer not null default 2,
  retry_count integer not null default 0,
  retry_delay integer not null default 0,
  retry_backoff boolean not null default false,
  retry_delay_max integer,
  expire_seconds int not null default 900,
  deletion_seconds int not null default 604800,
  singleton_key text,
  singleton_on timestamp without time zone,
  group_id text,
  group_tier text,
  start_after timestamp with time zone not null default now(),
  created_on timestamp with time zone not null default now(),
  started_on timestamp with time zone,
  completed_on timestamp with time zone,
  keep_until timestamp with time zone NOT NULL default now() + interval '1209600',
  output jsonb,
  dead_letter text,
  policy text,
  heartbeat_on timestamp with time zone,
  heartbeat_seconds int,
  blocked boolean not null default false,
  blocking boolean not null default false,
  pending_dependencies int not null default 0,
  source_name text,
  source_id uuid,
  source_created_on timestamp with time zone,
  source_retry_count int,
  source_output jsonb,
  source_root_id uuid
) PARTITION BY LIST (name);
ALTER TABLE ops.job ADD PRIMARY KEY (name, id);

CREATE TABLE ops.job_common (LIKE ops.job INCLUDING GENERATED INCLUDING DEFAULTS);

SELECT ops.job_table_run($cmd$ALTER TABLE ops.job ADD PRIMARY KEY (name, id)$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$ALTER TABLE ops.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES ops.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$ALTER TABLE ops.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES ops.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE UNIQUE INDEX job_i1 ON ops.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE UNIQUE INDEX job_i2 ON ops.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE UNIQUE INDEX job_i3 ON ops.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE UNIQUE INDEX job_i6 ON ops.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE UNIQUE INDEX job_i8 ON ops.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE INDEX job_i10 ON ops.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$ALTER TABLE ops.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE UNIQUE INDEX job_i4 ON ops.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE INDEX job_i11 ON ops.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE INDEX job_i7 ON ops.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE INDEX job_i9 ON ops.job (name, id) WHERE blocking AND state = 'completed'$cmd$, 'job_common');
SELECT ops.job_table_run($cmd$CREATE INDEX job_i12 ON ops.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, 'job_common');

ALTER TABLE ops.job ATTACH PARTITION ops.job_common DEFAULT;

CREATE TABLE ops.warning (
  id uuid PRIMARY KEY default gen_random_uuid(),
  type text NOT NULL,
  message text NOT NULL,
  data jsonb,
  created_on timestamp with time zone NOT NULL DEFAULT now()
);
CREATE INDEX warning_i1 ON ops.warning (created_on DESC);

CREATE TABLE ops.queue_stats (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  deferred_count int NOT NULL DEFAULT 0,
  queued_count   int NOT NULL DEFAULT 0,
  ready_count    int NOT NULL DEFAULT 0,
  active_count   int NOT NULL DEFAULT 0,
  failed_count   int NOT NULL DEFAULT 0,
  total_count    int NOT NULL DEFAULT 0,
  created_delta   int,
  completed_delta int,
  failed_delta    int,
  delta_seconds   int,
  delta_on        timestamptz,
  captured_on timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id, captured_on)
) PARTITION BY RANGE (captured_on);
CREATE INDEX queue_stats_i1 ON ops.queue_stats (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);

CREATE TABLE ops.job_dependency (
  child_name text NOT NULL,
  child_id uuid NOT NULL,
  parent_name text NOT NULL,
  parent_id uuid NOT NULL,
  PRIMARY KEY (child_name, child_id, parent_name, parent_id)
);
CREATE INDEX IF NOT EXISTS job_dep_parent_idx ON ops.job_dependency (parent_name, parent_id);

CREATE FUNCTION ops.create_queue(queue_name text, options jsonb)
RETURNS VOID AS
$$
DECLARE
  tablename varchar := CASE WHEN options->>'partition' = 'true'
                        THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                        ELSE 'job_common'
                        END;
  queue_created_on timestamptz;
BEGIN

  WITH q as (
    INSERT INTO ops.queue (
      name,
      policy,
      retry_limit,
      retry_delay,
      retry_backoff,
      retry_delay_max,
      expire_seconds,
      retention_seconds,
      deletion_seconds,
      warning_queued,
      dead_letter,
      partition,
      table_name,
      heartbeat_seconds,
      notify,
      created_on,
      updated_on
    )
    VALUES (
      queue_name,
      options->>'policy',
      COALESCE((options->>'retryLimit')::int, 2),
      COALESCE((options->>'retryDelay')::int, 0),
      COALESCE((options->>'retryBackoff')::bool, false),
      (options->>'retryDelayMax')::int,
      COALESCE((options->>'expireInSeconds')::int, 900),
      COALESCE((options->>'retentionSeconds')::int, 1209600),
      COALESCE((options->>'deleteAfterSeconds')::int, 604800),
      COALESCE((options->>'warningQueueSize')::int, 0),
      options->>'deadLetter',
      COALESCE((options->>'partition')::bool, false),
      tablename,
      (options->>'heartbeatSeconds')::int,
      COALESCE((options->>'notify')::bool, false),
      ops.job_now(),
      ops.job_now()
    )
    ON CONFLICT DO NOTHING
    RETURNING created_on
  )
  SELECT created_on into queue_created_on from q;

  IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
    RETURN;
  END IF;

  EXECUTE format('CREATE TABLE ops.%I (LIKE ops.job INCLUDING DEFAULTS)', tablename);

  EXECUTE ops.job_table_format($cmd$ALTER TABLE ops.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
  EXECUTE ops.job_table_format($cmd$ALTER TABLE ops.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES ops.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
  EXECUTE ops.job_table_format($cmd$ALTER TABLE ops.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES ops.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

  EXECUTE ops.job_table_format($cmd$CREATE INDEX job_i11 ON ops.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
  EXECUTE ops.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON ops.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
  EXECUTE ops.job_table_format($cmd$CREATE INDEX job_i7 ON ops.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
  EXECUTE ops.job_table_format($cmd$CREATE INDEX job_i9 ON ops.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
  EXECUTE ops.job_table_format($cmd$CREATE INDEX job_i12 ON ops.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);

  IF options->>'policy' = 'short' THEN
    EXECUTE ops.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON ops.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
  ELSIF options->>'policy' = 'singleton' THEN
    EXECUTE ops.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON ops.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
  ELSIF options->>'policy' = 'stately' THEN
    EXECUTE ops.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON ops.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
  ELSIF options->>'policy' = 'exclusive' THEN
    EXECUTE ops.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON ops.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
  ELSIF options->>'policy' = 'key_strict_fifo' THEN
    EXECUTE ops.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON ops.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE ops.job_table_format($cmd$CREATE INDEX job_i10 ON ops.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE ops.job_table_format($cmd$ALTER TABLE ops.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
  END IF;

  EXECUTE format('ALTER TABLE ops.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
  EXECUTE format('ALTER TABLE ops.job ATTACH PARTITION ops.%I FOR VALUES IN (%L)', tablename, queue_name);
END;
$$
LANGUAGE plpgsql;

CREATE FUNCTION ops.delete_queue(queue_name text)
RETURNS VOID AS
$$
DECLARE
  v_table varchar;
  v_partition bool;
BEGIN

  SELECT table_name, partition
  FROM ops.queue
  WHERE name = queue_name
  INTO v_table, v_partition;

  IF v_partition THEN
    EXECUTE format('DROP TABLE IF EXISTS ops.%I', v_table);
  ELSE
    EXECUTE format('DELETE FROM ops.%I WHERE name = %L', v_table, queue_name);
  END IF;

  DELETE FROM ops.queue WHERE name = queue_name;
END;
$$
LANGUAGE plpgsql;
INSERT INTO ops.version(version) VALUES ('43');
-- Up to here as the library has it.

grant select, insert, update, delete on ops.version, ops.queue, ops.schedule, ops.subscription, ops.bam, ops.job, ops.job_common,
  ops.warning, ops.queue_stats, ops.job_dependency to cf_service;
grant select on ops.version, ops.queue, ops.schedule, ops.subscription, ops.bam, ops.job, ops.job_common, ops.warning,
  ops.queue_stats, ops.job_dependency to cf_backup;
revoke execute on all functions in schema ops from public;
grant execute on function ops.job_now(), ops.create_queue(text, jsonb) to cf_service;
-- file: 940-catalogue.sql
-- Help articles are read at /docs, too: listed by theme, and never in place of the page of the API.

alter table ledger.help_articles
  add column theme text check (btrim(theme) <> ''),
  add constraint help_articles_slug_free check (slug <> 'api');
-- file: 950-search.sql
-- Search over what an account has and what is handed out to every account: by word, by the beginning of a word and by
-- misspelling. Under row security no trigram index would be used, because what compares may not run before what hides;
-- so this is one function that runs as the owner and names the account itself, wherever rows are an account's.

-- Where the database has the extensions already, they stay where they are.
create schema alike;
create extension if not exists pg_trgm with schema alike;
create extension if not exists btree_gin with schema alike;
create extension if not exists fuzzystrmatch with schema alike;

-- What a text is searched by: its words in small letters, each behind one blank, without accents and punctuation. So
-- ' inv' occurs where a word begins with it, and nothing in it means anything to LIKE.
create function service.search_key(content text) returns text
language sql immutable strict parallel safe
return ' ' || btrim(regexp_replace(
  casefold(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f]', '', 'g') collate pg_unicode_fast),
  '[^[:alnum:]]+', ' ', 'g'));

-- Stored, because working one out takes twenty times as long as comparing it, and a common word is in every row.
alter table ledger.initiatives
  add search_title text generated always as (service.search_key(title)) stored,
  add search_detail text generated always as (service.search_key(description)) stored;
alter table ledger.metrics
  add search_title text generated always as (service.search_key(name)) stored,
  add search_detail text generated always as (service.search_key(metric_key || coalesce(' ' || description, ''))) stored;
alter table ledger.connections
  add search_title text generated always as (service.search_key(name)) stored,
  add search_detail text generated always as (service.search_key(description)) stored;
alter table ledger.vendors add search_title text generated always as (service.search_key(name)) stored;
alter table ledger.users add search_title text generated always as (service.search_key(name)) stored;
alter table ledger.assessments
  add search_title text generated always as (service.search_key(title)) stored,
  add search_detail text generated always as (service.search_key(description)) stored;
alter table ledger.platforms
  add search_title text generated always as (service.search_key(name)) stored,
  add search_detail text generated always as (service.search_key(key || ' ' || category)) stored;
alter table ledger.application_pages
  add search_title text generated always as (service.search_key(title)) stored,
  add search_detail text generated always as (service.search_key(path || coalesce(' ' || description, ''))) stored;
alter table ledger.initiative_templates
  add search_title text generated always as (service.search_key(title)) stored,
  add search_detail text generated always as
    (service.search_key(key || coalesce(' ' || category, '') || coalesce(' ' || description, ''))) stored;
alter table ledger.help_articles
  add search_title text generated always as (service.search_key(title)) stored,
  add search_detail text generated always as (service.search_key(slug || coalesce(' ' || summary, ''))) stored;

-- What follows names operators of the extensions, wherever they are; what it names is bound here and now.
select set_config('search_path', 'pg_catalog, ' || string_agg(distinct quote_ident(nspname), ', '), true)
from pg_extension join pg_namespace n on n.oid = extnamespace where extname in ('pg_trgm', 'fuzzystrmatch');

-- Whether enough of a word's trigrams are together in a key.
create function service.resembles(word text, key text) returns boolean
language sql stable parallel safe
return word <% key;

-- How many of a word's letters may be wrong: of six and more two, so that two may be swapped; with two of five wrong,
-- every word with the same first three would do. A number off by one is another number.
create function service.slips(word text) returns integer
language sql immutable parallel safe
return case when word ~ '[0-9]' or length(word) not between 4 and 60 then 0 when length(word) < 6 then 1 else 2 end;

-- The letters to change, add or leave out until a word begins another; more than two are not counted out.
create function service.edits(word text, other text) returns integer
language sql immutable parallel safe
return least(
  levenshtein_less_equal(word, left(other, length(word) - 1), 2),
  levenshtein_less_equal(word, left(other, length(word)), 2),
  levenshtein_less_equal(word, left(other, length(word) + 1), 2));

-- What an account may have by the ten thousand; the catalogue is some hundred rows. The account stands first, so that a
-- small one does not pay for a big one; people are reached through their membership.
create index initiatives_search on ledger.initiatives
  using gin (account_id, search_title gin_trgm_ops, search_detail gin_trgm_ops);
create index metrics_search on ledger.metrics
  using gin (account_id, search_title gin_trgm_ops, search_detail gin_trgm_ops);
create index connections_search on ledger.connections
  using gin (account_id, search_title gin_trgm_ops, search_detail gin_trgm_ops);
create index assessments_search on ledger.assessments
  using gin (account_id, search_title gin_trgm_ops, search_detail gin_trgm_ops);
create index vendors_search on ledger.vendors using gin (account_id, search_title gin_trgm_ops);
create index users_search on ledger.users using gin (search_title gin_trgm_ops);
set local search_path to default;

-- The hits of the account that the transaction named, best first. The whole part of a score says how one was found:
--   4 the title is what was asked         3 the title begins with it
--   2 each word begins one of the title   1 each word begins one of the title or the detail
--   0 each word, but for a slip or two, begins one of the title
-- and the rest how little else the title says, so that of two alike the shorter comes first.
create function service.search(query text, types text[], most integer)
returns table (type text, id text, title text, detail text, path text, score double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
-- What is asked decides which index is the better one, and a type that is not asked for leaves the plan.
set plan_cache_mode = force_custom_plan
-- A scan reads what the other accounts have, too. For a common word it would be a little faster where they have little.
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  account bigint := service.current_account();
  asked text := service.search_key(query);
  words text[] := array(
    select word from unnest(string_to_array(ltrim(asked), ' ')) as word
    order by service.slips(word) > 0 desc, length(word) desc, word);
  beginnings text[] := array(select '% ' || word || '%' from unnest(words) as word);
  slips integer[] := array(select service.slips(word) from unnest(words) as word);
  -- An index is asked for the longest word, the others are held against what it finds.
  longest text := beginnings[1];
  slipping boolean;
  returned integer;
  platforms text[];
begin
  if account is null then
    raise exception 'a search must name its account' using errcode = 'insufficient_privilege';
  end if;
  if longest is null then -- nothing but punctuation
    return;
  end if;
  -- So low that two letters may be swapped behind the first two of six; what is found so is counted letter by letter.
  perform set_config('pg_trgm.word_similarity_threshold', '0.25', true);
  -- Never empty: from an empty list the planner proves anything, and so reads an index on something else.
  platforms := array[''] || array(
    select p.key from ledger.platforms p
    where p.search_title like longest or service.resembles(words[1], p.search_title));
  -- What is misspelled comes after everything else, and is looked for only where there is room left.
  foreach slipping in array array[false, true] loop
    exit when most <= 0 or slipping and slips[1] = 0;
    return query
    select found.type, found.id, found.title, left(found.detail, 300), found.path, scored.score
    from (
      select 'initiative' as type, i.id::text as id, i.title, i.description as detail, '/initiatives/' || i.id as path,
        i.search_title, i.search_detail
      from ledger.initiatives i
      where 'initiative' = any (types) and i.account_id = account and not i.is_sample
        and case when slipping then service.resembles(words[1], i.search_title)
          else i.search_title like longest or i.search_detail like longest end
      union all
      select 'metric', m.id::text, m.name, m.description, null, m.search_title, m.search_detail
      from ledger.metrics m
      where 'metric' = any (types) and m.account_id = account
        and case when slipping then service.resembles(words[1], m.search_title)
          else m.search_title like longest or m.search_detail like longest end
      union all
      select 'connection', c.id::text, coalesce(c.name, p.name), concat_ws(', ', p.name, c.description), null,
        coalesce(c.search_title, p.search_title), p.search_title || coalesce(c.search_detail, '')
      from ledger.connections c join ledger.platforms p on p.key = c.platform_key
      where 'connection' = any (types) and c.account_id = account
        and (case when slipping then service.resembles(words[1], c.search_title)
          else c.search_title like longest or c.search_detail like longest end
          or c.platform_key = any (platforms))
      union all
      select 'platform', p.key, p.name, p.category, g.page_path, p.search_title, p.search_detail
      from ledger.platforms p left join ledger.platform_guides g on g.platform_key = p.key
      where 'platform' = any (types) and not exists (
        select from ledger.connections c
        where c.account_id = account and c.platform_key = p.key and c.status <> 'disconnected')
      union all
      -- A merged vendor is found under its old names too, and is the one it was merged into.
      select 'vendor', v.id::text, v.name, named.merged, null, v.search_title, named.search_merged
      from (
        select coalesce(n.merged_into_id, n.id) as id,
          string_agg(n.name, ', ' order by n.id) filter (where n.merged_into_id is not null) as merged,
          string_agg(n.search_title, '') filter (where n.merged_into_id is not null) as search_merged
        from ledger.vendors n
        where n.account_id = account and case when slipping then service.resembles(words[1], n.search_title) else n.search_title like longest end
        group by 1
      ) named
      join ledger.vendors v on v.account_id = account and v.id = named.id
      where 'vendor' = any (types) and exists (
        select from ledger.cost_entries c join ledger.initiatives i on i.account_id = account and i.id = c.initiative_id
        where c.account_id = account and c.vendor_id = v.id and not i.is_sample)
      union all
      select 'person', u.id::text, u.name, null, null, u.search_title, null
      from ledger.memberships m join ledger.users u on u.id = m.user_id
      where 'person' = any (types) and m.account_id = account and m.removed_at is null
        and case when slipping then service.resembles(words[1], u.search_title) else u.search_title like longest end
      union all
      select 'assessment', a.id::text, a.title, a.description, null, a.search_title, a.search_detail
      from ledger.assessments a
      left join ledger.initiatives i on i.account_id = account and i.id = a.initiative_id
      where 'assessment' = any (types) and a.account_id = account and a.status = 'active' and i.is_sample is not true
        and case when slipping then service.resembles(words[1], a.search_title)
          else a.search_title like longest or a.search_detail like longest end
      union all
      select 'page', id::text, title, description, path, search_title, search_detail
      from ledger.application_pages where 'page' = any (types)
      union all
      select 'template', id::text, title, description, null, search_title, search_detail
      from ledger.initiative_templates where 'template' = any (types)
      union all
      select 'article', id::text, title, summary, '/docs/' || slug, search_title, search_detail
      from ledger.help_articles where 'article' = any (types) and published
    ) found
    cross join lateral (
      select case
        when search_title = asked then 4
        when starts_with(search_title, asked) then 3
        when search_title like all (beginnings) then 2
        when search_title || coalesce(search_detail, '') like all (beginnings) then 1
      end as class
      offset 0 -- a fence: worked out once a row, not once a use
    ) ranked
    cross join lateral (
      select case
        when not slipping then class + length(asked)::double precision / (length(asked) + length(search_title))
        when class is null and service.resembles(words[1], search_title) then (
          select 1 - sum(edits)::double precision / length(asked)
          from unnest(words, slips) as each_word (word, allowed)
          cross join lateral (
            select min(case when starts_with(other, word) then 0 when allowed > 0 then service.edits(word, other) else 3 end) as edits
            from unnest(string_to_array(ltrim(search_title), ' ')) as other
          ) nearest
          having bool_and(edits <= allowed))
      end as score
      offset 0
    ) scored
    where scored.score is not null
    order by scored.score desc, found.title collate "C", found.type, length(found.id), found.id collate "C"
    limit most;
    get diagnostics returned = row_count;
    most := most - returned;
  end loop;
end $$;

revoke execute on function service.search_key(text), service.resembles(text, text), service.edits(text, text), service.slips(text),
  service.search(text, text[], integer) from public;
-- Whoever writes a row works out its keys.
grant execute on function service.search_key(text) to cf_reader, cf_writer, cf_backup;
grant execute on function service.search(text, text[], integer) to cf_reader;
-- file: 960-close-pins.sql
-- Since when an account wants its closes kept: the first snapshot that sees a month locked is pinned by itself. Null:
-- nobody asked for it. Months that were locked before are not pinned in retrospect.
alter table ledger.accounts add column close_pins_since ledger.instant;
-- file: 970-webhooks.sql
-- Whom an account wants told, what it was told, and what became of each telling. Addresses and secrets stand in the
-- vault: a server asks for those of one webhook by its number, and never for a list.

create table vault.webhooks (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  url text not null check (url ~ '^https?://'),
  -- The newest first; the one before it signs, too, until the next rotation.
  secrets text[] not null check (cardinality(secrets) between 1 and 2),
  created_at ledger.instant not null default clock_timestamp(),
  -- Since the receiver said that it is gone for good.
  disabled_at ledger.instant,
  primary key (account_id, id)
);
alter table vault.webhooks enable row level security;
create policy every_account on vault.webhooks for select to cf_backup using (true);

-- What happened, once each, whoever noticed it and how often.
create table ops.events (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  id bigint generated by default as identity,
  -- Sent as `webhook-id`: made of what happened, so that the same event cannot be told as another.
  message_id text not null,
  type text not null,
  -- Of a refusal: what was refused, so that the next one can say since when.
  check_name text,
  occurred_at timestamptz not null,
  -- The very bytes that are sent, at each try the same.
  body text not null,
  primary key (account_id, id),
  unique (account_id, message_id)
);
create index events_occurred on ops.events (occurred_at);

create table ops.deliveries (
  account_id bigint not null,
  id bigint generated by default as identity,
  event_id bigint not null,
  webhook_id bigint not null,
  -- Of the queue, which says when the next try is.
  job_id uuid not null default gen_random_uuid(),
  -- failed: not tried any more; disabled: the receiver is gone.
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'disabled')),
  tries integer not null default 0,
  tried_at timestamptz,
  -- What the receiver answered last, or why there was no answer.
  status integer,
  fault text,
  primary key (account_id, id),
  foreign key (account_id, event_id) references ops.events (account_id, id) on delete cascade deferrable,
  foreign key (account_id, webhook_id) references vault.webhooks (account_id, id) on delete cascade deferrable
);
create unique index deliveries_once on ops.deliveries (account_id, event_id, webhook_id);
create index deliveries_webhook on ops.deliveries (account_id, webhook_id);
create index deliveries_pending on ops.deliveries (job_id) where state = 'pending';

-- Who looks next for what nobody told: of many workers one, once in a while. Nothing is lost with it.
create unlogged table ops.watches (
  name text primary key,
  claimed_at timestamptz not null
);

-- In schema ops because the role that delivers reaches no other.
create function ops.active_webhooks(account bigint) returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.id from vault.webhooks w where w.account_id = account and w.disabled_at is null order by w.id
$$;

create function ops.webhook_accounts() returns table (account_id bigint, since timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.account_id, min(w.created_at) from vault.webhooks w where w.disabled_at is null group by 1 order by 1
$$;

create function ops.webhook_target(account bigint, webhook bigint) returns table (url text, secrets text[])
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.url, w.secrets from vault.webhooks w
  where w.account_id = account and w.id = webhook and w.disabled_at is null
$$;

create function ops.disable_webhook(account bigint, webhook bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update vault.webhooks set disabled_at = clock_timestamp()
  where account_id = account and id = webhook and disabled_at is null
$$;

revoke execute on function ops.active_webhooks(bigint), ops.webhook_accounts(), ops.webhook_target(bigint, bigint),
  ops.disable_webhook(bigint, bigint) from public;
grant execute on function ops.active_webhooks(bigint), ops.webhook_accounts(), ops.webhook_target(bigint, bigint),
  ops.disable_webhook(bigint, bigint) to cf_service;
grant select, insert, update, delete on ops.events, ops.deliveries, ops.watches to cf_service;
grant select on vault.webhooks, ops.events, ops.deliveries, ops.watches to cf_backup;
grant select on sequence vault.webhooks_id_seq, ops.events_id_seq, ops.deliveries_id_seq to cf_backup;
-- file: 980-rate-plans.sql
-- A rate is asked for by the thousand, of spans that all have the same plan. Planned for each span anew, as the server
-- does where it believes that this pays, a rate took 1 to 1.5 milliseconds; with one plan for all it takes 0.2 to 0.6.
alter function service.cost_rate(text, date, date, date, date) set plan_cache_mode = force_generic_plan;
-- file: 985-account-changes.sql
-- Which transactions changed what the figures of an account are made of: costs, approved value, initiatives. A server
-- that worked a figure out at one moment asks here whether it still stands, instead of adding up all entries again.
-- Times would not do: a row is stamped before its transaction commits, and a deleted one has no time at all.
create table ops.account_changes (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  primary key (account_id, xid)
);
create index account_changes_at on ops.account_changes (at);

-- A row of its own for each transaction and account, so that no writer waits for another. Of an account that is being
-- deleted whole, entries go after it: there is nothing left to note.
create function service.note_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.account_changes (account_id)
    select distinct c.account_id from changed c where exists (select from ledger.accounts a where a.id = c.account_id)
    on conflict do nothing;
  return null;
end $$;

do $$
declare
  target text;
begin
  foreach target in array array['cost_entries', 'value_entries', 'initiatives'] loop
    execute format('create trigger note_insert after insert on ledger.%I referencing new table as changed
      for each statement execute function service.note_change()', target);
    execute format('create trigger note_update after update on ledger.%I referencing new table as changed
      for each statement execute function service.note_change()', target);
    execute format('create trigger note_delete after delete on ledger.%I referencing old table as changed
      for each statement execute function service.note_change()', target);
  end loop;
end $$;

-- Who removes all rows of a table says of no account that it was changed, so all were.
create function service.note_change_of_all() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.account_changes (account_id) select id from ledger.accounts on conflict do nothing;
  return null;
end $$;
create trigger note_truncate after truncate on ledger.cost_entries
  for each statement execute function service.note_change_of_all();
create trigger note_truncate after truncate on ledger.value_entries
  for each statement execute function service.note_change_of_all();

-- What the caller's transaction sees: of which ledger, and what of it. A ledger that was restored beneath a server, or
-- that another machine took over, may count its transactions from where an older one stood, so it is another ledger.
create function service.seen_ledger() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select format('%s %s', extract(epoch from pg_postmaster_start_time()), 'ops.account_changes'::regclass::oid)
$$;
create function service.seen() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select format('%s/%s', service.seen_ledger(), pg_current_snapshot()) $$;

-- True when something of the account is committed by now that who was given `seen` did not see.
create function service.changed_since(account bigint, seen text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select split_part(seen, '/', 1) <> service.seen_ledger() or exists (
    select from ops.account_changes c, (select split_part(seen, '/', 2)::pg_snapshot as mark) saw
    where c.account_id = account and c.xid >= pg_snapshot_xmin(saw.mark) and not pg_visible_in_snapshot(c.xid, saw.mark))
$$;

revoke execute on function service.note_change(), service.note_change_of_all(), service.seen_ledger(), service.seen(),
  service.changed_since(bigint, text) from public;
grant execute on function service.seen(), service.changed_since(bigint, text) to cf_reader;
grant select, insert, update, delete on ops.account_changes to cf_service;
grant select on ops.account_changes to cf_backup;
-- file: 990-figure-indexes.sql
-- All that figures are made of, by initiative and month, so that they are added up without reading the rows, which are far
-- longer. Each index takes the place of one of the same beginning, which served whoever names an initiative.

create index cost_entries_sums on ledger.cost_entries (account_id, initiative_id, booked_month)
  include (period_start, usd_amount_cents, cost_category);
drop index ledger.cost_entries_initiative_period;

create index value_entries_sums on ledger.value_entries (account_id, initiative_id, period_month)
  include (period_start, entry_type, usd_amount_cents, currency, usd_rate, vendor_price_effect_cents)
  where status = 'approved';
drop index ledger.value_entries_initiative_period;

-- Of capacity alone each month of an initiative is looked at by itself.
create index value_entries_capacity on ledger.value_entries (account_id, initiative_id, period_month)
  include (period_start, entry_type, usd_amount_cents)
  where status = 'approved' and entry_type in ('capacity', 'capacity_realized');

-- What is in no dollar sum, or in one at a provisional rate, is stated beside every figure.
drop index ledger.cost_entries_unconverted;
create index cost_entries_unconverted on ledger.cost_entries (account_id, currency)
  include (initiative_id, period_start, amount_cents, usd_amount_cents, usd_rate_provisional)
  where currency <> 'USD' and (usd_amount_cents is null or usd_rate_provisional);
drop index ledger.value_entries_unconverted;
create index value_entries_unconverted on ledger.value_entries (account_id, currency)
  include (initiative_id, period_start, amount_cents, usd_amount_cents, entry_type, status)
  where currency <> 'USD' and usd_amount_cents is null;
-- file: 995-month-guards.sql
-- The guards of updates, made to read what was changed once. A statement is planned with as many rows as the first one of
-- its session changed: after a single entry, each of ten thousand was looked for among the ten thousand before it, and
-- closing a month of a large account took minutes, all writers waiting. A full join is never done that way. It finds the
-- same pairs: no key changes (`keep_key`). What takes longest, to compare a row with what it was, is asked of the rows of
-- locked months alone, which is why it names the month: otherwise it would be asked before months are looked at.

create or replace function service.guard_costs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  if tg_op = 'INSERT' then
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id and n.booked_month = m.month
      where m.status = 'locked' limit 1;
  elsif tg_op = 'DELETE' then
    perform from ledger.account_gates g where g.account_id in (select account_id from old_rows) for share;
    select m.month, o.id into refused
      from ledger.accounting_months m
      join old_rows o on o.account_id = m.account_id and o.booked_month = m.month
      where m.status = 'locked' and exists (select from ledger.accounts a where a.id = o.account_id) limit 1;
  else
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, coalesce(n.id, o.id) as id into refused
      from old_rows o
      full join new_rows n on n.account_id = o.account_id and n.id = o.id
      join ledger.accounting_months m
        on m.account_id = coalesce(n.account_id, o.account_id) and m.month in (o.booked_month, n.booked_month)
      where m.status = 'locked'
        and case when m.month is not null then
          to_jsonb(n) - 'updated_at' is distinct from to_jsonb(o) - 'updated_at'
          -- A merge may repoint the vendor, and nothing else, to the survivor: no figure changes.
          and (to_jsonb(n) - array['updated_at', 'vendor_id'] = to_jsonb(o) - array['updated_at', 'vendor_id']
            and n.vendor_id = (select v.merged_into_id from ledger.vendors v where v.account_id = o.account_id and v.id = o.vendor_id))
            is not true -- unknown, without a vendor or a survivor, is no leave either
        end
      limit 1;
  end if;
  if found then
    perform service.refuse_locked(refused.month, 'cost_entries', refused.id);
  end if;
  return null;
end $$;

create or replace function service.guard_value() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  if tg_op = 'INSERT' then
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id and n.period_month = m.month
      where m.status = 'locked' and n.status = 'approved' limit 1;
  elsif tg_op = 'DELETE' then
    perform from ledger.account_gates g where g.account_id in (select account_id from old_rows) for share;
    select m.month, o.id into refused
      from ledger.accounting_months m
      join old_rows o on o.account_id = m.account_id and o.period_month = m.month
      where m.status = 'locked' and o.status = 'approved'
        and exists (select from ledger.accounts a where a.id = o.account_id) limit 1;
  else
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, coalesce(n.id, o.id) as id into refused
      from old_rows o
      full join new_rows n on n.account_id = o.account_id and n.id = o.id
      join ledger.accounting_months m
        on m.account_id = coalesce(n.account_id, o.account_id) and m.month in (o.period_month, n.period_month)
      where m.status = 'locked'
        and (o.status = 'approved' and m.month = o.period_month or n.status = 'approved' and m.month = n.period_month)
        and case when m.month is not null then
          to_jsonb(n) - 'updated_at' is distinct from to_jsonb(o) - 'updated_at'
        end
      limit 1;
  end if;
  if found then
    perform service.refuse_locked(refused.month, 'value_entries', refused.id);
  end if;
  return null;
end $$;
-- file: 996-corrections.sql
-- Guards of earlier files that a review found wrong. An applied file is never edited: what it made is made again here.

-- A decision leaves the served rows with the sample mark of its initiative, and comes back with it.
create or replace function service.touch_all_of_initiative() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.value_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.cost_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.observations set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.portfolio_decisions set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  return null;
end $$;

-- A used reading outlives its initiative. It keeps the time study that it came from where the study outlives the initiative
-- too; a study of the initiative itself goes with it, and then the key of observations empties time_study_id.
create or replace function service.release_used_observations() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(old.account_id); -- before the entries that go with the initiative
  update ledger.observations o
    set initiative_id = null, deleted_at = coalesce(o.deleted_at, clock_timestamp())
    where o.account_id = old.account_id and o.initiative_id = old.id
      and exists (
        select from ledger.value_entries v
        where v.account_id = o.account_id and v.initiative_id <> old.id and v.input_observation_ids @> array[o.id]);
  return old;
end $$;

-- Decided: a reading of a time study has no recorder. The rule is one for costs, value and readings: recorded_by only for
-- manual, assistant and csv. /observations shows such a reading as calculated, and what is calculated no person recorded.
alter table ledger.observations drop constraint observation_recorded_by_person;
update ledger.observations set recorded_by_id = null where source_type = 'time_study' and recorded_by_id is not null;
set constraints all immediate;
alter table ledger.observations add constraint observation_recorded_by_person
  check (recorded_by_id is null or source_type in ('manual', 'assistant', 'csv'));

-- `load` refuses a row that breaks a rule in the words of the rule's comment.
comment on constraint observation_recorded_by_person on ledger.observations is
  'an empty recorded_by_id: only a manual, assistant or csv reading was recorded by a person';
comment on constraint cost_recorded_by_person on ledger.cost_entries is
  'an empty recorded_by_id: only a manual, assistant or csv cost was recorded by a person';
comment on constraint value_recorded_by_person on ledger.value_entries is
  'an empty recorded_by_id: only a manual, assistant or csv value entry was recorded by a person';
-- Decided: no horizon is an empty one, whose planned value is 0. A horizon of 0 years would say the same in a second way.
comment on constraint initiatives_roi_horizon_years_check on ledger.initiatives is
  '1 to 50 years, or an empty cell for a plan without a horizon';
-- Decided: days are in order although a budget counts whole months. An end before its start is refused everywhere.
comment on constraint budget_versions_check on ledger.budget_versions is
  'an ends_on that is not before effective_from, in one month too; to end a budget with its first month, give the month''s last day';
-- file: 997-seen-heads.sql
-- The last log entry that any server or build has seen and checked, of each account in each object store. A store that
-- was emptied or put back shows an older log: it is refused until a person accepts it, which begins a new generation.
create table ops.seen_heads (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  -- Where the store is, as OBJECT_STORE names it.
  store text not null,
  generation bigint not null check (generation >= 0),
  -- The number of the entry; 0 once an empty log was accepted.
  seq bigint not null check (seq >= 0),
  entry_sha256 text not null check (entry_sha256 ~ '^[0-9a-f]{64}$'),
  seen_at timestamptz not null default clock_timestamp(),
  primary key (account_id, store)
);
grant select, insert, update, delete on ops.seen_heads to cf_service;
grant select on ops.seen_heads to cf_backup;
-- file: 998-currencies.sql
-- A currency that does not exist is refused where it enters: an entry in it would wait for a rate for ever, and be in no
-- total. The codes are those of ISO 4217, lists one and three (SIX, 2026-02-01): currencies, funds, units of account and
-- metals, in use or withdrawn, because an entry of 1999 is in marks. XTS, which is for tests, and XXX, which is no
-- currency, are not: no amount is in them. An enumeration is looked up in a cache; a list is searched for every row.
create type ledger.currency_code as enum (
  'ADP', 'AED', 'AFA', 'AFN', 'ALK', 'ALL', 'AMD', 'ANG', 'AOA', 'AOK', 'AON', 'AOR', 'ARA', 'ARP', 'ARS', 'ARY', 'ATS',
  'AUD', 'AWG', 'AYM', 'AZM', 'AZN', 'BAD', 'BAM', 'BBD', 'BDT', 'BEC', 'BEF', 'BEL', 'BGJ', 'BGK', 'BGL', 'BGN', 'BHD',
  'BIF', 'BMD', 'BND', 'BOB', 'BOP', 'BOV', 'BRB', 'BRC', 'BRE', 'BRL', 'BRN', 'BRR', 'BSD', 'BTN', 'BUK', 'BWP', 'BYB',
  'BYN', 'BYR', 'BZD', 'CAD', 'CDF', 'CHC', 'CHE', 'CHF', 'CHW', 'CLF', 'CLP', 'CNY', 'COP', 'COU', 'CRC', 'CSD', 'CSJ',
  'CSK', 'CUC', 'CUP', 'CVE', 'CYP', 'CZK', 'DDM', 'DEM', 'DJF', 'DKK', 'DOP', 'DZD', 'ECS', 'ECV', 'EEK', 'EGP', 'ERN',
  'ESA', 'ESB', 'ESP', 'ETB', 'EUR', 'FIM', 'FJD', 'FKP', 'FRF', 'GBP', 'GEK', 'GEL', 'GHC', 'GHP', 'GHS', 'GIP', 'GMD',
  'GNE', 'GNF', 'GNS', 'GQE', 'GRD', 'GTQ', 'GWE', 'GWP', 'GYD', 'HKD', 'HNL', 'HRD', 'HRK', 'HTG', 'HUF', 'IDR', 'IEP',
  'ILP', 'ILR', 'ILS', 'INR', 'IQD', 'IRR', 'ISJ', 'ISK', 'ITL', 'JMD', 'JOD', 'JPY', 'KES', 'KGS', 'KHR', 'KMF', 'KPW',
  'KRW', 'KWD', 'KYD', 'KZT', 'LAJ', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL', 'LSM', 'LTL', 'LTT', 'LUC', 'LUF', 'LUL', 'LVL',
  'LVR', 'LYD', 'MAD', 'MDL', 'MGA', 'MGF', 'MKD', 'MLF', 'MMK', 'MNT', 'MOP', 'MRO', 'MRU', 'MTL', 'MTP', 'MUR', 'MVQ',
  'MVR', 'MWK', 'MXN', 'MXP', 'MXV', 'MYR', 'MZE', 'MZM', 'MZN', 'NAD', 'NGN', 'NIC', 'NIO', 'NLG', 'NOK', 'NPR', 'NZD',
  'OMR', 'PAB', 'PEH', 'PEI', 'PEN', 'PES', 'PGK', 'PHP', 'PKR', 'PLN', 'PLZ', 'PTE', 'PYG', 'QAR', 'RHD', 'ROK', 'ROL',
  'RON', 'RSD', 'RUB', 'RUR', 'RWF', 'SAR', 'SBD', 'SCR', 'SDD', 'SDG', 'SDP', 'SEK', 'SGD', 'SHP', 'SIT', 'SKK', 'SLE',
  'SLL', 'SOS', 'SRD', 'SRG', 'SSP', 'STD', 'STN', 'SUR', 'SVC', 'SYP', 'SZL', 'THB', 'TJR', 'TJS', 'TMM', 'TMT', 'TND',
  'TOP', 'TPE', 'TRL', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'UAK', 'UGS', 'UGW', 'UGX', 'USD', 'USN', 'USS', 'UYI', 'UYN',
  'UYP', 'UYU', 'UYW', 'UZS', 'VEB', 'VED', 'VEF', 'VES', 'VNC', 'VND', 'VUV', 'WST', 'XAD', 'XAF', 'XAG', 'XAU', 'XBA',
  'XBB', 'XBC', 'XBD', 'XCD', 'XCG', 'XDR', 'XEU', 'XFO', 'XFU', 'XOF', 'XPD', 'XPF', 'XPT', 'XRE', 'XSU', 'XUA', 'YDD',
  'YER', 'YUD', 'YUM', 'YUN', 'ZAL', 'ZAR', 'ZMK', 'ZMW', 'ZRN', 'ZRZ', 'ZWC', 'ZWD', 'ZWG', 'ZWL', 'ZWN', 'ZWR'
);

-- Not valid: a ledger that holds an unknown code from before keeps its rows, which stay in no total. It takes no new one.
alter domain ledger.currency
  add constraint currency_of_iso_4217 check (pg_input_is_valid(value, 'ledger.currency_code')) not valid;

-- `load` refuses a cell in these words.
comment on domain ledger.currency is 'an ISO 4217 currency code, such as EUR';
-- file: 999-ended-sessions.sql
-- Sessions of the pages that were signed out before their end. A server refuses them, wherever the sign-out arrived. A row is
-- the digest of what a session's cookie holds: it opens nothing. Logged, because a crash must not bring a session back.
create table ops.ended_sessions (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  -- When the session would have ended by itself: the row is of no use after that and is removed.
  expires_at timestamptz not null
);
create index ended_sessions_expires_at on ops.ended_sessions (expires_at);
grant select, insert, update, delete on ops.ended_sessions to cf_service;
grant select on ops.ended_sessions to cf_backup;
