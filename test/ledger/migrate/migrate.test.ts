import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Migrated, migrate } from '../../../src/ledger/migrate/migrate.ts';
import { SCHEMA_FOLDER } from '../../../src/ledger/schema-folder.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/locks.ts';

const FIRST = 'create schema sample; create table sample.cost (cents integer); create schema reporting;';
const VIEW = 'create view reporting.costs as select cents from sample.cost;';

let database: TestDatabase;
let admin: Client;
let folder: string;

beforeEach(async () => {
  database = await createDatabase('template0');
  admin = await database.admin();
  await admin.query(`grant create on database ${database.name} to cf_owner`);
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-migrate-'));
  await put('ledger/0010-first.sql', FIRST);
  await put('views/costs.sql', VIEW);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

async function put(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

const run = (signal?: AbortSignal): Promise<Migrated> =>
  migrate({ adminUrl: database.adminUrl, folder, ...(signal && { signal }) });

async function exists(relation: string): Promise<boolean | undefined> {
  const { rows } = await admin.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    relation,
  ]);
  return rows[0]?.there;
}

it('the files of the ledger are numbered from 0001 on, four digits and one subject each', async () => {
  const names = await readdir(join(SCHEMA_FOLDER, 'ledger'));
  expect(names.toSorted()).toEqual(
    names.map((_, index) => expect.stringMatching(`^${String(index + 1).padStart(4, '0')}-[a-z-]+\\.sql$`)),
  );
});

describe('migrate', () => {
  it('applies files in order, then the views, and nothing when run again', async () => {
    await put('ledger/0020-second.sql', 'alter table sample.cost add currency text;');
    expect(await run()).toEqual({ applied: ['0010-first.sql', '0020-second.sql'], viewsRecreated: true });
    expect(await run()).toEqual({ applied: [], viewsRecreated: false });
    expect(await exists('reporting.costs')).toBe(true);
  });

  it('lets cf_owner own what the files make, not the administrator', async () => {
    await run();
    const { rows } = await admin.query(
      `select relname, relowner::regrole::text as owner from pg_class
       where relname in ('cost', 'costs', 'applied_file') order by relname`,
    );
    expect(rows.map((row) => row.owner)).toEqual(['cf_owner', 'cf_owner', 'cf_owner']);
  });

  it('runs the roles file first, as the administrator, every time', async () => {
    await admin.query('create sequence public.runs');
    await put('ledger/0001-roles.sql', `select nextval('runs'), 1 / (current_user = 'postgres')::integer`);
    expect((await run()).applied).toEqual(['0010-first.sql']);
    expect((await run()).applied).toEqual([]);
    expect((await admin.query(`select nextval('public.runs')`)).rows).toEqual([{ nextval: 3n }]);
  });

  it('runs the roles file again when another database of the cluster made the same role meanwhile', async () => {
    await admin.query('create sequence public.tries');
    await put(
      'ledger/0001-roles.sql',
      `do $$ begin
         if nextval('public.tries') < 3 then raise exception 'role exists' using errcode = '42710'; end if;
       end $$`,
    );
    expect((await run()).applied).toEqual(['0010-first.sql']);
  });

  it('gives up on a roles file that never succeeds', async () => {
    await put('ledger/0001-roles.sql', `do $$ begin raise exception 'no' using errcode = '42710'; end $$`);
    await expect(run()).rejects.toMatchObject({ code: 'migration_failed', data: { file: '0001-roles.sql' } });
  });

  it('applies everything once when two hosts start at the same time', async () => {
    const both = await Promise.all([run(), run()]);
    const applied = both.map((one) => one.applied.length);
    expect(applied.toSorted((a, b) => a - b)).toEqual([0, 1]);
  });

  it('makes the views anew when one of them changes, and drops one whose file is gone', async () => {
    await put(
      'views/doubled.sql',
      'create view reporting.doubled as select cents * 2 as cents from reporting.costs;',
    );
    await run();
    await rm(join(folder, 'views/doubled.sql'));
    await put('views/costs.sql', 'create view reporting.costs as select cents, 1 as one from sample.cost;');
    expect(await run()).toEqual({ applied: [], viewsRecreated: true });
    expect((await admin.query('select one from reporting.costs')).fields[0]?.name).toBe('one');
    expect(await exists('reporting.doubled')).toBe(false);
  });

  it('can change the type of a column that a view reads', async () => {
    await run();
    await put('ledger/0020-wider.sql', 'alter table sample.cost alter cents type bigint;');
    expect(await run()).toEqual({ applied: ['0020-wider.sql'], viewsRecreated: true });
    expect(await exists('reporting.costs')).toBe(true);
  });

  it('refuses a file that changed after it was applied, by name, and applies nothing', async () => {
    await run();
    await put('ledger/0010-first.sql', `${FIRST} `);
    await put('ledger/0020-second.sql', 'create table sample.second ();');
    await expect(run()).rejects.toMatchObject({
      code: 'migration_changed',
      data: { file: '0010-first.sql' },
    });
    expect(await exists('sample.second')).toBe(false);
  });

  it('refuses to go on when an applied file is missing', async () => {
    await put('ledger/0020-second.sql', 'create table sample.second ();');
    await run();
    await rm(join(folder, 'ledger/0010-first.sql'));
    await expect(run()).rejects.toMatchObject({
      code: 'migration_changed',
      message: expect.stringContaining('0010-first.sql was applied and has since been removed'),
    });
  });

  it('refuses a database that is newer than the program', async () => {
    await put('ledger/0020-second.sql', 'create table sample.second ();');
    await run();
    await rm(join(folder, 'ledger/0020-second.sql'));
    await expect(run()).rejects.toMatchObject({
      code: 'database_newer',
      data: { files: ['0020-second.sql'] },
    });
  });

  it('refuses a ledger with none of its migrations as older, and names the database or data folder', async () => {
    await put('ledger/010-foundation.sql', 'create table sample.second ();');
    await rm(join(folder, 'ledger/0010-first.sql'));
    await put('ledger/000-first.sql', FIRST);
    await run();
    await rm(join(folder, 'ledger'), { recursive: true });
    await put('ledger/0010-first.sql', FIRST);
    const files = ['000-first.sql', '010-foundation.sql'];
    await expect(run()).rejects.toMatchObject({
      code: 'database_older',
      exitCode: 2,
      message: expect.stringContaining(`The database ${database.name} holds a ledger from before`),
      hint: expect.stringContaining('Create a new database'),
      data: { files },
    });
    await expect(
      migrate({ adminUrl: database.adminUrl, folder, dataDir: '/var/ledger' }),
    ).rejects.toMatchObject({
      code: 'database_older',
      message: expect.stringContaining('The data folder /var/ledger holds a ledger from before'),
      hint: expect.stringContaining('Move /var/ledger away'),
    });
    expect(await exists('reporting.costs')).toBe(true);
  });

  it('refuses a database of another encoding than UTF8, by name, and says how to create one', async () => {
    const name = `${database.name}_ascii`;
    await admin.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
    const url = new URL(database.adminUrl);
    url.pathname = `/${name}`;
    await expect(migrate({ adminUrl: url.href, folder })).rejects.toMatchObject({
      code: 'settings_invalid',
      message: `The database ${name} of OWNER_URL has the encoding SQL_ASCII; a ledger needs UTF8.`,
      hint: expect.stringContaining("encoding 'UTF8'"),
    });
    // Succeeds only if no session is left.
    await admin.query(`drop database ${name}`);
  });

  it('refuses a new file numbered before an applied one', async () => {
    await run();
    await put('ledger/0005-late.sql', 'create table sample.late ();');
    await expect(run()).rejects.toMatchObject({ code: 'migration_changed', data: { file: '0005-late.sql' } });
  });

  it('says file and line of a failing statement, and leaves the database as it was', async () => {
    await put(
      'ledger/0020-broken.sql',
      'create table sample.second ();\n\nselect no_such_column\nfrom sample.cost;\n',
    );
    await expect(run()).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringMatching(/^0020-broken\.sql, line 3: column "no_such_column" does not exist/),
      data: { file: '0020-broken.sql', line: 3, sqlstate: '42703' },
    });
    expect(await exists('sample.cost')).toBe(false);
  });

  it('keeps the old views when a new one fails', async () => {
    await run();
    await put('views/costs.sql', 'create view reporting.costs as select nothing;');
    await expect(run()).rejects.toMatchObject({ code: 'migration_failed', data: { file: 'costs.sql' } });
    expect(await exists('reporting.costs')).toBe(true);
  });

  it('stops when it is aborted, and leaves the database unchanged', async () => {
    await run();
    await put('ledger/0020-second.sql', 'alter table sample.cost add currency text;');
    await admin.query('begin; lock table sample.cost');
    const controller = new AbortController();
    const running = run(controller.signal);
    const watcher = await database.admin();
    await untilWaiting(watcher, 'sample.cost');
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    await admin.query('rollback');
    expect((await admin.query('select * from sample.cost')).fields.map((field) => field.name)).toEqual([
      'cents',
    ]);
    expect(await exists('reporting.costs')).toBe(true);
  });

  it('finds nothing left to do on a clone of the migrated template', async () => {
    const clone = await createDatabase('template_ledger');
    const schema = fileURLToPath(new URL('../../../schema', import.meta.url));
    const migrated = await migrate({ adminUrl: clone.adminUrl, folder: schema });
    await clone.drop();
    expect(migrated).toEqual({ applied: [], viewsRecreated: false });
  });
});
