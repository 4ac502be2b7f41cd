/**
 * Migrates a database to the schema of this program: first the roles, then the new numbered files of the ledger, then all
 * views. Everything after the roles is one transaction, so readers see either the old schema or the new one.
 */
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Client } from 'pg';
import type { DatabaseError } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { CrossfootError } from '../../errors.ts';
import { hasSqlState, SQLSTATE } from '../../postgres-errors.ts';
import { connectError } from '../connect-errors.ts';
import { requireOneSession } from '../session-check.ts';
import { withCheckedTls } from '../connect.ts';
import { type AppliedFile, refuseChangedHistory } from './history.ts';
import { type SqlFile, digestOf, readSqlFiles } from './files.ts';

const ROLES_FILE = '0001-roles.sql';
/** The schema in which the database records the applied files. */
const BOOK = 'migration';
// The key of an advisory lock: any number that no other program uses. Hosts that migrate at the same time wait for it.
const LOCK = 4_216_001_357;
// A build holds ACCESS SHARE locks for minutes. Fail after a minute, because all readers queue behind a waiting migration.
const LOCK_TIMEOUT = '60s';
// Roles belong to the whole cluster, the lock to one database. So two migrations in one cluster may create a role together:
// one of them then fails with one of these codes, and is tried again.
const ROLE_RACE = ['23505', '42710', 'XX000'];
const ROLE_ATTEMPTS = 5;

export interface MigrateOptions {
  /** A login that may create roles and grant them; it becomes `cf_owner` for everything but the roles. */
  readonly adminUrl: string;
  /** The folder that holds `ledger` and `views`. */
  readonly folder: string;
  /** The data folder of the embedded PostgreSQL, for error messages; omitted for a database that the settings name. */
  readonly dataDir?: string;
  readonly signal?: AbortSignal;
}

export interface Migrated {
  /** The numbered files that this run applied, in order. */
  readonly applied: readonly string[];
  readonly viewsRecreated: boolean;
}

interface Book {
  'migration.applied_file': { name: string; sha256: string };
  'migration.views': { digest: string };
}

/** Applies the missing files and returns their names. Idempotent, and safe on several hosts at once. */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  options.signal?.throwIfAborted();
  const [roles, files] = partition(await readSqlFiles(join(options.folder, 'ledger')));
  const views = await readSqlFiles(join(options.folder, 'views'));
  const client = openAdmin(options.adminUrl);
  // Ending a busy connection closes its socket, and PostgreSQL rolls the transaction back.
  const cut = (): void => void client.end();
  options.signal?.addEventListener('abort', cut, { once: true });
  // One session for everything, because the session holds the lock.
  const lease = Object.assign(client, { release: () => undefined });
  const pool = { connect: async () => lease, end: () => client.end(), options: {} };
  const db = new Kysely<Book>({ dialect: new PostgresDialect({ pool }) });
  try {
    await connect(client, options.adminUrl);
    try {
      await requireOneSession(client, 'OWNER_URL', () =>
        connect(openAdmin(options.adminUrl), options.adminUrl),
      );
      await requireUnicode(client);
    } catch (error) {
      await client.end();
      throw error;
    }
    return await db.connection().execute(async (session) => {
      await sql`select pg_advisory_lock(${LOCK})`.execute(session);
      await applyRoles(session, roles);
      return session
        .transaction()
        .execute((transaction) => apply(transaction, files, views, options.dataDir));
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', cut);
    await db.destroy();
  }
}

const APPLICATION = 'crossfoot migrate';
const attempted = (url: string) => ({ url, role: 'cf_owner', applicationName: APPLICATION }) as const;

function openAdmin(url: string): Client {
  try {
    const client = new Client({
      connectionString: withCheckedTls(new URL(url)),
      application_name: APPLICATION,
    });
    // Ignore the event: the running statement fails too, and its error is thrown.
    client.on('error', () => undefined);
    return client;
  } catch (cause) {
    throw connectError(cause, attempted(url));
  }
}

async function connect(client: Client, url: string): Promise<Client> {
  await client.connect().catch((cause: unknown) => {
    throw connectError(cause, attempted(url));
  });
  return client;
}

/** Throws unless the database can hold every name that a file brings. */
async function requireUnicode(client: Client): Promise<void> {
  const [{ name, encoding } = { name: '', encoding: '' }] = await readStatement(client, {
    name: 'encoding',
    text: `select current_database()::text as name, current_setting('server_encoding') as encoding`,
    columns: { name: 'text', encoding: 'text' },
  });
  if (encoding === 'UTF8') return;
  throw new CrossfootError(
    'settings_invalid',
    `The database ${name} of OWNER_URL has the encoding ${encoding}; a ledger needs UTF8.`,
    {
      hint: "Create a database by: create database crossfoot encoding 'UTF8' template template0; then set OWNER_URL, LEDGER_URL and DATABASE_URL to it.",
    },
  );
}

function partition(files: readonly SqlFile[]): [SqlFile | undefined, SqlFile[]] {
  return [files.find((file) => file.name === ROLES_FILE), files.filter((file) => file.name !== ROLES_FILE)];
}

async function applyRoles(session: Kysely<Book>, roles: SqlFile | undefined): Promise<void> {
  if (roles === undefined) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.raw(roles.text).execute(session);
      return;
    } catch (error) {
      if (attempt === ROLE_ATTEMPTS || !hasSqlState(error, ...ROLE_RACE)) {
        // The hint of the file names the statement that the login lacks.
        throw failedFile(
          roles,
          error,
          hasSqlState(error, SQLSTATE.insufficient_privilege) ? error.hint : undefined,
        );
      }
    }
  }
}

async function apply(
  db: Transaction<Book>,
  files: SqlFile[],
  views: readonly SqlFile[],
  dataDir: string | undefined,
): Promise<Migrated> {
  await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'; set local role cf_owner`).execute(db);
  await sql
    .raw(
      `create schema if not exists ${BOOK};
       create table if not exists ${BOOK}.applied_file (name text primary key, sha256 text not null);
       create table if not exists ${BOOK}.views (digest text not null)`,
    )
    .execute(db);
  const history: readonly AppliedFile[] = await db.selectFrom('migration.applied_file').selectAll().execute();
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  refuseChangedHistory(history, files, { database: rows[0]?.name ?? '', dataDir });
  const recorded = await db.selectFrom('migration.views').select('digest').executeTakeFirst();
  const digest = digestOf(views);
  const viewsRecreated = history.length < files.length || recorded?.digest !== digest;
  // Drop the views before the files and create them afterwards: a file may change a column that a view reads.
  if (viewsRecreated) await dropViews(db);
  const applied = await applyFiles(db, files);
  if (viewsRecreated) {
    for (const view of views) await runFile(db, view);
    await db.deleteFrom('migration.views').execute();
    await db.insertInto('migration.views').values({ digest }).execute();
  }
  return { applied, viewsRecreated };
}

async function applyFiles(db: Transaction<Book>, files: readonly SqlFile[]): Promise<readonly string[]> {
  // After a failure the migrator runs one more query, and reports that query's error: keep the first error here.
  let failure: unknown;
  const migrator = new Migrator({
    db,
    migrationTableSchema: BOOK,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          files.map((file) => [
            file.name,
            {
              up: async (): Promise<void> => {
                await runFile(db, file).catch((error: unknown) => {
                  failure = error;
                  throw error;
                });
                const { name, sha256 } = file;
                await db.insertInto('migration.applied_file').values({ name, sha256 }).execute();
              },
            },
          ]),
        ),
    },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw failure ?? error;
  return (results ?? []).map((result) => result.migrationName);
}

async function dropViews(db: Transaction<Book>): Promise<void> {
  await sql
    .raw(
      `do $$
       declare doomed text;
       begin
         select string_agg(format('reporting.%I', relname), ', ') into doomed
         from pg_class where relkind = 'v' and relnamespace = to_regnamespace('reporting');
         if doomed is not null then execute 'drop view ' || doomed || ' cascade'; end if;
       end $$`,
    )
    .execute(db);
}

async function runFile(db: Transaction<Book>, file: SqlFile): Promise<void> {
  try {
    await sql.raw(file.text).execute(db);
  } catch (error) {
    throw failedFile(file, error);
  }
}

function failedFile(file: SqlFile, cause: unknown, hint?: string): CrossfootError {
  const { position, code, message } = cause as DatabaseError;
  const line = position === undefined ? undefined : file.text.slice(0, Number(position)).split('\n').length;
  const place = line === undefined ? file.name : `${file.name}, line ${line}`;
  return new CrossfootError('migration_failed', `${place}: ${message}; nothing was applied.`, {
    data: { file: file.name, line, sqlstate: code },
    ...(hint === undefined ? {} : { hint }),
    cause,
  });
}
