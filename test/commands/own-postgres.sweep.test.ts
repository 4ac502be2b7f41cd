/** The documented way onto a PostgreSQL of one's own, step by step, with logins that are no superusers and must use TLS. */
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBuildCommand } from '../../src/commands/build.ts';
import { addDoctorCommand } from '../../src/commands/doctor/doctor.ts';
import type { Examined } from '../../src/commands/doctor/examine.ts';
import { addLoadCommand } from '../../src/commands/load.ts';
import { addMigrateCommand } from '../../src/commands/migrate.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../src/embedded/embedded.ts';
import { openClient } from '../../src/ledger/connect.ts';
import { findIssuer, insertToken } from '../../src/ledger/tokens.ts';
import { makeToken, tokenMarks } from '../../src/serve/auth/token.ts';
import { asAdmin, PROGRAMS } from '../support/cluster.ts';
import { runCommand } from './in-process.ts';
import { Folder } from './instances.ts';
import { get, readManifest, wrongTables } from './published.ts';
import { SEED } from '../support/signing.ts';

const TOP = new URL('../../', import.meta.url);
const TLS = new URL('../support/tls/', import.meta.url);
let folder: Folder;
let server: EmbeddedPostgres;
let section: string;
beforeAll(async () => {
  folder = await Folder.make();
  const tls = join(folder.path, 'tls');
  await mkdir(tls);
  for (const name of ['server.crt', 'server.key']) await copyFile(new URL(name, TLS), join(tls, name));
  await chmod(join(tls, 'server.key'), 0o600); // PostgreSQL refuses a key that others may read.
  await writeFile(
    join(tls, 'hba'),
    `host all postgres 127.0.0.1/32 scram-sha-256\nhostssl all all 127.0.0.1/32 scram-sha-256\n`,
  );
  const settings = {
    ssl: 'on',
    ssl_cert_file: join(tls, 'server.crt'),
    ssl_key_file: join(tls, 'server.key'),
    hba_file: join(tls, 'hba'),
  };
  server = await startEmbedded({ dataDir: folder.path, durable: false, settings, ...PROGRAMS });
  section = await readFile(new URL('docs/articles/own-postgresql.md', TOP), 'utf8');
});
afterAll(async () => {
  await server.stop();
  await folder[Symbol.asyncDispose]();
});

/** How the article's URLs end where the server demands TLS. */
const CHECKED: Readonly<Record<string, string>> = {
  sslmode: 'verify-full',
  sslrootcert: fileURLToPath(new URL('ca.crt', TLS)),
};

/** The URL of a login, whose password is the article's; the certificate is for `localhost`. */
function urlOf(
  login: string,
  password: string,
  { database = 'ledger_of_ours', hostname = 'localhost', tls = CHECKED } = {},
): string {
  const url = new URL(server.adminUrl);
  Object.assign(url, { username: login, password, pathname: database, hostname });
  url.search = new URLSearchParams(tls).toString();
  return url.href;
}

/** The statements that `psql -c` runs in the article, with the database named for this test: `crossfoot` is there. */
const statements = (): readonly string[] =>
  [...section.matchAll(/-c (["'])(.*?)\1(?= |\n)/g)].map(([, , sql = '']) =>
    sql.replace('crossfoot', 'ledger_of_ours'),
  );

const migrating = () => runCommand(addMigrateCommand, { OWNER_URL: urlOf('admin', 'choose one') }, 'migrate');

const migratingAs = (login: string, database?: string) =>
  runCommand(addMigrateCommand, { OWNER_URL: urlOf(login, login, { database }) }, 'migrate');

it('migrate says to a login that may not make roles that OWNER_URL must name another login', async () => {
  await asAdmin(server.adminUrl, async (admin) => {
    for (const statement of statements()) await admin.query(statement);
    await admin.query("create role weak login password 'weak'");
  });
  const { error } = await migratingAs('weak');
  expect(error).toMatchObject({
    code: 'migration_failed',
    hint: 'Set OWNER_URL to a login that may create roles and owns the database; weak may not.',
  });
});

interface Place {
  readonly password?: string;
  readonly database?: string;
  readonly hostname?: string;
  readonly port?: string;
  readonly tls?: Readonly<Record<string, string>>;
}

it.each<[string, Place, string]>([
  ['a wrong password', { password: 'wrong' }, 'Correct the user or the password in OWNER_URL.'],
  [
    'another database',
    { database: 'none' },
    'Correct the database in OWNER_URL, or create it: create database none;',
  ],
  ['a port where nothing listens', { port: '1' }, 'Check OWNER_URL, and that the database is up.'],
  [
    'no TLS',
    { tls: {} },
    'Add sslmode=verify-full to OWNER_URL: the server lets this login in over TLS only, or not at all.',
  ],
  [
    'a certificate of a CA that it does not know',
    { tls: { sslmode: 'require' } },
    "Add sslrootcert=<file> to OWNER_URL: the file of the CA that signed the server's certificate.",
  ],
  [
    'a file of a CA that is not there',
    { tls: { ...CHECKED, sslrootcert: '/none/ca.crt' } },
    'Correct the path of sslrootcert, sslcert or sslkey in OWNER_URL: the file cannot be read.',
  ],
  [
    'a certificate of another host',
    { hostname: '127.0.0.1' },
    'Name the server in OWNER_URL as its certificate does.',
  ],
])(
  'the error of %s names OWNER_URL and the remedy, to migrate and to load',
  async (_, { password, port, ...place }, hint) => {
    const url = new URL(urlOf('admin', password ?? 'choose one', place));
    if (port !== undefined) url.port = port;
    const env = {
      OWNER_URL: url.href,
      DATABASE_URL: urlOf('ledger_server', 'choose one'),
      DATA_DIR: folder.path,
    };
    const error = { code: 'database_unreachable', hint };
    expect((await runCommand(addMigrateCommand, env, 'migrate')).error).toMatchObject(error);
    const files = fileURLToPath(new URL('fixtures/second', TOP));
    expect((await runCommand(addLoadCommand, env, 'load', files)).error).toMatchObject(error);
  },
);

it('the database is migrated by its owner with a catalogue, and a second time finds nothing to do', async () => {
  const migrated = await migrating();
  expect(migrated.error).toBeUndefined();
  expect(migrated.printed.at(-1)).toMatch(/^catalogue loaded: \d\d+ rows$/);
  expect((await migrating()).printed).toEqual(['nothing to migrate', 'catalogue unchanged']);
});

it('the steps of the article end in served snapshots, without a superuser', async () => {
  const logins = /```sql\n(.*?)```/s.exec(section)?.[1] ?? '';
  const { rows } = await asAdmin(urlOf('admin', 'choose one'), async (admin) => {
    await admin.query(logins);
    return admin.query<{ reads: boolean; writes: boolean; owns: boolean; more: string | null }>(
      `select (select string_agg(rolname, ' ') from pg_roles
                where rolname !~ '^(postgres|pg_.*)$'
                  and (rolsuper or rolbypassrls or pg_has_role(rolname, 'pg_read_all_stats', 'member'))) as more,
              pg_has_role('ledger_server', 'cf_reader', 'set') as reads,
              pg_has_role('ledger_server', 'cf_service', 'set') as writes,
              pg_has_role('ledger_owner', 'cf_owner', 'set') as owns`,
    );
  });
  expect(rows).toEqual([{ reads: true, writes: true, owns: true, more: null }]);

  const [server_password = '', owner_password = ''] = [...logins.matchAll(/password '(.*?)'/g)].map(
    ([, word]) => word,
  );
  const env = {
    LOG_LEVEL: 'warn',
    DATA_DIR: folder.path,
    SECRET_KEYS: 'the same key for every server of one ledger',
    DATABASE_URL: urlOf('ledger_server', server_password),
    SIGNING_KEYS: SEED,
    OWNER_URL: urlOf('ledger_owner', owner_password),
  };
  const [from = '', ...others] = [...section.matchAll(/npx --no crossfoot load (\S+)/g)].map(
    ([, path]) => path,
  );
  expect([from, others]).toEqual(['./export', []]);
  const company = fileURLToPath(new URL('fixtures/company', TOP));
  expect((await runCommand(addLoadCommand, env, 'load', company)).error).toBeUndefined();
  expect(section).toContain('npx --no crossfoot build');
  const built = await runCommand(addBuildCommand, env, 'build', '--account', '1');
  expect(built.error).toBeUndefined();
  expect(built.printed.join('\n')).toContain('published');

  const { printed } = await runCommand(addDoctorCommand, env, 'doctor', '--json');
  const examined = JSON.parse(printed.join('')) as Examined[];
  for (const name of ['database', 'DATABASE_URL', 'OWNER_URL', 'roles', 'grants']) {
    expect(examined.find((one) => one.name === name)).toMatchObject({ outcome: 'ok' });
  }

  const token = makeToken('reporting', randomBytes(32));
  await using owner = await openClient({ url: env.OWNER_URL, role: 'cf_owner', applicationName: 'test' });
  const issued_by_id = (await findIssuer(owner, 1n)) ?? 0n;
  await insertToken(owner, {
    account_id: 1n,
    name: 'test',
    issued_by_id,
    kind: 'reporting',
    ...tokenMarks(token),
  });
  const serving = folder.run(['serve'], env);
  const address = (await serving.said(/^ready /)).replace('ready ', '');
  const manifest = await readManifest(`${address}/v1/reporting/latest`, token);
  expect(manifest.tables).toHaveLength(14);
  expect(await wrongTables(manifest, token)).toEqual([]);
  expect(await (await get(`${address}/docs/own-postgresql`)).text()).toContain('Your own PostgreSQL');
  serving.signal('SIGTERM');
  expect(await serving.ended).toMatchObject({ code: 0 });
});

it('migrate tells another login the statement for the login that created the roles, and migrates after it', async () => {
  await asAdmin(server.adminUrl, async (admin) => {
    await admin.query("create role second login createrole password 'second'");
    await admin.query('create database second owner second');
    await admin.query('create database third');
  });
  const refused = await migratingAs('second', 'second');
  const grant = 'grant cf_owner to second;';
  expect(refused.error).toMatchObject({
    message: expect.stringContaining('second is no member of cf_owner'),
    hint: `Have the login that created cf_owner, or a superuser, run this once: ${grant}`,
  });
  await asAdmin(urlOf('admin', 'choose one'), (admin) => admin.query(grant));
  expect((await migratingAs('second', 'second')).error).toBeUndefined();
  const elsewhere = await migratingAs('second', 'third');
  const hint = 'Have the owner of the database run this once: grant create on database third to cf_owner;';
  expect(elsewhere.error).toMatchObject({ code: 'migration_failed', hint });
});
