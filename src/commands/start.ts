/** `npm start`: runs everything in one process, from an empty folder to a served, audited snapshot. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot start
  DATA_DIR=/var/lib/crossfoot PORT=8080 npx --no crossfoot start`;

/** Adds the command to the program. */
export function addStartCommand(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('start a database if none is set, load the fixture company if it is empty, build and serve')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { start } = await import('./actions/start.ts');
      await start(context);
    });
}
