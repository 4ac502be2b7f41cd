/** Work on the ledger as its owner: row security does not restrict this role, so it never serves requests. */
import type { Client } from 'pg';
import { openClient } from '../ledger/connect.ts';
import { type CommandContext, openSettings } from './context.ts';
import { type DatabaseUse, requireOwner, openDatabases } from './databases.ts';
import type { Databases } from './opened-databases.ts';
import { loadCatalogue } from './demo/shared-rows.ts';
import { unlessStopped } from './stopping.ts';

/** Runs `run` with one connection as the owner, then closes the connection. */
export async function asOwner<Result>(
  databases: Pick<Databases, 'ownerUrl'>,
  applicationName: string,
  run: (owner: Client) => Promise<Result>,
): Promise<Result> {
  await using owner = await openClient({ url: requireOwner(databases), role: 'cf_owner', applicationName });
  return await run(owner);
}

/**
 * Runs `run` as `asOwner` does, for a command that needs no other database: opens the databases and closes them
 * afterwards. A database that the command creates gets the catalogue first: its platforms are named by files of rows.
 * A signal ends the command although a statement waits for a lock: the end of its session rolls back what it began.
 */
export async function withOwner<Result>(
  context: CommandContext,
  applicationName: string,
  run: (owner: Client, databases: Pick<Databases, 'embedded'>) => Promise<Result>,
  { creates = false }: Pick<DatabaseUse, 'creates'> = {},
): Promise<Result> {
  const { settings, logger } = openSettings(context);
  await using databases = await openDatabases(settings, context.signal, logger, { creates });
  const isNew = (databases.migrated?.applied.length ?? 0) > 0;
  if (creates && isNew) await loadCatalogue(requireOwner(databases));
  const running = asOwner(databases, applicationName, (owner) => run(owner, databases));
  return await unlessStopped(context.signal, running);
}
