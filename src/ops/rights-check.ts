/** The start-up check that the session of `cf_service` has every right that a server needs. */
import type { ClientBase } from 'pg';
import { readStatement } from '../database/columns.ts';
import { CrossfootError } from '../errors.ts';

/** Throws `grants_missing` if the session lacks a right; the error names every missing right and table. */
export async function checkRights(service: ClientBase): Promise<void> {
  const rows = await readStatement(service, { name: 'rights', text: FAULTS, columns: { fault: 'text' } });
  if (rows.length === 0) return;
  const faults = rows.map((row) => row.fault);
  throw new CrossfootError('grants_missing', `A server could not write what it must: ${faults.join('; ')}.`, {
    hint: 'Run npx --no crossfoot migrate with OWNER_URL: it makes these tables and grants them to cf_service.',
    data: { faults },
  });
}

const FAULTS = `
  with wanted (name) as (values ('ops.ended_sessions'), ('ops.rate_limits'), ('ops.token_uses'))
  select format('%s may not use schema ops', current_user) as fault
  where not coalesce(has_schema_privilege(to_regnamespace('ops'), 'usage'), false)
  union all
  select format('table %s is not there', name)
  from wanted
  where to_regnamespace('ops') is not null and has_schema_privilege('ops', 'usage') and to_regclass(name) is null
  union all
  select format('%s may not %s %s', current_user, verb, name)
  from wanted, unnest(array['select', 'insert', 'update', 'delete']) as verb
  where to_regnamespace('ops') is not null and has_schema_privilege('ops', 'usage')
    and not has_table_privilege(to_regclass(name), verb)
  order by fault`;
