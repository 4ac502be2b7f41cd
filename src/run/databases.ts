/** The databases of a command: those of the settings, or the embedded database without settings. */
import { join } from 'node:path';
import type { Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';
import type { Migrated } from '../ledger/migrate/migrate.ts';
import { openLog, type Logger } from '../log.ts';
import { openEmbedded } from './embedded-databases.ts';
import { UNSUPERVISED } from './outlast.ts';

/** Disposing of them stops an embedded server that this process started. It does nothing to databases of the settings. */
export interface Databases extends AsyncDisposable {
  /** The URL for reading one account at a time: builds, figures, lists, tokens. */
  readonly ledgerUrl: string;
  /** The URL for tables that servers and workers write: limits, last use of tokens, the queue. */
  readonly serviceUrl: string;
  /** The URL for migrating and loading; null without OWNER_URL. */
  readonly ownerUrl: string | null;
  /** True for the embedded database, which the first start fills with the fixture company. */
  readonly embedded: boolean;
  /** The migrations that were just applied. */
  readonly migrated: Migrated | null;
  /** How often the embedded server of this process has ended by itself; 0 for any other database. */
  readonly ends: () => number;
  /**
   * Runs a step of the start of a program that serves. Runs it again if the embedded server ended during it and was started
   * again. So the step must be repeatable.
   */
  readonly outlast: <Result>(step: () => Promise<Result>) => Promise<Result>;
  /** Rejects when the embedded server has ended and could not be restarted; never settles for databases of the settings. */
  readonly lost: Promise<never>;
}

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
