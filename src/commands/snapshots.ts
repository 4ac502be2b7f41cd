/** `crossfoot snapshots`: what an account has published and may be read now, newest first. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/id-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot snapshots --account 1
  crossfoot snapshots --account 1 --json
  crossfoot snapshots --account 1 --accept-head

chain: whether its log entry follows the one before and its manifest is the one that entry names. Whether the files are
those the manifest names, crossfoot verify <id> --account <id> says. Pins, retractions and damage stand behind it.`;

export interface ListOptions {
  readonly account: bigint;
  readonly json: boolean;
}

/** Adds the command to the program. */
export function addSnapshotsCommand(program: Command, context: CommandContext): void {
  program
    .command('snapshots')
    .description('list the snapshots of an account that may be read now, newest first')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--json', 'print one JSON array', false)
    .option('--accept-head', 'accept the log as it is, although a later or another one was seen', false)
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions & { acceptHead: boolean }) => {
      const { accept, list } = await import('./actions/snapshots.ts');
      await (options.acceptHead ? accept(options.account, context) : list(options, context));
    });
}
