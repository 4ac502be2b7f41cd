/** `crossfoot serve`: the HTTP server over the databases and the store of the settings, until it is told to stop. */
import type { Command } from 'commander';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { startService } from '../../run/server/service.ts';
import { stoppedUnless } from '../../run/stopping.ts';

const EXAMPLES = `
Examples:
  crossfoot serve
  DATABASE_URL=postgres://crossfoot:…@db/crossfoot HOST=0.0.0.0 PORT=8080 crossfoot serve`;

/** Adds the command to the program. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('serve published snapshots over HTTP')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { settings, logger } = openSettings(context);
      const databases = await openDatabases(settings, context.signal, logger);
      try {
        const service = await startService({ settings, ...databases, logger });
        context.print(`ready ${new URL(service.baseUrl).origin}`);
        try {
          await stoppedUnless(context.signal, databases.lost);
        } finally {
          await service.close();
        }
      } finally {
        await databases.stop();
      }
    });
}
