/** Work on the ledger as its owner: the role that is held by no row security, and so never serves. */
import type { Client } from 'pg';
import { openClient } from '../ledger/connect.ts';
import { type CommandContext, openSettings } from './context.ts';
import { type Databases, requireOwner, openDatabases } from './databases.ts';

/** Runs `run` with one connection as the owner and ends it, whatever happens. */
export async function asOwner<Result>(
  databases: Pick<Databases, 'ownerUrl'>,
  applicationName: string,
  run: (owner: Client) => Promise<Result>,
): Promise<Result> {
  const owner = await openClient({
    url: requireOwner(databases),
    role: 'cf_owner',
    applicationName,
    onError: () => undefined,
  });
  try {
    return await run(owner);
  } finally {
    await owner.end();
  }
}

/** The same for a command that needs nothing else: the databases of the settings, opened and stopped for it. */
export async function withOwner<Result>(
  context: CommandContext,
  applicationName: string,
  run: (owner: Client) => Promise<Result>,
): Promise<Result> {
  const { settings } = openSettings(context);
  const databases = await openDatabases(settings, context.signal);
  try {
    return await asOwner(databases, applicationName, run);
  } finally {
    await databases.stop();
  }
}
