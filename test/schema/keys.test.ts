import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { fillAccount } from '../support/full-account.ts';

let database: TestDatabase;
let owner: Client;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

async function listed<Row extends object>(query: string): Promise<Row[]> {
  const { rows } = await owner.query<Row>(query);
  return rows;
}

// pg-boss defines the tables of the queue with their keys and indexes, so these tests leave them out.
const queue = readFileSync(new URL('../../schema/ledger/0017-queue.sql', import.meta.url), 'utf8');
const QUEUE_TABLES = [...queue.matchAll(/^CREATE TABLE ops\.(\w+)/gm)].map(([, name]) => `'${name}'`);

// The queries below share these common table expressions.
const CATALOGUE = `
  with tables as (
    select c.oid, c.oid::regclass::text as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id') as tenant
    from pg_class c
    where c.relkind = 'r' and c.relnamespace in ('ledger'::regnamespace, 'vault'::regnamespace, 'ops'::regnamespace)
      and not (c.relnamespace = 'ops'::regnamespace and c.relname in (${QUEUE_TABLES.join(', ')}))
  ),
  keys as (
    select k.*, t.name, t.tenant,
      (select array_agg(a.attname::text order by u.place) from unnest(k.conkey) with ordinality as u (attnum, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum) as columns
    from pg_constraint k join tables t on t.oid = k.conrelid
  )`;

// Columns of free text, which people or other systems write. A column with a fixed set of values does not belong here.
const FREE = [
  'body',
  'business_unit',
  'category',
  'code',
  'connection_method',
  'cost_type',
  'credential_location',
  'decision_reason',
  'department',
  'description',
  'expression',
  'external_account_id',
  'external_account_name',
  'external_ref',
  'formula_key',
  'gl_dimension_value',
  'hypothesis',
  'item_label',
  'key',
  'label',
  'merchant',
  'module_kind',
  'name',
  'notes',
  'page_path',
  'reason',
  'resulting_state',
  'setup_script',
  'source',
  'source_ref',
  'source_url',
  'steps',
  'subject_title',
  'summary',
  'tips',
  'title',
  'unit',
  'vendor_name',
];

describe('every table', () => {
  it('of an account has the primary key (account_id, id), unless this test lists it', async () => {
    const others = await listed(
      `${CATALOGUE} select name, columns from keys where contype = 'p' and tenant and columns <> '{account_id,id}' order by name`,
    );
    expect(others).toEqual([
      { name: 'ledger.account_gates', columns: ['account_id'] },
      { name: 'ops.account_changes', columns: ['account_id', 'xid'] },
      { name: 'ops.delivered_objects', columns: ['account_id', 'delivery_id', 'key'] },
      { name: 'ops.entry_changes', columns: ['account_id', 'xid', 'initiative_id'] },
      { name: 'ops.record_changes', columns: ['account_id', 'xid'] },
      { name: 'ops.seen_heads', columns: ['account_id', 'store'] },
      { name: 'ops.token_uses', columns: ['account_id', 'token_id'] },
      { name: 'vault.assistant_tokens', columns: ['account_id', 'sha256'] },
      { name: 'vault.connection_secrets', columns: ['account_id', 'connection_id'] },
      { name: 'vault.document_contents', columns: ['account_id', 'document_id'] },
    ]);
  });

  it('without the column account_id is in this list', async () => {
    expect(await listed(`${CATALOGUE} select name from tables where not tenant order by name`)).toEqual(
      [
        'ledger.accounts',
        'ledger.application_pages',
        'ledger.euro_reference_rates',
        'ledger.help_articles',
        'ledger.initiative_templates',
        'ledger.platform_guides',
        'ledger.platform_metric_categories',
        'ledger.platforms',
        'ledger.system_assumptions',
        'ledger.users',
        'ops.ended_sessions',
        'ops.loaded_files',
        'ops.rate_limits',
        'ops.watches',
        'vault.assistant_clients',
        'vault.user_emails',
      ].map((name) => ({ name })),
    );
  });

  it('has a primary key', async () => {
    expect(
      await listed(
        `${CATALOGUE} select name from tables t where not exists (select from keys where conrelid = t.oid and contype = 'p')`,
      ),
    ).toEqual([]);
  });

  it('of an account has a cascading foreign key that begins with account_id and has no nullable column', async () => {
    const untied = await listed(
      `${CATALOGUE}
       select name from tables t where tenant and not exists (
         select from keys k where k.conrelid = t.oid and k.contype = 'f' and k.columns[1] = 'account_id'
           and k.confdeltype = 'c'
           -- PostgreSQL does not check a key with a null column, so such a key leads nowhere.
           and not exists (
             select from pg_attribute a
             where a.attrelid = t.oid and a.attnum = any (k.conkey) and not a.attnotnull))`,
    );
    expect(untied).toEqual([]);
  });
});

describe('every foreign key', () => {
  it('between tables of accounts begins with account_id on both sides', async () => {
    const loose = await listed(
      `${CATALOGUE}
       select k.name, k.columns from keys k join tables target on target.oid = k.confrelid
       where k.contype = 'f' and k.tenant and target.tenant
         and (k.columns[1] <> 'account_id' or array_length(k.columns, 1) < 2
           or (select attname from pg_attribute where attrelid = k.confrelid and attnum = k.confkey[1]) <> 'account_id')`,
    );
    expect(loose).toEqual([]);
  });

  it('can wait for the end of the transaction', async () => {
    expect(
      await listed(`${CATALOGUE} select name, conname from keys where contype = 'f' and not condeferrable`),
    ).toEqual([]);
  });

  it('has an index on its own columns, so that deleting the row it points to is fast', async () => {
    const unindexed = await listed(
      `${CATALOGUE}
       select k.name, k.columns from keys k
       where k.contype = 'f'
         -- A key that points to memberships needs no such index: only the deletion of an account deletes memberships.
         and k.confrelid <> 'ledger.memberships'::regclass
         and not exists (
         select from pg_index i
         where i.indrelid = k.conrelid and i.indisvalid
           and (select array_agg(attnum order by attnum) from unnest(i.indkey[0:array_length(k.conkey, 1) - 1]) as u (attnum))
             = (select array_agg(attnum order by attnum) from unnest(k.conkey) as u (attnum))
           -- A partial index is enough if it leaves out only the rows whose key is null.
           and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
             select format('(%I IS NOT NULL)', c) from unnest(k.columns) as c)))
       order by 1, 2`,
    );
    expect(unindexed).toEqual([]);
  });
});

describe('every column', () => {
  it('whose name ends in currency has the type ledger.currency', async () => {
    expect(
      await listed(
        `${CATALOGUE}
         select t.name, a.attname from tables t join pg_attribute a on a.attrelid = t.oid
         where a.attname ~ 'currency$' and a.atttypid <> 'ledger.currency'::regtype`,
      ),
    ).toEqual([]);
  });

  it('of cents, days, instants or floating-point numbers has a bounded type', async () => {
    const unbounded = await listed(
      `${CATALOGUE}
       select t.name, a.attname, a.atttypid::regtype::text as type from tables t
       join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       where t.name not like 'ops.%'
         and (a.attname ~ '_cents$' or a.atttypid in ('date'::regtype, 'timestamptz'::regtype, 'float8'::regtype, 'float4'::regtype))
         and a.atttypid not in ('ledger.cents'::regtype)`,
    );
    expect(unbounded).toEqual([]);
  });

  it('of text has a check or a foreign key, or is in the list of free text', async () => {
    const unchecked = await listed<{ column: string }>(
      `${CATALOGUE}
       select distinct a.attname::text collate "C" as column from tables t
       join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       where a.atttypid = 'text'::regtype and t.name !~ '^(vault|ops)[.]'
         and not exists (select from keys k where k.conrelid = t.oid and k.contype in ('c', 'f') and a.attname = any (k.columns))
       order by 1`,
    );
    expect(unchecked.map(({ column }) => column)).toEqual(FREE);
  });
});

describe('deleting an account', () => {
  it('deletes all its rows, and keeps all rows of another account', async () => {
    const [doomed, neighbour] = [await foundAccount(owner), await foundAccount(owner)];
    await fillAccount(owner, doomed);
    await fillAccount(owner, neighbour);
    const tables = await listed<{ name: string }>(
      `${CATALOGUE} select name from tables where tenant order by name`,
    );
    const count = async (account: bigint): Promise<Record<string, bigint>> => {
      const counts: Record<string, bigint> = {};
      for (const { name } of tables) {
        const { rows } = await owner.query<{ rows: bigint }>(
          `select count(*) as rows from ${name} where account_id = $1`,
          [account],
        );
        counts[name] = rows[0]?.rows ?? -1n;
      }
      return counts;
    };
    const [before, kept] = [await count(doomed.account), await count(neighbour.account)];
    expect(Object.entries(before).filter(([, rows]) => rows === 0n)).toEqual([]); // so the fixture misses no table
    await owner.query('begin; set constraints all deferred');
    await owner.query('delete from ledger.accounts where id = $1', [doomed.account]);
    await owner.query('commit');
    expect(Object.entries(await count(doomed.account)).filter(([, rows]) => rows !== 0n)).toEqual([]);
    expect(await count(neighbour.account)).toEqual(kept);
  });
});
