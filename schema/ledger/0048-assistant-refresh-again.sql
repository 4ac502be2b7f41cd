-- A client whose answer was lost asks again with the same refresh token. For 30 seconds it gets the same answer: the caller derives
-- the next tokens from the old one. Later, from another client, or once the next token was used itself, it ends the family.

create or replace function ops.replace_assistant_tokens(old bytea, client_id text, access bytea, refresh bytea) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  shown vault.assistant_tokens;
  holds boolean;
  is_again boolean;
begin
  select * into shown from vault.assistant_tokens t where t.sha256 = $1 and t.kind = 'refresh' for update;
  if not found then
    return false;
  end if;
  is_again := shown.replaced_at > clock_timestamp() - interval '30 seconds'
    and exists (select from vault.assistant_tokens n
      where n.account_id = shown.account_id and n.grant_id = shown.grant_id and n.sha256 = $4 and n.replaced_at is null);
  holds := (shown.replaced_at is null or is_again) and shown.expires_at > clock_timestamp()
    and exists (select from ops.assistant_grants_held() h join vault.assistant_clients c on c.id = h.client
      where h.account_id = shown.account_id and h.grant_id = shown.grant_id and c.client_id = $2);
  if not holds then
    update vault.assistant_grants g set ended_at = coalesce(g.ended_at, clock_timestamp())
      where g.account_id = shown.account_id and g.id = shown.grant_id;
  elsif shown.replaced_at is null then
    update vault.assistant_tokens t set replaced_at = clock_timestamp()
      where t.account_id = shown.account_id and t.sha256 = shown.sha256;
    perform ops.keep_assistant_tokens(shown.account_id, shown.grant_id, access, refresh);
  end if;
  return holds;
end $$;
