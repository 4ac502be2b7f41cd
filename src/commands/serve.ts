/** `crossfoot serve`: runs the HTTP server with the databases and the store of the settings. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot serve
  DATABASE_URL=postgres://crossfoot:…@db/crossfoot HOST=0.0.0.0 PORT=8080 npx --no crossfoot serve`;

/** Adds the command to the program. */
export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('serve published snapshots over HTTP')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { serve } = await import('./actions/serve.ts');
      await serve(context);
    });
}
