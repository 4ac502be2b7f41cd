/** The settings with which commands and workers of a test deliver to a store on this machine. */
import type { TestDatabase } from '../support/database.ts';
import { SEED } from '../support/signing.ts';

/** The settings by name; `more` are added, or take the place of one of these. */
export function deliverySettings(
  database: TestDatabase,
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: dataDir,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    OWNER_URL: database.url('cf_owner'),
    SIGNING_KEYS: SEED,
    SECRET_KEYS: '0'.repeat(32),
    DELIVERY_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    ...more,
  };
}
