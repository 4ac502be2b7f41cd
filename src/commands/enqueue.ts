/** `crossfoot enqueue`: queues a rebuild before all other builds. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/arguments.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot enqueue --account 1
  npx --no crossfoot enqueue`;

/** Adds the command to the program. */
export function addEnqueueCommand(program: Command, context: CommandContext): void {
  program
    .command('enqueue')
    .description('queue a new snapshot of each account that reports; it is built before the nightly builds')
    .option('--account <id>', 'only this account', parseId)
    .addHelpText('after', EXAMPLES)
    .action(async ({ account }: { account?: bigint }) => {
      const { enqueue } = await import('./actions/enqueue.ts');
      await enqueue(account, context);
    });
}
