/** The databases a command works with: those of the settings, or the embedded one that needs no settings. */
import { join } from 'node:path';
import type { Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';
import { openLogins } from '../embedded/logins.ts';
import { superviseEmbedded } from '../embedded/supervisor.ts';
import { startEmbedded } from '../embedded/embedded.ts';
import { migrate, type Migrated } from '../ledger/migrate/migrate.ts';
import { SCHEMA_FOLDER } from '../ledger/migrate/schema-folder.ts';
import { openLog, type Logger } from '../log.ts';
import { PACE } from './surroundings.ts';

/** Disposing of them ends the embedded server; there is nothing to do for databases of the settings. */
export interface Databases extends AsyncDisposable {
  /** Reads one account at a time: builds, figures, lists, tokens. */
  readonly ledgerUrl: string;
  /** Where servers and workers write what is their own: limits, last use of tokens, the queue. */
  readonly serviceUrl: string;
  /** Migrates and loads; null when no OWNER_URL was given. */
  readonly ownerUrl: string | null;
  /** True for the database of our own, which a first start fills with the fixture company. */
  readonly embedded: boolean;
  /** What was applied to it just now. */
  readonly migrated: Migrated | null;
  /** Rejects once the embedded server ended and could not be started again; never settles for one of the settings. */
  readonly lost: Promise<never>;
}

/** Opens the settings' databases, or starts the embedded one and brings it up to date, unless told to stop. */
export async function openDatabases(
  settings: Settings,
  signal: AbortSignal,
  logger: Logger = openLog(settings),
): Promise<Databases> {
  signal.throwIfAborted();
  const { databaseUrl, ledgerUrl, ownerUrl } = settings;
  if (ledgerUrl !== null) {
    const serviceUrl = databaseUrl ?? ledgerUrl;
    return {
      ledgerUrl,
      serviceUrl,
      ownerUrl,
      embedded: false,
      migrated: null,
      lost: new Promise<never>(() => undefined),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  await using opened = new AsyncDisposableStack();
  const { dataDir } = settings;
  const server = await startEmbedded({ dataDir });
  const supervised = superviseEmbedded(server, {
    sleep: PACE.sleep,
    clock: () => performance.now(),
    onEvent: (event) =>
      event === 'database.ended' ? logger.error('database.ended') : logger.info('database.restarted'),
  });
  opened.defer(() => supervised.stop());
  const migrated = await migrate({ adminUrl: server.adminUrl, folder: SCHEMA_FOLDER, dataDir, signal });
  const logins = await openLogins(server.adminUrl, ['cf_reader', 'cf_service', 'cf_owner']);
  signal.throwIfAborted();
  const running = opened.move();
  return {
    ledgerUrl: logins.cf_reader,
    serviceUrl: logins.cf_service,
    ownerUrl: logins.cf_owner,
    embedded: true,
    migrated,
    lost: supervised.lost,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The owner's URL, or what to set to have one. */
export function requireOwner({ ownerUrl }: Pick<Databases, 'ownerUrl'>): string {
  if (ownerUrl !== null) return ownerUrl;
  throw new CrossfootError('settings_invalid', 'This command writes to the ledger and needs OWNER_URL.', {
    hint: 'Set OWNER_URL to a login that is cf_owner or a member of it.',
  });
}

/** Where builds write their files before they are audited. */
export function spoolFolder(settings: Pick<Settings, 'dataDir'>): string {
  return join(settings.dataDir, 'spool');
}
