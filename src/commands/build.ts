/**
 * `crossfoot build`: builds one snapshot for each reporting account, or only for `--account`. A failed account does not
 * stop the others; see actions/build.ts. `crossfoot moment`: holds a moment of the ledger open, so that a cluster of the user
 * reads it.
 */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import type { BuildOptions } from './actions/build.ts';
import type { MomentOptions } from './actions/moment.ts';
import { parseCount, parseId } from './terminal/arguments.ts';

/** As in `BUILD_RANGES`. */
const MAX_RANGES = 64;

const EXAMPLES = `
Examples:
  npx --no crossfoot build
  npx --no crossfoot build --account 1
  npx --no crossfoot build --account 1 --ranges 8`;

const MAX_PLANNED_RANGES = 10_000;
/** A day: PostgreSQL keeps all row versions that the moment may see. */
const MAX_MINUTES = 1_440;

const MOMENT_EXAMPLES = `
Examples:
  npx --no crossfoot moment --account 4
  npx --no crossfoot moment --account 4 --ranges 64 --minutes 90 --to /shared/plan.json

The file says how a program joins the moment, and which ranges it reads. It holds no secret. The command prints its path once
the moment can be read. Ctrl-C, SIGTERM or the end of its minutes closes the moment and removes the file; a program that still
reads then fails.`;

/** Adds `build` to the program. */
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

/** Adds `moment` to the program. */
export function addMomentCommand(program: Command, context: CommandContext): void {
  program
    .command('moment')
    .description('hold one moment of the ledger open for a cluster of yours, and write how to read it')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--ranges <count>', 'cut each long table into so many ranges', parseCount(MAX_PLANNED_RANGES), 8)
    .option('--minutes <count>', 'close the moment after so many minutes', parseCount(MAX_MINUTES), 240)
    .option('--to <file>', 'the new file. An existing file is refused', 'plan.json')
    .addHelpText('after', MOMENT_EXAMPLES)
    .action(async (options: MomentOptions) => {
      const { holdMoment } = await import('./actions/moment.ts');
      await holdMoment(options, context);
    });
}
