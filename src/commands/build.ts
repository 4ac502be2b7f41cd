/**
 * `crossfoot build`: builds one snapshot for each reporting account, or only for `--account`. A failed account does not
 * stop the others; see actions/build.ts.
 */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import type { BuildOptions } from './actions/build.ts';
import { parseCount, parseId } from './terminal/arguments.ts';

/** As in `BUILD_RANGES`. */
const MAX_RANGES = 64;

const EXAMPLES = `
Examples:
  npx --no crossfoot build
  npx --no crossfoot build --account 1
  npx --no crossfoot build --account 1 --ranges 8`;

/** Adds the command to the program. */
export function addBuildCommand(program: Command, context: CommandContext): void {
  program
    .command('build')
    .description('build, audit and publish a snapshot of each account that reports')
    .option('--account <id>', 'only this account', parseId)
    .option(
      '--ranges <count>',
      'cut each long table into so many ranges, for several connections and other workers',
      parseCount(MAX_RANGES),
    )
    .option(
      '--accept-ledger',
      'publish although the newest snapshot read a later state of the ledger: after the ledger was restored',
      false,
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: BuildOptions) => {
      const { build } = await import('./actions/build.ts');
      await build(options, context);
    });
}
