/** `crossfoot csv`: writes one table of a snapshot to a CSV file. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { parseId } from './terminal/arguments.ts';
import type { CsvOptions } from './actions/csv.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot csv costs --account 1
  npx --no crossfoot csv costs --account 1 --spreadsheet --to costs-for-excel.csv
  npx --no crossfoot csv reported_totals --account 1 --snapshot 20261120T020000Z
  npx --no crossfoot csv focus --account 1

The table focus has the costs in the format of FOCUS 1.2, for FinOps tools.
Without --spreadsheet every value equals that of the Parquet file. With it a spreadsheet opens the same values safely: the
file begins with a byte order mark, and each text that would run as a formula gets an apostrophe before it. Dollars with
decimals, and titles beside ids, are in the file "CSV for spreadsheets" of the pages.`;

/** Adds the command to the program. */
export function addCsvCommand(program: Command, context: CommandContext): void {
  program
    .command('csv')
    .description('write a table of a snapshot as CSV, for programs or for spreadsheets')
    .argument('<table>', 'one of the 14 tables, or focus')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--snapshot <name>', 'the id of a snapshot, a pin, or the newest', 'latest')
    .option('--spreadsheet', 'write the same values so that a spreadsheet opens them safely', false)
    .option('--to <file>', 'the new file; <table>.csv if omitted. An existing file is refused')
    .addHelpText('after', EXAMPLES)
    .action(async (table: string, options: CsvOptions) => {
      const { writeCsv } = await import('./actions/csv.ts');
      await writeCsv(table, options, context);
    });
}
