/** The start-up check that this connection can see only one account at a time. */
import type { ClientBase } from 'pg';
import { readStatement } from '../database/columns.ts';
import { CrossfootError } from '../errors.ts';

/** Throws if row security does not restrict this connection; the error names every fault. */
export async function checkRoles(client: ClientBase): Promise<void> {
  const rows = await readStatement(client, { name: 'roles', text: FAULTS, columns: { fault: 'text' } });
  if (rows.length === 0) return;
  const faults = rows.map((row) => row.fault);
  throw new CrossfootError('roles_unsafe', `One account could see another's rows: ${faults.join('; ')}.`, {
    hint: 'Connect as a login whose only role is cf_reader or cf_service. Run migrate to repair tables and views.',
    data: { faults },
  });
}

// Membership counts like the role itself: a session may take any role that its login is a member of.
const FAULTS = `
  with sessions (kind, name) as (
    select kind, name from (values ('the login', session_user), ('the role', current_user)) as pair (kind, name)
  ), tenant as (
    select c.oid, c.oid::regclass::text as name, c.relowner, c.relrowsecurity, relname = 'accounts' as is_accounts
    from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace in (to_regnamespace('ledger'), to_regnamespace('vault'))
  ), views as (
    select c.oid::regclass::text as name, c.relkind, c.reloptions
    from pg_class c
    where c.relkind in ('v', 'm') and c.relnamespace = to_regnamespace('reporting')
  )
  select format('%s %s is a superuser', kind, name) as fault
  from sessions join pg_roles on rolname = name where rolsuper
  union
  select format('%s %s bypasses row security', kind, name)
  from sessions join pg_roles on rolname = name where rolbypassrls
  union
  select format('%s %s owns ledger tables, or is a member of their owner %s', kind, name, relowner::regrole)
  from (select distinct relowner from tenant) as owners, sessions
  where pg_has_role(name, relowner, 'member')
  union
  select format('table %s has no row security', name)
  from tenant
  where not relrowsecurity
    and (is_accounts or exists (
      select from pg_attribute a where a.attrelid = tenant.oid and a.attname = 'account_id' and not a.attisdropped))
  union
  select format('view %s reads with its owner''s rights', name)
  from views
  where relkind = 'm' or not coalesce(
    (select option_value::boolean from pg_options_to_table(reloptions) where option_name = 'security_invoker'), false)
  order by fault`;
