/** `crossfoot scrub`: reads stored snapshots again before somebody needs them, and says which are damaged. */
import type { Command } from 'commander';
import { BYTES_PER_MEGABYTE } from '../format.ts';
import type { CommandContext } from '../run/context.ts';
import { SCRUB_BUDGET_BYTES } from '../run/limits.ts';
import { parseCount, parseId } from './terminal/id-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot scrub --dry-run
  crossfoot scrub
  crossfoot scrub --account 1 --budget 2000

Of each account the newest snapshot is due every day, each other once in seven. Files that are wrong three times over are
refused from then on, until they were restored from a copy and a scrub found every byte right. It deletes nothing.`;

export interface ScrubOptions {
  readonly account?: bigint;
  /** In megabytes. */
  readonly budget: number;
  readonly dryRun: boolean;
}

/** Adds the command to the program. */
export function addScrubCommand(program: Command, context: CommandContext): void {
  program
    .command('scrub')
    .description('read stored snapshots again and put damaged ones into quarantine')
    .option('--account <id>', 'only this account', parseId)
    .option(
      '--budget <megabytes>',
      'how much to read at most; the rest is due the next time',
      parseCount(100_000_000),
      SCRUB_BUDGET_BYTES / BYTES_PER_MEGABYTE,
    )
    .option('--dry-run', 'tell what is due, and read none of it', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: ScrubOptions) => {
      const { scrubWith } = await import('./actions/scrub.ts');
      await scrubWith(options, context);
    });
}
