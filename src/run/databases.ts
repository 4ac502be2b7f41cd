/** The databases of a command: those of the settings, or the embedded database without settings. */
import { join } from 'node:path';
import type { Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';
import { openLog, type Logger } from '../log.ts';
import { openEmbedded } from './embedded-databases.ts';
import type { Databases } from './opened-databases.ts';
import { UNSUPERVISED } from './outlast.ts';

/** What a command does with an embedded database; false if omitted. */
export interface DatabaseUse {
  /** It serves until it is stopped. */
  readonly serves?: boolean;
  /** It creates the database where there is none. */
  readonly creates?: boolean;
}

/**
 * Opens the databases of the settings; without them joins the embedded database, or starts and migrates it. Throws if the
 * signal is aborted.
 */
export async function openDatabases(
  settings: Settings,
  signal: AbortSignal,
  logger: Logger = openLog(settings),
  { serves = false, creates = false }: DatabaseUse = {},
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
      ...UNSUPERVISED,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  return await openEmbedded({ settings, signal, logger, serves, creates });
}

/** The owner's URL; throws an error that says what to set. */
export function requireOwner({ ownerUrl }: Pick<Databases, 'ownerUrl'>): string {
  if (ownerUrl !== null) return ownerUrl;
  throw new CrossfootError('settings_invalid', 'This command writes to the ledger and needs OWNER_URL.', {
    hint: 'Set OWNER_URL to a login that is cf_owner or a member of it.',
  });
}

/** The folder in which builds write files before the audit. */
export function spoolFolder(settings: Pick<Settings, 'dataDir'>): string {
  return join(settings.dataDir, 'spool');
}
