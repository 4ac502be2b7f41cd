/** `crossfoot scrub`: reads stored snapshots again and reports damaged ones. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { SCRUB_BUDGET_BYTES } from '../run/limits.ts';
import { parseCount, parseId } from './terminal/arguments.ts';
import type { ScrubOptions } from './actions/scrub.ts';

const NIGHTLY_MEGABYTES = SCRUB_BUDGET_BYTES / 1_000_000;
const EXAMPLES = `
Examples:
  npx --no crossfoot scrub --dry-run
  npx --no crossfoot scrub
  npx --no crossfoot scrub --account 1 --budget 2000

The newest snapshot of each account is due every day, each older one every seven days. If three reads find a file damaged,
it is not served until you restore it from a copy and a scrub finds every byte correct. A scrub deletes nothing.`;

/** Adds the command to the program. */
export function addScrubCommand(program: Command, context: CommandContext): void {
  program
    .command('scrub')
    .description('read stored snapshots again and put damaged ones into quarantine')
    .option('--account <id>', 'only this account', parseId)
    .option(
      '--budget <megabytes>',
      'how many megabytes to read at most; the remaining snapshots stay due',
      parseCount(100_000_000),
      NIGHTLY_MEGABYTES,
    )
    .option('--dry-run', 'list what is due; read nothing', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: ScrubOptions) => {
      const { scrubWith } = await import('./actions/scrub.ts');
      await scrubWith(options, context);
    });
}
