/** What a database holds beside PostgreSQL itself, one row an object, with everything that makes it what it is. */

/** The tables whose rows are compared. */
export const TABLES = `
  select c.oid::regclass::text as name from pg_class c
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace >= 16384::oid order by 1`;

// An access control list without its order; where there is none, the default.
const acl = (list: string, kind: string, owner: string): string => `(
  select string_agg(format('%s: %s%s by %s', case grantee when 0 then 'public' else grantee::regrole::text end,
    privilege_type, case when is_grantable then ' with grant option' end, grantor::regrole), ', '
    order by grantee::regrole::text, privilege_type, grantor::regrole::text)
  from aclexplode(coalesce(${list}, acldefault('${kind}', ${owner}))))`;

const comment = (oid: string, catalogue: string): string => `obj_description(${oid}, '${catalogue}')`;

const KINDS: Readonly<Record<string, string>> = {
  schema: `select nspname, json_build_array(nspowner::regrole, ${acl('nspacl', 'n', 'nspowner')}, ${comment('oid', 'pg_namespace')})
    from pg_namespace where oid >= 16384 or nspname = 'public'`,

  table: `select c.oid::regclass::text, json_build_array(relkind, relpersistence, relowner::regrole, relrowsecurity, relforcerowsecurity,
      relreplident, relispartition, relhasrules, reloptions, pg_get_partkeydef(c.oid), pg_get_expr(relpartbound, c.oid),
      (select string_agg(inhparent::regclass::text, ', ') from pg_inherits where inhrelid = c.oid),
      ${acl('relacl', 'r', 'relowner')}, ${comment('c.oid', 'pg_class')})
    from pg_class c where relkind in ('r', 'p', 'm', 'f') and relnamespace >= 16384::oid`,

  column: `select format('%s %s', c.oid::regclass, attname), json_build_array(attnum, format_type(atttypid, atttypmod),
      attcollation, attnotnull, attidentity, attgenerated,
      pg_get_expr(adbin, adrelid), attstorage, attcompression, attstattarget, attoptions,
      case when attacl is not null then ${acl('attacl', 'c', 'relowner')} end, col_description(c.oid, attnum))
    from pg_class c join pg_attribute a on attrelid = c.oid left join pg_attrdef d on adrelid = c.oid and adnum = attnum
    where relkind in ('r', 'p', 'v') and relnamespace >= 16384::oid and attnum > 0`,

  constraint: `select format('%s %s', coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text), conname),
      json_build_array(contype, pg_get_constraintdef(oid), condeferrable, condeferred, conenforced, convalidated, conislocal,
        coninhcount, connoinherit, conindid::regclass, ${comment('oid', 'pg_constraint')})
    from pg_constraint where connamespace >= 16384::oid`,

  index: `select i.indexrelid::regclass::text, json_build_array(pg_get_indexdef(indexrelid), indisunique, indisprimary, indisexclusion,
      indimmediate, indisclustered, indisvalid, indisready, indnullsnotdistinct, relowner::regrole, relpersistence, reloptions,
      ${comment('c.oid', 'pg_class')})
    from pg_index i join pg_class c on c.oid = indexrelid where relnamespace >= 16384::oid`,

  trigger: `select format('%s %s', tgrelid::regclass, tgname), json_build_array(pg_get_triggerdef(t.oid), tgenabled, tgdeferrable, tginitdeferred,
      ${comment('t.oid', 'pg_trigger')})
    from pg_trigger t where not tgisinternal`,

  // Foreign keys of one table act in the order in which they were made.
  'order of foreign keys': `select tgrelid::regclass::text, string_agg(format('%s of %s', conname, conrelid::regclass), ', ' order by tgname)
    from pg_trigger t join pg_constraint k on k.oid = tgconstraint where tgisinternal and contype = 'f' group by tgrelid`,

  function: `select p.oid::regprocedure::text, json_build_array(pg_get_functiondef(p.oid), proowner::regrole, provolatile, proparallel, prosecdef,
      proleakproof, proisstrict, procost, prorows, prosupport, proconfig, ${acl('proacl', 'f', 'proowner')}, ${comment('p.oid', 'pg_proc')})
    from pg_proc p where prokind <> 'a' and pronamespace >= 16384::oid`,

  view: `select c.oid::regclass::text, json_build_array(pg_get_viewdef(c.oid), reloptions, relowner::regrole, ${acl('relacl', 'r', 'relowner')},
      ${comment('c.oid', 'pg_class')})
    from pg_class c where relkind = 'v' and relnamespace >= 16384::oid`,

  rule: `select format('%s %s', ev_class::regclass, rulename), pg_get_ruledef(oid) from pg_rewrite where ev_class >= 16384::oid`,

  policy: `select format('%I.%I %s', schemaname, tablename, policyname), json_build_array(permissive, roles, cmd, qual, '/', with_check)
    from pg_policies`,

  sequence: `select c.oid::regclass::text, json_build_array(format_type(seqtypid, null), seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle,
      relowner::regrole, relpersistence, ${acl('relacl', 's', 'relowner')},
      (select format('%s %s', refobjid::regclass, refobjsubid) from pg_depend
        where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i') and refclassid = 'pg_class'::regclass))
    from pg_sequence s join pg_class c on c.oid = seqrelid`,

  enumeration: `select t.oid::regtype::text, json_build_array(string_agg(enumlabel, ', ' order by enumsortorder), typowner::regrole,
      ${acl('typacl', 'T', 'typowner')}, ${comment('t.oid', 'pg_type')})
    from pg_type t join pg_enum on enumtypid = t.oid group by t.oid`,

  domain: `select t.oid::regtype::text, json_build_array(format_type(typbasetype, typtypmod), typnotnull, typdefault, typcollation,
      typowner::regrole, ${acl('typacl', 'T', 'typowner')}, ${comment('t.oid', 'pg_type')})
    from pg_type t where typtype = 'd' and typnamespace >= 16384::oid`,

  'other type': `select t.oid::regtype::text, json_build_array(typtype, typcategory, typowner::regrole, ${acl('typacl', 'T', 'typowner')})
    from pg_type t where typtype not in ('d', 'e') and typnamespace >= 16384::oid`,

  extension: `select extname, json_build_array(extversion, extnamespace::regnamespace, extowner::regrole, extconfig) from pg_extension`,

  'object of an extension': `select pg_describe_object(classid, objid, objsubid), (select extname from pg_extension where oid = refobjid)
    from pg_depend where deptype = 'e' and refclassid = 'pg_extension'::regclass and objid >= 16384::oid`,

  'default privileges': `select format('%s %s %s', defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype),
      (select string_agg(format('%s: %s', grantee::regrole, privilege_type), ', ' order by grantee::regrole::text, privilege_type) from aclexplode(defaclacl))
    from pg_default_acl`,

  role: `select rolname, json_build_array(rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit,
      rolvaliduntil, (select string_agg(setconfig::text, ', ') from pg_db_role_setting where setrole = r.oid))
    from pg_roles r`,

  membership: `select format('%s in %s by %s', member::regrole, roleid::regrole, grantor::regrole), json_build_array(admin_option, inherit_option, set_option)
    from pg_auth_members`,

  database: `select datname, json_build_array(datdba::regrole, pg_encoding_to_char(encoding), datcollate, datctype, ${acl('datacl', 'd', 'datdba')})
    from pg_database where datname = current_database()`,

  // Event triggers, publications, statistics, casts, operators, collations, languages, wrappers: those of extensions alone.
  'other object': `
    select pg_describe_object(classid, oid, 0), '' from (
      select 'pg_event_trigger'::regclass, oid from pg_event_trigger union all
      select 'pg_publication'::regclass, oid from pg_publication union all
      select 'pg_statistic_ext'::regclass, oid from pg_statistic_ext union all
      select 'pg_cast'::regclass, oid from pg_cast union all
      select 'pg_operator'::regclass, oid from pg_operator union all
      select 'pg_collation'::regclass, oid from pg_collation where collname not like '%-x-icu' union all
      select 'pg_language'::regclass, oid from pg_language union all
      select 'pg_foreign_data_wrapper'::regclass, oid from pg_foreign_data_wrapper) as other (classid, oid)
    where oid >= 16384`,
};

/** Every object: its kind, its name and its whole definition. */
export const OBJECTS = Object.entries(KINDS)
  .map(
    ([kind, query]) =>
      `select '${kind}' as kind, name::text, definition::text from (${query}) as found (name, definition)`,
  )
  .join('\nunion all\n');
