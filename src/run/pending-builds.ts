/** The pending builds for a command that needs no database: it looks if a queue answers, and starts none. */
import { join } from 'node:path';
import type { Settings } from '../config.ts';
import { readLoginsOf } from '../embedded/logins.ts';
import { readOwner } from '../embedded/owner.ts';
import { openClient } from '../ledger/connect.ts';
import type { PendingBuild } from '../next-step.ts';
import { readPendingBuilds } from '../ops/pending-builds.ts';

type Places = Pick<Settings, 'dataDir' | 'databaseUrl' | 'ledgerUrl'>;

/** By account; null if no queue answers. */
export async function glanceAtPending(
  settings: Places,
  accounts: readonly bigint[],
): Promise<ReadonlyMap<bigint, PendingBuild> | null> {
  try {
    const url = await runningQueue(settings);
    if (url === null) return null;
    await using client = await openClient({ url, role: 'cf_service', applicationName: 'crossfoot why' });
    return await readPendingBuilds(client, accounts);
  } catch {
    // The records of the builds say why the database does not answer.
    return null;
  }
}

/** The URL of the queue; null while the embedded database does not run. */
async function runningQueue({ dataDir, databaseUrl, ledgerUrl }: Places): Promise<string | null> {
  if (ledgerUrl !== null) return databaseUrl ?? ledgerUrl;
  const folder = join(dataDir, 'postgres');
  const owner = await readOwner(folder);
  const logins = owner === null ? null : await readLoginsOf(folder, owner.claim);
  return logins?.urls.cf_service ?? null;
}
