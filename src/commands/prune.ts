/**
 * `crossfoot prune`: deletes expired snapshots and abandoned builds, or lists them. `crossfoot retention`: deletes and scrubs,
 * for a scheduler.
 */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/arguments.ts';
import type { PruneOptions } from './actions/prune.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot prune --dry-run
  npx --no crossfoot prune
  npx --no crossfoot prune --account 1 --json

A snapshot can be read for 14 days, and for at least a day after a newer one replaces it. Its files are deleted a day
later. The newest snapshot is never deleted, nor are the files of the newest two undamaged ones. You can stop it at any
moment and run it again. It works on a full disk.`;
const RETENTION_EXAMPLES = `
Examples:
  npx --no crossfoot retention

It does what \`npx --no crossfoot prune\` and \`npx --no crossfoot scrub\` do, and writes it to the log. It queues a
rebuild of an account whose newest snapshot is damaged. It ends with 1 if an account was left alone or a snapshot is damaged.`;

/** Adds the command to the program. */
export function addPruneCommand(program: Command, context: CommandContext): void {
  program
    .command('prune')
    .description('delete expired snapshots and the files of dead builds')
    .option('--account <id>', 'only this account', parseId)
    .option('--dry-run', 'list what would be deleted and why; delete nothing', false)
    .option('--json', 'print one JSON line for each removal', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: PruneOptions) => {
      const { prune } = await import('./actions/prune.ts');
      await prune(options, context);
    });
}

/** Adds the command that deletes and scrubs to the program. */
export function addRetentionCommand(program: Command, context: CommandContext): void {
  program
    .command('retention')
    .description('delete what has expired, check the snapshots that are due, and log both')
    .addHelpText('after', RETENTION_EXAMPLES)
    .action(async () => {
      const { retention } = await import('./actions/nightly.ts');
      await retention(context);
    });
}
