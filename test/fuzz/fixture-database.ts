/** The fixture company in a PostgreSQL of its own, for campaigns, which run without the tests' one. */
import { openLogins } from '../../src/embedded/logins.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import { migrate } from '../../src/ledger/migrate/migrate.ts';
import { SCHEMA_FOLDER } from '../../src/ledger/schema-folder.ts';
import { loadDemoLedger } from '../../src/run/demo/demo-ledger.ts';

const LOGINS = ['cf_reader', 'cf_service', 'cf_owner', 'cf_backup'] as const;

export interface FixtureDatabase {
  readonly logins: Readonly<Record<(typeof LOGINS)[number], string>>;
  stop(): Promise<void>;
}

/** Starts it below this folder and loads the company; nothing of it has to survive a power cut. */
export async function openFixtureDatabase(dataDir: string): Promise<FixtureDatabase> {
  const server = await startEmbedded({ dataDir, durable: false });
  try {
    await migrate({ adminUrl: server.adminUrl, folder: SCHEMA_FOLDER });
    const logins = await openLogins(server.adminUrl, LOGINS);
    await loadDemoLedger(logins.cf_owner);
    return { logins, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
