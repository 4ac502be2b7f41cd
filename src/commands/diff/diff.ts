/** `crossfoot diff`: what changed between two published snapshots of an account, and why its totals moved. */
import { type Command, Option } from 'commander';
import type { CommandContext } from '../../run/context.ts';
import { TABLES } from '../../tables/all.ts';
import { parseId } from '../terminal/arguments.ts';
import type { DiffOptions } from './compare.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot diff 20260714T020000Z latest --account 1
  npx --no crossfoot diff 20260714T020000Z 20260715T020000Z --account 1 --table costs
  npx --no crossfoot diff 20260714T020000Z latest --account 1 --json

Without --table it prints the number of changed rows and, for each changed total of the portfolio, the amounts that add up
to the change. With --table or --json it prints every changed row with its key and the columns that differ, of an added or
removed row every column with a value; for costs and reported value also the reason.
Either snapshot may be the older one. If the first is the newer one, amounts have the opposite sign.`;

/** Adds the command to the program. */
export function addDiffCommand(program: Command, context: CommandContext): void {
  program
    .command('diff')
    .description('show what changed between two snapshots, and why totals moved')
    .argument('<from>', 'the id of a snapshot, a pin, or latest')
    .argument('<to>', 'the id of a snapshot, a pin, or latest')
    .requiredOption('--account <id>', 'the account of the snapshots', parseId)
    .addOption(new Option('--table <name>', 'the rows of one table').choices(TABLES.map(({ name }) => name)))
    .option('--json', 'print one JSON object with every changed row', false)
    .addHelpText('after', EXAMPLES)
    .action(async (from: string, to: string, options: DiffOptions) => {
      const { compare } = await import('./compare.ts');
      await compare(from, to, options, context);
    });
}
