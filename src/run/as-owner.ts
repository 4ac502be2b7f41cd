/** Work on the ledger as its owner: row security does not restrict this role, so it never serves requests. */
import type { Client } from 'pg';
import { openClient } from '../ledger/connect.ts';
import { type CommandContext, openSettings } from './context.ts';
import { type Databases, requireOwner, openDatabases } from './databases.ts';

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
 * afterwards.
 */
export async function withOwner<Result>(
  context: CommandContext,
  applicationName: string,
  run: (owner: Client) => Promise<Result>,
): Promise<Result> {
  const { settings } = openSettings(context);
  await using databases = await openDatabases(settings, context.signal);
  return await asOwner(databases, applicationName, run);
}
