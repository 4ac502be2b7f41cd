/** `crossfoot snapshots`: lists the readable snapshots of an account, newest first. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/arguments.ts';
import type { ListOptions } from './actions/snapshots.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot snapshots --account 1
  npx --no crossfoot snapshots --account 1 --json
  npx --no crossfoot snapshots --account 1 --accept-head

chain: whether the log entry of the snapshot follows the entry before it, and names the stored manifest. The column then
lists pins, a retraction and damaged files. To check the files themselves, run npx --no crossfoot verify <id> --account <id>.`;

/** Adds the command to the program. */
export function addSnapshotsCommand(program: Command, context: CommandContext): void {
  program
    .command('snapshots')
    .description('list the readable snapshots of an account, newest first')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--json', 'print one JSON array', false)
    .option(
      '--accept-head',
      'accept the stored log, although it lacks or changes entries that were read earlier',
      false,
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions & { acceptHead: boolean }) => {
      const { accept, list } = await import('./actions/snapshots.ts');
      await (options.acceptHead ? accept(options.account, context) : list(options, context));
    });
}
