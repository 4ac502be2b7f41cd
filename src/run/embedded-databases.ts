/**
 * The embedded database of a command. The first program in a data folder owns it: it starts PostgreSQL, migrates, and stops
 * PostgreSQL at its end. A command that starts meanwhile joins the running database. `start`, `serve` and `work` never join.
 * They wait while a command owns the database, and are refused while another `start`, `serve` or `work` owns it.
 */
import { join, resolve } from 'node:path';
import type { Client } from 'pg';
import type { Settings } from '../config.ts';
import { CrossfootError, isCrossfootError } from '../errors.ts';
import { embeddedFolder, type EmbeddedPostgres, holdsCluster, startEmbedded } from '../embedded/embedded.ts';
import {
  openLogins,
  readLogins,
  readLoginsOf,
  type SharedLogins,
  shareLogins,
  unshareLogins,
} from '../embedded/logins.ts';
import { inUse, readOwner } from '../embedded/owner.ts';
import { superviseEmbedded } from '../embedded/supervisor.ts';
import { openClient } from '../ledger/connect.ts';
import { isAlone, markJoined, untilAlone } from '../ledger/joined-sessions.ts';
import { digestOf, readSqlFiles } from '../ledger/migrate/files.ts';
import { migrate } from '../ledger/migrate/migrate.ts';
import { SCHEMA_FOLDER } from '../ledger/schema-folder.ts';
import type { Logger } from '../log.ts';
import type { Databases } from './opened-databases.ts';
import { outlast, type Outlasted, UNSUPERVISED } from './outlast.ts';
import { CLOCK } from './machine.ts';

const POLL_MS = 100;
/** Two seconds: then the log says what the command waits for. */
const AWAITED_POLLS = 20;
/** Ten minutes: longer than a server takes to replay its log and to migrate. */
const MAX_POLLS = 6_000;

interface Asked {
  readonly settings: Pick<Settings, 'dataDir'>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** True for a program that serves until it is stopped. */
  readonly serves: boolean;
  /** True for a command that creates the database where there is none. */
  readonly creates: boolean;
}

/**
 * Joins the running embedded database, or starts it. Throws `embedded_in_use` if another process owns it and cannot share
 * it, `embedded_missing` if there is none and the command creates none.
 */
export async function openEmbedded(asked: Asked): Promise<Databases> {
  const { settings, signal, logger, serves, creates } = asked;
  if (!creates && !(await holdsCluster(settings.dataDir)) && !(await isBeingCreated(settings.dataDir)))
    throw missing(settings.dataDir);
  const folder = await embeddedFolder(settings.dataDir);
  const schema = await schemaDigest();
  for (let polls = 0; ; polls += 1) {
    signal.throwIfAborted();
    const owner = await readOwner(folder);
    if (owner === null) {
      const owned = await own(asked, schema).catch(ignoreInUse);
      if (owned !== null) return owned;
      continue;
    }
    if (polls === MAX_POLLS || (serves && owner.serves)) throw inUse(folder, owner);
    const logins = serves ? null : await readLoginsOf(folder, owner.claim);
    if (logins !== null) {
      // The owner is another version of the program, and our queries may not fit its schema.
      if (logins.schema !== schema) throw inUse(folder, owner);
      const joined = await joinServer(logins);
      if (joined !== null) return joined;
    }
    if (polls === (serves ? 0 : AWAITED_POLLS)) logger.info('database.awaited');
    await CLOCK.sleep(POLL_MS, signal);
  }
}

/** True while a first start makes the files of the database. */
async function isBeingCreated(dataDir: string): Promise<boolean> {
  return await readOwner(join(dataDir, 'postgres')).then(
    (owner) => owner !== null,
    () => false,
  );
}

function missing(dataDir: string): CrossfootError {
  return new CrossfootError(
    'embedded_missing',
    `There is no database in the data folder ${resolve(dataDir)}.`,
    {
      hint: 'Type the command in the folder of the clone, or set DATA_DIR. `npx --no crossfoot start`, `account add` and `migrate` create a database.',
    },
  );
}

/** Null if another process took the folder after it was seen free: the caller tries again. */
function ignoreInUse(error: unknown): null {
  if (isCrossfootError(error, 'embedded_in_use')) return null;
  throw error;
}

async function schemaDigest(): Promise<string> {
  const folders = ['ledger', 'views'].map((name) => readSqlFiles(join(SCHEMA_FOLDER, name)));
  return digestOf((await Promise.all(folders)).flat());
}

/** Starts the server, or takes over the server of a killed program; migrates, and shares the logins. */
async function own({ settings, signal, logger, serves }: Asked, schema: string): Promise<Databases> {
  await using opened = new AsyncDisposableStack();
  const { dataDir } = settings;
  const folder = await embeddedFolder(dataDir);
  const left = await readLogins(folder);
  const mayGoOn = async (port: number): Promise<boolean> =>
    left !== null && left.port === port && left.schema === schema && (await opensAs(left));
  const tools = { sleep: CLOCK.sleep, signal };
  const server = await outlast(() => startEmbedded({ dataDir, serves, mayGoOn }), NOT_YET, tools);
  const supervised = superviseEmbedded(server, {
    sleep: CLOCK.sleep,
    clock: () => performance.now(),
    onEvent: (event) =>
      event === 'database.ended' ? logger.error('database.ended') : logger.info('database.restarted'),
  });
  opened.defer(() => supervised.stop());
  const { ends, lost } = supervised;
  const outlasting: Databases['outlast'] = (step) =>
    outlast(step, { ends, lost, answers: () => server.answers() }, tools);
  const migrated = await outlasting(() =>
    migrate({ adminUrl: server.adminUrl, folder: SCHEMA_FOLDER, dataDir, signal }),
  );
  const urls = await outlasting(() => loginsOf(server, left));
  await shareLogins(folder, { claim: server.claim, port: server.port, schema, urls });
  opened.defer(() => unshareLogins(folder));
  opened.defer(() => finishJoined(urls.cf_reader, signal, logger));
  signal.throwIfAborted();
  const running = opened.move();
  return {
    ...databasesOf(urls),
    migrated,
    ends,
    outlast: outlasting,
    lost,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Before the server is supervised: a step that the server left is run again, and starts it. */
const NOT_YET: Outlasted = { ...UNSUPERVISED, answers: () => Promise.resolve(true) };

/** The logins of the server. A server taken over from a killed program keeps its passwords: joined commands use them. */
async function loginsOf(server: EmbeddedPostgres, left: SharedLogins | null): Promise<SharedLogins['urls']> {
  if (server.isAdopted && left !== null) return left.urls;
  return await openLogins(server.adminUrl, ['cf_reader', 'cf_service', 'cf_owner']);
}

async function opensAs({ urls }: SharedLogins): Promise<boolean> {
  try {
    await (await openReader(urls.cf_reader)).end();
    return true;
  } catch {
    return false;
  }
}

/** Joins the running server; null if the server stopped meanwhile. Any other failure would only repeat itself. */
async function joinServer({ urls }: SharedLogins): Promise<Databases | null> {
  try {
    const session = await openReader(urls.cf_reader);
    await markJoined(session);
    return {
      ...databasesOf(urls),
      migrated: null,
      ...UNSUPERVISED,
      [Symbol.asyncDispose]: () => session.end(),
    };
  } catch (error) {
    if (hasEnded(error)) return null;
    throw error;
  }
}

const ENDED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** True of a connection that failed because the server has stopped, or stops now. */
function hasEnded(error: unknown): boolean {
  const cause = isCrossfootError(error) ? error.cause : error;
  const { code = '', message } = cause as { readonly code?: string; readonly message: string };
  return ENDED.has(code) || code.startsWith('57P') || message.startsWith('Connection terminated');
}

/** Waits for the commands that joined; a program that was stopped by a signal waits for none. */
async function finishJoined(url: string, signal: AbortSignal, logger: Logger): Promise<void> {
  if (signal.aborted) return;
  try {
    const session = await openReader(url);
    if (await isAlone(session)) return;
    logger.info('database.awaited');
    signal.addEventListener('abort', () => void session.end(), { once: true });
    await untilAlone(session);
  } catch {
    // The server has ended, or a signal stopped the program: no command is left to wait for.
  }
}

function openReader(url: string): Promise<Client & AsyncDisposable> {
  return openClient({ url, role: 'cf_reader', applicationName: 'crossfoot joins' });
}

function databasesOf(
  urls: SharedLogins['urls'],
): Pick<Databases, 'ledgerUrl' | 'serviceUrl' | 'ownerUrl' | 'embedded'> {
  return { ledgerUrl: urls.cf_reader, serviceUrl: urls.cf_service, ownerUrl: urls.cf_owner, embedded: true };
}
