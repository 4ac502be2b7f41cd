import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { fillAccount } from '../support/full-account.ts';
import { foundAccount, insert } from '../support/ledger-rows.ts';

let source: TestDatabase;
let target: TestDatabase;

beforeAll(async () => {
  [source, target] = [await createDatabase(), await createDatabase()];
  const owner = await source.client('cf_owner');
  for (const name of ['Acme', 'Bolt']) {
    const home = await foundAccount(owner, { name });
    await fillAccount(owner, home);
    await owner.query('insert into vault.user_emails (user_id, email) values ($1, $2)', [
      home.person,
      `${name}@example.com`,
    ]);
  }
  await owner.query(`
    insert into ledger.euro_reference_rates values ('2026-03-02', 'USD', 1.1);
    insert into ledger.platform_metric_categories values ('books', 'finance');
    insert into ledger.platform_guides (platform_key, connection_method, steps, page_path) values ('books', 'oauth', '1', '/p');
    insert into ledger.help_articles (slug, title, body) values ('a', 'A', 'b');
    insert into ledger.application_pages (path, title) values ('/a', 'A');
    insert into ledger.initiative_templates (key, title) values ('a', 'A');
    insert into ledger.system_assumptions (key, label, value, effective_from) values ('a', 'A', 1, '2026-01-01');
    select ops.create_queue('a', '{"policy": "standard"}');
    insert into ops.loaded_files (source, file, sha256, rows) values ('a', 'a.csv', repeat('0', 64), 1);
    insert into ops.ended_sessions values (decode(repeat('00', 32), 'hex'), '2026-07-15Z');
    insert into ops.job (name, data) values ('a', '1');
    insert into ops.schedule (name, cron) values ('a', '0 2 * * *');
    insert into ops.subscription (event, name) values ('a', 'a');
    insert into ops.warning (type, message) values ('a', 'A');
    insert into ops.bam (name, version, table_name, command) values ('a', 1, 'job', 'a');
    insert into ops.job_dependency values ('a', gen_random_uuid(), 'a', gen_random_uuid())`);
  // The one row that a migration leaves.
  await (await target.client('cf_owner')).query('delete from ops.version');
});
afterAll(async () => {
  await source.drop();
  await target.drop();
});

/** Every table of the product whose rows are to last, with the columns that are stored and not computed. */
async function tables(db: Client): Promise<{ name: string; columns: string }[]> {
  const { rows } = await db.query<{ name: string; columns: string }>(
    `select format('%I.%I', nspname, relname) as name,
       string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relkind = 'r' and relpersistence = 'p' and nspname in ('ledger', 'vault', 'ops') group by 1 order by 1`,
  );
  return rows;
}

async function digest(db: Client, table: string): Promise<{ rows: bigint; digest: string } | undefined> {
  const { rows } = await db.query<{ rows: bigint; digest: string }>(
    `select count(*) as rows, coalesce(md5(string_agg(r::text, e'\\n' order by r::text collate "C")), '') as digest from ${table} r`,
  );
  return rows[0];
}

describe('a backup', () => {
  it('read by cf_backup and restored by cf_owner is the same ledger, row for row and stamp for stamp', async () => {
    const backup = await source.client('cf_backup');
    const owner = await target.client('cf_owner');
    const copied = await tables(backup);
    await backup.query('begin isolation level repeatable read read only');
    await owner.query('begin; set constraints all deferred');
    for (const { name } of copied) await owner.query(`alter table ${name} disable trigger user`);
    for (const { name, columns } of copied) {
      const dumped = await buffer(
        backup.query(copyTo(`copy ${name} (${columns}) to stdout (format binary)`)),
      );
      await pipeline(
        Readable.from([dumped]),
        owner.query(copyFrom(`copy ${name} (${columns}) from stdin (format binary)`)),
      );
    }
    await owner.query('set constraints all immediate');
    for (const { name } of copied) await owner.query(`alter table ${name} enable trigger user`);
    await owner.query('commit');
    const different: string[] = [];
    for (const { name } of copied) {
      const [there, here] = [await digest(backup, name), await digest(owner, name)];
      if (there?.rows === 0n) different.push(`${name} is empty: it shows nothing`);
      if (there?.rows !== here?.rows || there?.digest !== here?.digest) different.push(name);
    }
    await backup.query('commit');
    expect(different).toEqual([]);
  });

  it('restored is as guarded as the ledger it came from', async () => {
    const owner = await target.client('cf_owner');
    await expect(owner.query('update ledger.cost_entries set amount_cents = 1')).rejects.toMatchObject({
      code: '23001',
    });
    const { rows } = await owner.query<{ id: bigint }>('select max(id) as id from ledger.accounts');
    const { rows: disabled } = await owner.query(
      "select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'",
    );
    expect(disabled).toEqual([]);
    await owner.query("select setval(pg_get_serial_sequence('ledger.accounts', 'id'), $1)", [rows[0]?.id]);
    await expect(
      insert(owner, 'ledger.accounts', {
        name: 'Next',
        plan: 'free',
        plan_includes_api: false,
        app_url: 'https://a.example',
      }),
    ).resolves.toBeTypeOf('bigint');
  });

  it('can read where every sequence stands, and which files were applied', async () => {
    const backup = await source.client('cf_backup');
    const { rows } = await backup.query(
      `select schemaname || '.' || sequencename as name from pg_sequences
       where schemaname in ('ledger', 'vault', 'ops') and not has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'select')`,
    );
    expect(rows).toEqual([]);
    const applied = await backup.query('select name from migration.applied_file order by name');
    expect(applied.rows).toContainEqual({ name: '0002-foundation.sql' });
  });

  it('is taken by a role that can change nothing', async () => {
    const backup = await source.client('cf_backup');
    for (const { name } of await tables(backup)) {
      await expect(backup.query(`delete from ${name}`)).rejects.toMatchObject({ code: '42501' });
    }
  });
});
