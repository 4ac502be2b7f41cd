/** `crossfoot prune`: takes away expired snapshots and what dead builds left, or tells what would go. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/id-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot prune --dry-run
  crossfoot prune
  crossfoot prune --account 1 --json

A snapshot may be read for 14 days, and for a day after a newer one replaced it; its files go a day later. The newest
never goes, and of the newest two that are whole the files stay. Safe to stop at any moment and to run twice. Works on a full disk.`;

export interface PruneOptions {
  readonly account?: bigint;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Adds the command to the program. */
export function addPruneCommand(program: Command, context: CommandContext): void {
  program
    .command('prune')
    .description('delete expired snapshots and what builds that died have left')
    .option('--account <id>', 'only this account', parseId)
    .option('--dry-run', 'tell what would go and why, and touch nothing', false)
    .option('--json', 'print one JSON line for each removal', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: PruneOptions) => {
      const { prune } = await import('./actions/prune.ts');
      await prune(options, context);
    });
}
