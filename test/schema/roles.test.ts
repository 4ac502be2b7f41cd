import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type Login } from '../support/cluster.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
const sessions = new Map<Login, Client>();

beforeAll(async () => {
  database = await createDatabase();
  for (const role of ROLES) sessions.set(role, await database.client(role));
});
afterAll(() => database.drop());

const ROLES = ['cf_reader', 'cf_writer', 'cf_service', 'cf_backup'] as const;
const VERBS = [
  'select',
  'insert',
  'update',
  'delete',
  'truncate',
  'references',
  'trigger',
  'maintain',
] as const;
type Verb = (typeof VERBS)[number];

const ALL: readonly Verb[] = ['select', 'insert', 'update', 'delete'];

/** What each role may do with a table: the whole matrix, by schema and then by exception. */
function allowed(role: (typeof ROLES)[number], table: string): readonly Verb[] {
  const schema = table.split('.')[0] ?? '';
  if (role === 'cf_backup') return ['select'];
  // Servers and workers load nothing.
  if (table === 'ops.loaded_files') return [];
  if (role === 'cf_service') return schema === 'ops' ? ALL : [];
  if (role === 'cf_reader') return ['ledger', 'reporting'].includes(schema) ? ['select'] : [];
  if (schema === 'reporting') return ['select'];
  return WRITER_EXCEPTIONS[table] ?? (schema === 'ledger' ? ALL : []);
}

const WRITER_EXCEPTIONS: Readonly<Record<string, readonly Verb[]>> = {
  'ledger.accounts': ['select', 'update'],
  'ledger.users': ['select', 'insert', 'update'],
  'ledger.account_gates': ['select'],
  'ledger.usage_rests': ['select'],
  // What every account sees.
  'ledger.application_pages': ['select'],
  'ledger.euro_reference_rates': ['select'],
  'ledger.help_articles': ['select'],
  'ledger.initiative_templates': ['select'],
  'ledger.platform_guides': ['select'],
  'ledger.platform_metric_categories': ['select'],
  'ledger.platforms': ['select'],
  'ledger.system_assumptions': ['select'],
  'vault.connection_secrets': ALL,
  'vault.document_contents': ALL,
  'vault.user_emails': ALL,
  // Tokens are issued, listed and revoked by columns; see below.
  'vault.access_tokens': ['insert'],
};

/** The SQLSTATE of a statement, or none when it was carried out; nothing it did is kept. */
async function refusal(role: Login, statement: string): Promise<string> {
  const session = sessions.get(role);
  if (session === undefined) throw new Error(`no session as ${role}`);
  await session.query('begin');
  try {
    await session.query(statement);
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await session.query('rollback');
  }
}

async function tables(): Promise<string[]> {
  const owner = await database.client('cf_owner');
  const { rows } = await owner.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where relkind in ('r', 'v', 'p', 'm') and nspname in ('ledger', 'vault', 'ops', 'reporting') order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe.each(ROLES)('the role %s', (role) => {
  it('has on every table the rights of the matrix, and no more', async () => {
    const owner = await database.client('cf_owner');
    const { rows } = await owner.query<{ name: string; verbs: Verb[] }>(
      // PostgreSQL 16 does not know maintain.
      `select t.name, array(select v.verb from unnest($2::text[]) as v (verb)
                            where case when v.verb = 'maintain' and current_setting('server_version_num')::int < 170000
                              then false else has_table_privilege($3, t.name, v.verb) end) as verbs
       from unnest($1::text[]) as t (name)`,
      [await tables(), VERBS, role],
    );
    expect(rows.length).toBeGreaterThan(50);
    expect(rows).toEqual(rows.map(({ name }) => ({ name, verbs: allowed(role, name) })));
  });

  it('A-35: is refused when it tries anyway', async () => {
    const attempts: readonly [verb: Verb, statement: (table: string) => string][] = [
      ['select', (table) => `select * from ${table}`],
      ['delete', (table) => `delete from ${table}`],
      ['truncate', (table) => `truncate ${table}`],
      ['trigger', (table) => `create trigger mine after insert on ${table} execute function service.stamp()`],
    ];
    const wrong: string[] = [];
    for (const table of (await tables()).filter((name) => !name.startsWith('reporting.'))) {
      const may = allowed(role, table);
      for (const [verb, statement] of attempts.filter(([tried]) => !may.includes(tried))) {
        const code = await refusal(role, statement(table));
        if (code !== '42501') wrong.push(`${verb} ${table}: ${code}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    'create schema mine',
    'create table ledger.mine (id bigint)',
    'create table public.mine (id bigint)',
    'create function service.mine() returns int language sql return 1',
    'create view ledger.mine as select 1',
    'create extension dblink',
    'create role mine',
    'alter table ledger.accounts disable row level security',
    'alter table ledger.cost_entries disable trigger user',
    'alter table ledger.accounts owner to current_user',
    'drop table ledger.accounts',
    'drop policy one_account on ledger.accounts',
    'alter role current_user bypassrls',
    'alter role current_user superuser',
    'set role cf_owner',
    'set role cf_stats',
    'set role pg_read_all_stats',
    'set session authorization cf_owner',
    "set session_replication_role = 'replica'",
    "select pg_read_file('/etc/passwd')",
    "select pg_read_binary_file('/etc/passwd')",
    "select pg_ls_dir('/')",
    "select pg_stat_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "copy (select 1) to program 'true'",
    "copy (select 1) to '/tmp/mine'",
    'select pg_reload_conf()',
    'select pg_switch_wal()',
    'select * from pg_authid',
    'select * from pg_statistic',
    'alter database postgres set work_mem = 1',
    'select service.stamp()',
    "update migration.applied_file set sha256 = ''",
  ])('is refused: %s', async (statement) => {
    // 0A000: a trigger function is none that can be called.
    expect(['42501', '0A000']).toContain(await refusal(role, statement));
  });

  it('escapes no row security and owns nothing', async () => {
    const { rows } = await (sessions.get(role) as Client).query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         (select count(*) from pg_class where relowner = r.oid) + (select count(*) from pg_proc where proowner = r.oid) as owned,
         array(select roleid::regrole::text from pg_auth_members where member = r.oid) as memberships
       from pg_roles r where rolname = current_user`,
    );
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        owned: 0n,
        memberships: [],
      },
    ]);
  });
});

describe('the digest of a token', () => {
  it('cannot be read back, even by the role that issues tokens', async () => {
    expect(await refusal('cf_writer', 'select sha256 from vault.access_tokens')).toBe('42501');
    expect(await refusal('cf_writer', 'select checksum from vault.access_tokens')).toBe('42501');
    expect(await refusal('cf_writer', 'select * from vault.access_tokens')).toBe('42501');
    expect(await refusal('cf_writer', "update vault.access_tokens set sha256 = ''")).toBe('42501');
    expect(await refusal('cf_writer', 'delete from vault.access_tokens')).toBe('42501');
    expect(await refusal('cf_writer', 'select name, last_four from vault.access_tokens')).toBe('none');
    const revoke = "set local app.account_id = '1'; update vault.access_tokens set revoked_at = now()";
    expect(await refusal('cf_writer', revoke)).toBe('none');
  });

  it('is looked up through one function, which only the reader may call', async () => {
    const call = "select * from service.authenticate('\\x00')";
    const codes = await Promise.all(ROLES.map((role) => refusal(role, call)));
    expect(codes).toEqual(['none', '42501', '42501', '42501']);
  });
});

describe('functions and grants', () => {
  it('A-36: are those of the committed list', async () => {
    const owner = await database.client('cf_owner');
    const { rows } = await owner.query<{ line: string }>(
      `with objects as (
         select 'function ' || p.oid::regprocedure::text || case when prosecdef then ' definer' else '' end as object,
           coalesce(proacl, acldefault('f', proowner)) as acl, proowner as owner
         from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where nspname in ('service', 'reporting', 'ledger', 'vault', 'ops')
         union all
         select 'schema ' || nspname, coalesce(nspacl, acldefault('n', nspowner)), nspowner
         from pg_namespace where nspname in ('service', 'reporting', 'ledger', 'vault', 'ops', 'migration', 'public')
       )
       select object || ': ' || coalesce(string_agg(grantee || ' ' || privileges, ', ' order by grantee collate "C"), 'nobody') as line
       from objects
       left join lateral (
         select coalesce(nullif(g.grantee, 0)::regrole::text, 'PUBLIC') as grantee,
           string_agg(lower(g.privilege_type), '+' order by g.privilege_type) as privileges
         from aclexplode(acl) as g where g.grantee <> owner group by g.grantee
       ) as granted on true
       group by object order by object collate "C"`,
    );
    const list = rows.map(({ line }) => `${line}\n`).join('');
    await expect(list).toMatchFileSnapshot('grants.golden.txt');
  });

  it('A-36: that run as their owner fix their search path', async () => {
    const owner = await database.client('cf_owner');
    const { rows } = await owner.query(
      `select p.oid::regprocedure::text as name from pg_proc p
       where prosecdef and pronamespace in (select oid from pg_namespace where nspname !~ '^pg_|information_schema')
         and not coalesce(proconfig @> array['search_path=pg_catalog, pg_temp'], false)`,
    );
    expect(rows).toEqual([]);
  });

  it('run as the owner of the ledger', async () => {
    const owner = await database.client('cf_owner');
    const { rows } = await owner.query(
      `select proowner::regrole::text as owner, array_agg(proname::text) as functions from pg_proc
       where prosecdef and pronamespace = 'service'::regnamespace and proowner <> 'cf_owner'::regrole group by 1`,
    );
    expect(rows).toEqual([]);
  });
});
