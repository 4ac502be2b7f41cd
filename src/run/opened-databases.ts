/** What a command knows of the databases that it opened. */
import type { Migrated } from '../ledger/migrate/migrate.ts';

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
