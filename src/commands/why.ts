/** `crossfoot why`: how the last builds of each account ended, and the command to run next. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { ATTEMPTS_KEPT } from '../run/limits.ts';
import { parseCount, parseId } from './terminal/arguments.ts';
import type { WhyOptions } from './actions/why.ts';

const SHOWN = 3;
const EXAMPLES = `
Examples:
  npx --no crossfoot why
  npx --no crossfoot why --account 1 --last 20
  npx --no crossfoot why --account 1 --json

Shows the builds recorded in this DATA_DIR. It needs neither database nor store.
If the store answers, it names damaged snapshots and a retracted newest one, too. If the database answers, it says when a retry
follows or that no build waits; else it says that the queue does not answer.`;

/** Adds the command to the program. */
export function addWhyCommand(program: Command, context: CommandContext): void {
  program
    .command('why')
    .description('say how the last builds ended, and the one command to run next')
    .option('--account <id>', 'only this account', parseId)
    .option('--last <count>', 'how many builds of each account', parseCount(ATTEMPTS_KEPT), SHOWN)
    .option('--json', 'print one JSON array', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: WhyOptions) => {
      const { why } = await import('./actions/why.ts');
      await why(options, context);
    });
}
