-- What an account has connected, and clients that are known by a document at their own address.

-- The grants that hold and whose code was redeemed, with the person who allowed each.
create function ops.assistant_connections(account bigint) returns table (
  id bigint, name text, redirect_uri text, user_id bigint, consented_at timestamptz, used_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select h.grant_id, c.name, g.redirect_uri, h.user_id, h.consented_at, h.used_at
  from ops.assistant_grants_held() h
  join vault.assistant_grants g on g.account_id = h.account_id and g.id = h.grant_id
  join vault.assistant_clients c on c.id = h.client
  where h.account_id = account and g.code_redeemed_at is not null
  order by h.grant_id
$$;

-- True: it is ended now. False: the account has no such connection.
create function ops.end_assistant_connection(account bigint, connection bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update vault.assistant_grants g set ended_at = clock_timestamp()
    where g.account_id = account and g.id = connection and g.ended_at is null and exists (
      select from ops.assistant_connections(account) c where c.id = connection);
  return found;
end $$;

-- Takes over what the document says now.
create function ops.know_assistant(client_id text, name text, redirect_uris text[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into vault.assistant_clients (client_id, name, redirect_uris) values ($1, $2, $3)
    on conflict on constraint assistant_clients_client_id_key
    do update set name = excluded.name, redirect_uris = excluded.redirect_uris
$$;

revoke execute on function ops.assistant_connections(bigint), ops.end_assistant_connection(bigint, bigint),
  ops.know_assistant(text, text, text[]) from public;
grant execute on function ops.assistant_connections(bigint), ops.end_assistant_connection(bigint, bigint),
  ops.know_assistant(text, text, text[]) to cf_service;
