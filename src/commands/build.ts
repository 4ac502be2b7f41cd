/**
 * `crossfoot build`: builds one snapshot for each reporting account, or only for `--account`. A failed account does not
 * stop the others; see actions/build.ts.
 */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/id-argument.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot build
  npx --no crossfoot build --account 1`;

/** Adds the command to the program. */
export function addBuildCommand(program: Command, context: CommandContext): void {
  program
    .command('build')
    .description('build, audit and publish a snapshot of each account that reports')
    .option('--account <id>', 'only this account', parseId)
    .addHelpText('after', EXAMPLES)
    .action(async ({ account }: { account?: bigint }) => {
      const { build } = await import('./actions/build.ts');
      await build(account, context);
    });
}
