/** `crossfoot serve`: the HTTP server over the databases and the store of the settings, until it is told to stop. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { type CommandContext, openSettings } from './command.ts';
import { openDatabases } from './databases.ts';
import { startService } from './service.ts';

/** Adds the command to the program. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('serve published snapshots over HTTP')
    .action(async () => {
      const { settings, logger } = openSettings(context);
      const databases = await openDatabases(settings);
      try {
        const service = await startService({ settings, ledgerUrl: databases.ledgerUrl, logger });
        context.print(`ready ${new URL(service.baseUrl).origin}`);
        await stopped(context.signal);
        await service.close();
      } finally {
        await databases.stop();
      }
    });
}

/** Resolves when the process was told to stop. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
