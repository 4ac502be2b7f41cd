/** The action of `crossfoot serve`: serves until a signal stops the process. */
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { startService } from '../../run/server/service.ts';
import { stoppedUnless } from '../../run/stopping.ts';
import { issuerOf } from '../../serve/auth/well-known.ts';

/** Serves the databases and the store of the settings. */
export async function serve(context: CommandContext): Promise<void> {
  const { settings, logger } = openSettings(context);
  await using databases = await openDatabases(settings, context.signal, logger, { serves: true });
  await using service = await databases.outlast(() => startService({ settings, ...databases, logger }));
  context.print(`ready ${issuerOf(service.baseUrl)}`);
  await stoppedUnless(context.signal, databases.lost);
}
