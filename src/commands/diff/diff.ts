/** `crossfoot diff`: what changed between two published snapshots of an account, and why its totals moved. */
import { type Command, Option } from 'commander';
import type { CommandContext } from '../../run/context.ts';
import { TABLES } from '../../tables/all.ts';
import { parseId } from '../terminal/id-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot diff 20260714T020000Z latest --account 1
  crossfoot diff 20260714T020000Z 20260715T020000Z --account 1 --table costs
  crossfoot diff 20260714T020000Z latest --account 1 --json

Without --table: how many rows changed, and what moved the totals of the portfolio, amounts that add up to each move.
With it, or --json: every changed row, its key, the columns that differ, and for costs and reported value the reason.
Either snapshot may be the older one; read backwards in time, amounts have the other sign.`;

export interface DiffOptions {
  readonly account: bigint;
  readonly table?: string;
  readonly json: boolean;
}

/** Adds the command to the program. */
export function addDiffCommand(program: Command, context: CommandContext): void {
  program
    .command('diff')
    .description('tell what changed between two snapshots, and why totals moved')
    .argument('<from>', 'the id of a snapshot, or latest')
    .argument('<to>', 'the id of a snapshot, or latest')
    .requiredOption('--account <id>', 'whose snapshots they are', parseId)
    .addOption(new Option('--table <name>', 'the rows of one table').choices(TABLES.map(({ name }) => name)))
    .option('--json', 'print one JSON object with every changed row', false)
    .addHelpText('after', EXAMPLES)
    .action(async (from: string, to: string, options: DiffOptions) => {
      const { compare } = await import('./compare.ts');
      await compare(from, to, options, context);
    });
}
