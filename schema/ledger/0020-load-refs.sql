-- The names that the files of a company give to rows. `load` finds a row again by its name, so a spreadsheet needs no integer
-- id. A row that an application or an integration writes has no such name. No view serves them.

-- The pair is not served, so a change of the pair alone is no change of the row and moves no stamp. The arguments are the
-- generated columns, which a trigger before the write does not see yet. (A condition that named the other columns would keep
-- a later migration from changing their types.)
create function service.keep_stamp() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  unseen text[] := array['updated_at', 'load_source', 'load_ref'] || tg_argv;
begin
  if to_jsonb(new) - unseen = to_jsonb(old) - unseen then
    new.updated_at := old.updated_at;
  end if;
  return new;
end $$;
revoke execute on function service.keep_stamp() from public;

do $$
declare
  target record;
begin
  for target in
    select c.oid, c.oid::regclass as relation, c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'updated_at') as stamped
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    join pg_attribute k on k.attrelid = c.oid and k.attname = 'id'
    where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r'
    order by c.relname
  loop
    execute format(
      'alter table %s add load_source text check (btrim(load_source) <> ''''), add load_ref text check (btrim(load_ref) <> ''''),
        add constraint %I check ((load_source is null) = (load_ref is null))',
      target.relation, target.name || '_load_ref_of_source');
    execute format('comment on constraint %I on %s is ''load_source and load_ref together, or neither''',
      target.name || '_load_ref_of_source', target.relation);
    execute format('comment on column %s.load_source is ''the files that load_ref comes from, as --source of `load` names them''', target.relation);
    execute format('comment on column %s.load_ref is ''the name of the row in those files: their source_ref''', target.relation);
    execute format('create unique index %I on %s (account_id, load_source, load_ref) where load_ref is not null',
      target.name || '_load_ref', target.relation);
    if target.stamped then
      -- The name makes it fire after the stamp.
      execute format('create trigger zz_stamp_kept before update on %s for each row
          when ((new.load_source, new.load_ref) is distinct from (old.load_source, old.load_ref))
          execute function service.keep_stamp(%s)',
        target.relation,
        (select string_agg(quote_literal(a.attname), ', ' order by a.attnum) from pg_attribute a
          where a.attrelid = target.oid and a.attgenerated <> '' and not a.attisdropped));
    end if;
  end loop;
end $$;
