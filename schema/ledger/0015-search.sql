-- Search over an account's records and the shared catalogue: by word, by the beginning of a word, and by a misspelled word.
-- Row security would prevent every trigram index, because its filter must run before the comparison. So the search is one
-- function that runs as the owner and filters by the account itself. The searched texts are stored columns of the tables
-- (`search_title`, `search_detail`): computing one takes twenty times as long as comparing it.

-- If the database has the extensions already, they stay in their schema.
create schema alike;
create extension if not exists pg_trgm with schema alike;
create extension if not exists btree_gin with schema alike;
create extension if not exists fuzzystrmatch with schema alike;

-- The statements below use operators of the extensions, in whatever schema. They are bound when this file runs.
select set_config('search_path', 'pg_catalog, ' || string_agg(distinct quote_ident(nspname), ', '), true)
from pg_extension join pg_namespace n on n.oid = extnamespace where extname in ('pg_trgm', 'fuzzystrmatch');

-- True if a key contains enough of the word's trigrams together.
create function service.resembles(word text, key text) returns boolean
language sql stable parallel safe
return word <% key;

-- The number of letters of a word that may be wrong: two of six and more, so that two letters may be swapped. With two of
-- five, every word with the same first three letters would match. A word with a digit must match exactly.
create function service.slips(word text) returns integer
language sql immutable parallel safe
return case when word ~ '[0-9]' or length(word) not between 4 and 60 then 0 when length(word) < 6 then 1 else 2 end;

-- The number of letters to change, add or leave out until a word begins another; it stops counting after two.
create function service.edits(word text, other text) returns integer
language sql immutable parallel safe
return least(
  levenshtein_less_equal(word, left(other, length(word) - 1), 2),
  levenshtein_less_equal(word, left(other, length(word)), 2),
  levenshtein_less_equal(word, left(other, length(word) + 1), 2));

-- Indexes for tables of which an account may have ten thousand rows; the catalogue has some hundred and needs none. The
-- account is the first column, so that a small account does not pay for a big one. People are found by their membership.
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

-- The hits for the account of the transaction, best first. The integer part of a score says how the hit was found:
--   4 the title is the query                     3 the title begins with the query
--   2 each word begins a word of the title       1 each word begins a word of the title or the detail
--   0 each word, with one or two wrong letters, begins a word of the title
-- The fraction is higher the less other text the title has, so that of two equal hits the shorter title comes first.
create function service.search(query text, types text[], most integer)
returns table (type text, id text, title text, detail text, path text, score double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
-- The query decides which index is best, and a type that is not asked for leaves the plan.
set plan_cache_mode = force_custom_plan
-- A sequential scan would read the rows of all accounts.
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
