/** `crossfoot status`: the progress of this night, and the age of each account's newest snapshot. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import type { StatusOptions } from './actions/status.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot status
  npx --no crossfoot status --amounts
  npx --no crossfoot status --json

refused: refused by the audit, a retry follows. failed: another error, a retry follows. dead: no retry is left after six
attempts; npx --no crossfoot enqueue --account <id> queues the build again. Each trouble has what follows, and when.`;

/** Adds the command to the program. */
export function addStatusCommand(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description("show the progress of tonight's builds and the age of each account's newest snapshot")
    .option('--json', 'print one JSON object', false)
    .option('--amounts', 'show each amount that totals leave out, with its reason', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: StatusOptions) => {
      const { tellStatus } = await import('./actions/status.ts');
      await tellStatus(options, context);
    });
}
