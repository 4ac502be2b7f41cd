/** The embedded PostgreSQL 18: a real server in the data folder, for machines without PostgreSQL. */
import { access, mkdir, realpath, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { CrossfootError } from '../errors.ts';
import { FREE_SPACE, FULL_DISK_CODES } from '../full-disk.ts';
import { type Binaries, currentUser, findBinaries, findLauncher } from './binaries.ts';
import { SUPERUSER, ensureCluster } from './cluster.ts';
import { claimFolder } from './owner.ts';
import { findOrphan, startServer } from './server.ts';

/** The database that holds the ledger. */
const DATABASE = 'crossfoot';
// The server takes no TLS, and no option. The driver reads what a URL lacks from `PGSSLMODE` and `PGOPTIONS`, which the
// shell sets for other servers.
const FULL_URL = '?sslmode=disable&options=-ctimezone%3DUTC';
/** The size of a file of the write-ahead log, as initdb sets it. */
const WAL_FILE_BYTES = 16 * 1024 ** 2;

// Small values, because the server shares a laptop or a small host with the program itself.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // A command takes up to six sessions, and many may run beside a server and its builds.
  max_connections: '250',
  shared_buffers: '256MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  // An embedded server has no replica and no archive.
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

// For tests, whose data need not survive a crash.
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** False only in tests: data may be lost in a power cut. */
  readonly durable?: boolean;
  /** The programs of another version of PostgreSQL; if omitted, those of the npm package. */
  readonly binaries?: Binaries;
  /** Further server settings, by PostgreSQL's names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** True for a program that serves until it is stopped. */
  readonly serves?: boolean;
  /**
   * True if a server that a killed instance left on this port may keep running. If omitted, that server is stopped first.
   */
  readonly mayGoOn?: (port: number) => Promise<boolean>;
}

export interface EmbeddedPostgres {
  /** The URL of the superuser: for migrations and for creating logins, never for serving. */
  readonly adminUrl: string;
  readonly port: number;
  /** The folder of the server's files, and the id of this process's claim to it. */
  readonly folder: string;
  readonly claim: string;
  /** True if a killed instance left this server running. */
  readonly isAdopted: boolean;
  /** Resolves when the process of the server has ended, for any reason. */
  ended(): Promise<void>;
  /** Starts the server again after it ended by itself, on the same port, so that its URLs stay valid. */
  restart(signal: AbortSignal): Promise<void>;
  /** True if it accepts a connection now. */
  answers(): Promise<boolean>;
  /** True while the disk has no space for the next file of the write-ahead log. No start can succeed then. */
  isDiskFull(): Promise<boolean>;
  /** Stops the server and releases the data folder; no process is left. */
  stop(): Promise<void>;
}

/** The folder of the server's files; creates it if it is missing. Throws `settings_invalid` where no folder can be. */
export async function embeddedFolder(dataDir: string): Promise<string> {
  try {
    await mkdir(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 });
    return await realpath(join(dataDir, 'postgres'));
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const why = NO_FOLDER.get(code) ?? message;
    throw new CrossfootError('settings_invalid', `DATA_DIR ${resolve(dataDir)} ${why}.`, {
      hint: FULL_DISK_CODES.has(code) ? FREE_SPACE : 'Set DATA_DIR to a folder that you may write to.',
      cause,
    });
  }
}

const NO_FOLDER: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'is a folder that this user may not write to'],
  ['EPERM', 'is a folder that this user may not write to'],
  ['EROFS', 'is on a file system that is read-only'],
  ['ENOTDIR', 'is a file, or lies below one'],
  ['EEXIST', 'holds a file named postgres, expected a folder'],
  ...[...FULL_DISK_CODES].map((code) => [code, 'is on a disk that is full'] as const),
]);

/** True if the data folder holds an embedded database; creates nothing. */
export async function holdsCluster(dataDir: string): Promise<boolean> {
  return await access(join(dataDir, 'postgres/data/PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * Starts PostgreSQL in `<dataDir>/postgres`; the first start creates the cluster. Throws if a running instance uses the
 * folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  const folder = await embeddedFolder(options.dataDir);
  const { initdb, postgres } = options.binaries ?? findBinaries();
  const launch = await findLauncher(currentUser());
  const claim = await claimFolder(folder, options.serves ?? false);
  try {
    const { data, password } = await ensureCluster({ folder, initdb, launch, durable });
    const orphan = await findOrphan(data);
    const isAdopted = orphan !== null && (await options.mayGoOn?.(orphan.port)) === true;
    if (!isAdopted) await orphan?.stop();
    const settings = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE), ...options.settings };
    const wanted = { folder, data, postgres, launch, settings };
    let server = isAdopted ? orphan : await startServer(wanted);
    const { port } = server;
    const urlOf = (database: string): string =>
      `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}${FULL_URL}`;
    const stop = async (): Promise<void> => {
      await server.stop();
      await claim.release();
    };
    await ensureDatabase(urlOf('postgres')).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    const restart = async (signal: AbortSignal): Promise<void> => {
      await (await findOrphan(data))?.stop();
      server = await startServer(wanted, { port, signal });
    };
    const isDiskFull = async (): Promise<boolean> => {
      const { bavail, bsize } = await statfs(data);
      return bavail * bsize < WAL_FILE_BYTES;
    };
    return {
      adminUrl: urlOf(DATABASE),
      port,
      folder,
      claim: claim.id,
      isAdopted,
      ended: () => server.ended,
      restart,
      answers: () => answers(urlOf(DATABASE)),
      isDiskFull,
      stop,
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // without a listener Node would end the program
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // the statement that is running fails, too
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
