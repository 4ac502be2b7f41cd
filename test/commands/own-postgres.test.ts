/** The documented way onto a PostgreSQL of one's own, step by step, with logins that are no superusers. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBuildCommand } from '../../src/commands/build.ts';
import { addLoadCommand } from '../../src/commands/load.ts';
import { addMigrateCommand } from '../../src/commands/migrate.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../src/embedded/embedded.ts';
import { asAdmin } from '../support/cluster.ts';
import { runCommand } from './in-process.ts';

const TOP = new URL('../../', import.meta.url);
let folder: string;
let server: EmbeddedPostgres;
let section: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-own-'));
  server = await startEmbedded({ dataDir: folder, durable: false });
  section = await readFile(new URL('docs/articles/own-postgresql.md', TOP), 'utf8');
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** The URL of a login, whose password is the article's. */
function urlOf(login: string, password: string, database = 'ledger_of_ours'): string {
  const url = new URL(server.adminUrl);
  Object.assign(url, { username: login, password, pathname: database });
  return url.href;
}

/** The statements that `psql -c` runs in the article, with the database named for this test: `crossfoot` is there. */
const statements = (): readonly string[] =>
  [...section.matchAll(/-c (["'])(.*?)\1(?= |\n)/g)].map(([, , sql = '']) =>
    sql.replace('crossfoot', 'ledger_of_ours'),
  );

const migrating = () => runCommand(addMigrateCommand, { OWNER_URL: urlOf('admin', 'choose one') }, 'migrate');

it('says to a login that may not hand a role on which statement a superuser runs once', async () => {
  const [login = '', grant = '', database = '', ...others] = statements();
  expect(others).toEqual([]);
  await asAdmin(server.adminUrl, async (admin) => {
    await admin.query(login);
    await admin.query(database);
  });
  expect((await migrating()).error).toMatchObject({
    code: 'migration_failed',
    hint: `Have a superuser run this once: ${grant};`,
  });
});

it('says to a login that may not make roles that OWNER_URL must be another', async () => {
  await asAdmin(server.adminUrl, (admin) => admin.query("create role weak login password 'weak'"));
  const { error } = await runCommand(addMigrateCommand, { OWNER_URL: urlOf('weak', 'weak') }, 'migrate');
  expect(error).toMatchObject({
    code: 'migration_failed',
    hint: 'Set OWNER_URL to a login that may create roles and owns the database; weak may not.',
  });
});

it('names OWNER_URL when its login is refused, with any other settings', async () => {
  const env = { OWNER_URL: urlOf('admin', 'wrong'), DATABASE_URL: urlOf('ledger_server', 'choose one') };
  const hint = 'Check OWNER_URL, and that the database is up.';
  const migrated = await runCommand(addMigrateCommand, env, 'migrate');
  expect(migrated.error).toMatchObject({ code: 'database_unreachable', hint });
  const catalogue = fileURLToPath(new URL('docs', TOP));
  const loaded = await runCommand(
    addLoadCommand,
    { ...env, DATA_DIR: folder },
    'load',
    catalogue,
    '--mode',
    'upsert',
  );
  expect(loaded.error).toMatchObject({ code: 'database_unreachable', hint });
});

it('is true: the steps of the article end in a catalogue and in published snapshots', async () => {
  const grant = statements()[1] ?? '';
  await asAdmin(server.adminUrl, (admin) => admin.query(grant));
  expect((await migrating()).error).toBeUndefined();

  const logins = /```sql\n(.*?)```/s.exec(section)?.[1] ?? '';
  const { rows } = await asAdmin(urlOf('admin', 'choose one'), async (admin) => {
    await admin.query(logins);
    return admin.query<{ reads: boolean; writes: boolean; owns: boolean }>(
      `select pg_has_role('ledger_server', 'cf_reader', 'set') as reads,
              pg_has_role('ledger_server', 'cf_service', 'set') as writes,
              pg_has_role('ledger_owner', 'cf_owner', 'set') as owns`,
    );
  });
  expect(rows).toEqual([{ reads: true, writes: true, owns: true }]);

  const [server_password = '', owner_password = ''] = [...logins.matchAll(/password '(.*?)'/g)].map(
    ([, word]) => word,
  );
  const env = {
    PATH: process.env['PATH'],
    LOG_LEVEL: 'warn',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: urlOf('ledger_server', server_password),
    OWNER_URL: urlOf('ledger_owner', owner_password),
  };
  const loads = [...section.matchAll(/npx crossfoot load (\S+)(?: --mode (\w+))?/g)].map(
    ([, from = '', mode]) => {
      const path = fileURLToPath(new URL(from === './export' ? 'fixtures/company' : from, TOP));
      return ['load', path, ...(mode === undefined ? [] : ['--mode', mode])];
    },
  );
  expect(loads).toHaveLength(2);
  for (const load of loads) expect((await runCommand(addLoadCommand, env, ...load)).error).toBeUndefined();
  expect(section).toContain('npx crossfoot build');
  const built = await runCommand(addBuildCommand, env, 'build', '--account', '1');
  expect(built.error).toBeUndefined();
  expect(built.printed.join('\n')).toContain('published');
  const articles = await asAdmin(urlOf('ledger_owner', owner_password), (owner) =>
    owner.query('set role cf_owner; select count(*) as articles from ledger.help_articles'),
  );
  expect(JSON.stringify(articles)).not.toContain('"articles":"0"');
});
