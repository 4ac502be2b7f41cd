/** `crossfoot reporting`: switches an account's reporting tables on or off, as the ledger's owner. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/arguments.ts';
import type { SwitchOptions } from './actions/reporting.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot reporting on --account 1 --by 12
  npx --no crossfoot reporting on --account 1 --close-pins
  npx --no crossfoot reporting off --account 1

--close-pins: from now on, the first snapshot after each close of a month is pinned for 400 days, as close-YYYY-MM.
--no-close-pins stops these pins.

Needs OWNER_URL, or the embedded database of DATA_DIR.`;

/** Adds the command to the program. */
export function addReportingCommand(program: Command, context: CommandContext): void {
  const reporting = program
    .command('reporting')
    .description('switch the reporting tables of an account on or off')
    .addHelpText('afterAll', EXAMPLES);
  for (const on of [true, false]) {
    const command = reporting
      .command(on ? 'on' : 'off')
      .description(
        on ? 'build snapshots of the account from now on' : 'build no more snapshots, and serve none',
      )
      .requiredOption('--account <id>', 'the account', parseId)
      .option('--by <user id>', 'who decided: an owner or admin of the account', parseId)
      .action(async (options: SwitchOptions) => {
        const { turn } = await import('./actions/reporting.ts');
        await turn(on, options, context);
      });
    if (!on) continue;
    command
      .option('--close-pins', 'pin the first snapshot after each close of a month, from now on')
      .option('--no-close-pins', 'stop pinning these snapshots');
  }
}
