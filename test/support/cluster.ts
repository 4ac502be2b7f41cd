/**
 * One PostgreSQL for the whole run, with the product's roles as logins and a migrated template database. A test
 * file clones the template (`database.ts`) and so shares no row with another.
 */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openLogins } from '../../src/embedded/logins.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../src/embedded/embedded.ts';
import { processEnded, sendSignal } from '../../src/processes.ts';
import { migrate } from '../../src/ledger/migrate/migrate.ts';

const LOGINS = ['cf_reader', 'cf_service', 'cf_owner', 'cf_backup', 'cf_writer'] as const;

/** The product's roles that a test may connect as. */
export type Login = (typeof LOGINS)[number];

/** What the run's one server gives to every test file. */
export interface Cluster {
  /** The superuser's URL, for making databases and for faults that only an administrator can cause. */
  readonly adminUrl: string;
  /** A URL per login, all to the same database as `adminUrl`. */
  readonly logins: Readonly<Record<Login, string>>;
}

/** A module that fills a second template, once there is a loader and a company to load. */
interface CompanyHook {
  /** Loads the fixture company through `ownerUrl`, which leads to the clone that becomes `template_company`. */
  loadCompany: (ownerUrl: string) => Promise<void>;
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: Cluster;
    /** The folder of what a test file keeps for others of the run (`keptObjects`). */
    kept: string;
  }
}

/** The programs of another version of PostgreSQL, whose folder the campaign `postgres` names; else those of the package. */
const OTHER_PROGRAMS = process.env['CROSSFOOT_TEST_POSTGRES'];
export const PROGRAMS =
  OTHER_PROGRAMS === undefined
    ? {}
    : { binaries: { initdb: join(OTHER_PROGRAMS, 'initdb'), postgres: join(OTHER_PROGRAMS, 'postgres') } };

/** PostgreSQL kills by itself, after five seconds, what does not end at once. */
const CRASH_MS = 20_000;
const SCHEMA = fileURLToPath(new URL('../../schema', import.meta.url));
const COMPANY = new URL('./company.ts', import.meta.url);

/** A cluster outside a test run, with its server: a campaign of faults kills it and starts it again. */
export interface StartedCluster extends Cluster {
  /** The port that it listens on now. */
  readonly port: () => number;
  /** Stops the server at once, as `pg_ctl stop -m immediate` does: no session may finish anything. */
  readonly crash: () => Promise<void>;
  /** Starts it again after a crash, with the same logins on another port. */
  readonly restart: () => Promise<void>;
  /** Stops the server in good order, copies its data directory, and starts it again as `restart` does. */
  readonly copyData: (to: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the server and makes the templates; what it returns takes all of it away again. A campaign of many runs
 * names a folder where the templates are made already (`keepCluster`).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, logins, stop } = await startCluster({}, process.env['KEPT_CLUSTER']);
  const kept = await mkdtemp(join(tmpdir(), 'crossfoot-kept-'));
  project.provide('cluster', { adminUrl, logins });
  project.provide('kept', kept);
  return async () => {
    await stop();
    await rm(kept, { recursive: true });
  };
}

/** Settings by PostgreSQL's names. */
export type ServerSettings = Readonly<Record<string, string>>;

// The write horizon must be tested against prepared transactions too, which are off by default.
export const SETTINGS: ServerSettings = { max_prepared_transactions: '10' };

/** Keeps what a run's server begins with in `folder`, for `KEPT_CLUSTER`. */
export async function keepCluster(folder: string): Promise<void> {
  const { adminUrl, copyData, stop } = await startCluster();
  try {
    await copyData(join(folder, 'data'));
    await writeFile(join(folder, 'superuser.password'), new URL(adminUrl).password);
  } finally {
    await stop();
  }
}

/** A server in a folder of its own, with the templates or a copy of those kept; `stop` takes it away again. */
export async function startCluster(more: ServerSettings = {}, kept?: string): Promise<StartedCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-test-'));
  let server: EmbeddedPostgres | undefined;
  const stop = async (): Promise<void> => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const settings = { ...SETTINGS, ...more };
    const start = async (): Promise<EmbeddedPostgres> => {
      server = await startEmbedded({ dataDir, durable: false, settings, ...PROGRAMS });
      return server;
    };
    if (kept !== undefined) await cp(kept, join(dataDir, 'postgres'), { recursive: true });
    const { adminUrl } = await start();
    return {
      ...(kept === undefined
        ? await prepare(adminUrl)
        : { adminUrl, logins: await openLogins(adminUrl, LOGINS) }),
      port: () => Number(new URL(server?.adminUrl ?? adminUrl).port),
      crash: () => crashServer(dataDir),
      async restart() {
        await server?.stop();
        await start();
      },
      async copyData(to) {
        await server?.stop();
        await cp(join(dataDir, 'postgres/data'), to, { recursive: true });
        await start();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function crashServer(dataDir: string): Promise<void> {
  const mark = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8');
  const postmaster = Number.parseInt(mark, 10);
  sendSignal(postmaster, 'SIGQUIT');
  if (!(await processEnded(postmaster, CRASH_MS))) throw new Error('the server that was to crash goes on');
}

async function prepare(adminUrl: string): Promise<Cluster> {
  await createDatabase(adminUrl, 'template_ledger', 'template0');
  await migrate({ adminUrl: databaseUrl(adminUrl, 'template_ledger'), folder: SCHEMA });
  const logins = await openLogins(adminUrl, LOGINS);
  if (existsSync(COMPANY)) {
    const { loadCompany } = (await import(COMPANY.href)) as CompanyHook;
    await createDatabase(adminUrl, 'template_company', 'template_ledger');
    await loadCompany(databaseUrl(logins.cf_owner, 'template_company'));
  }
  return { adminUrl, logins };
}

/** The same login on the same server, in another database. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Clones `template` as `name`. */
export async function createDatabase(adminUrl: string, name: string, template: string): Promise<void> {
  // Copied as files: through the log, as is the default, it takes twice the processor.
  await asAdmin(adminUrl, (admin) =>
    admin.query(`create database ${name} template ${template} strategy file_copy`),
  );
}

/** Runs statements as the superuser on a connection of their own. */
export async function asAdmin<Result>(
  adminUrl: string,
  run: (admin: Client) => Promise<Result>,
): Promise<Result> {
  const admin = new Client({ connectionString: adminUrl, application_name: 'harness' });
  await admin.connect();
  try {
    return await run(admin);
  } finally {
    await admin.end();
  }
}
