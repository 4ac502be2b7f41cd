/** Compares the grants of a database with those that the migrations give to each role of the product. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { readStatement } from '../database/columns.ts';
import { SCHEMA_FOLDER } from './schema-folder.ts';

/** The file of the grants that a migrated database has, which `npm run generate` writes. */
export const GRANTS_FILE = 'ledger.grants.txt';

/** The grants on one object that a database does not give to one role. */
export interface MissingGrant {
  readonly role: string;
  /** Such as `table ledger.vendors`. */
  readonly object: string;
  /** The statement that gives them; null if the database does not have the object. */
  readonly statement: string | null;
}

/** One line for each grant: `select on table ledger.vendors to cf_reader`. */
export async function readGrants(client: ClientBase): Promise<readonly string[]> {
  const { grants } = await readObjects(client);
  return grants;
}

/** Compares the grants of the database with those of a migrated one. The database may have more. */
export async function readMissingGrants(client: ClientBase): Promise<readonly MissingGrant[]> {
  const wanted = (await readFile(join(SCHEMA_FOLDER, GRANTS_FILE), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('--'));
  const { grants, objects } = await readObjects(client);
  return missingGrants(wanted, new Set(grants), new Set(objects));
}

/** Joins the missing grants of one role on one object to one statement. */
export function missingGrants(
  wanted: readonly string[],
  grants: ReadonlySet<string>,
  objects: ReadonlySet<string>,
): readonly MissingGrant[] {
  const missing = wanted.filter((line) => !grants.has(line));
  const byObject = Map.groupBy(missing, (line) => line.slice(line.indexOf(' on ')));
  return [...byObject].map(([target, lines]) => {
    const [object = '', role = ''] = target.slice(' on '.length).split(' to ');
    const privileges = lines.map((line) => line.slice(0, line.indexOf(' on '))).join(', ');
    return { object, role, statement: objects.has(object) ? `grant ${privileges}${target};` : null };
  });
}

/** The statements that give the missing grants, for a login that is a member of `cf_owner`. */
export function grantScript(missing: readonly MissingGrant[]): readonly string[] {
  return ['set role cf_owner;', ...missing.flatMap(({ statement }) => statement ?? [])];
}

async function readObjects(
  client: ClientBase,
): Promise<{ readonly grants: readonly string[]; readonly objects: readonly string[] }> {
  const rows = await readStatement(client, {
    name: 'grants',
    text: GRANTS,
    columns: { object: 'text', grant: 'text?' },
  });
  return {
    objects: rows.map(({ object }) => object),
    grants: rows.flatMap(({ grant }) => (grant === null ? [] : [grant])).toSorted(),
  };
}

// `acl` is null for an object with default rights: those of its owner and of PUBLIC. Then no role has a grant by name.
const GRANTS = `
  with objects (object, part, acl, owner) as (
    select format('schema %I', nspname), '', nspacl, nspowner from pg_namespace
    union all
    select format('%s %I.%I', case relkind when 'S' then 'sequence' else 'table' end, nspname, relname), '', relacl, relowner
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'S')
    union all
    select format('table %I.%I', nspname, relname), format(' (%I)', attname), attacl, relowner
    from pg_attribute a join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
    where attacl is not null and not attisdropped
    union all
    select format('function %I.%I(%s)', nspname, proname, oidvectortypes(proargtypes)), '', proacl, proowner
    from pg_proc p join pg_namespace n on n.oid = pronamespace
  )
  select object, lower(privilege_type) || part || ' on ' || object || ' to ' || grantee::regrole as grant
  from objects left join lateral aclexplode(acl) as given
    on grantee <> 0 and grantee <> owner and grantee::regrole::text in ('cf_reader', 'cf_service', 'cf_writer', 'cf_backup')
  where split_part(split_part(object, ' ', 2), '.', 1) in ('ledger', 'vault', 'service', 'reporting', 'ops', 'migration')`;
