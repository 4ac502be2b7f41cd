/** `crossfoot rates`: published euro reference rates, and the dollars that they make of entries. */
import type { Command } from 'commander';
import type { CommandContext } from '../../run/context.ts';
import { parseId } from '../terminal/id-argument.ts';
import { convertRates } from './convert.ts';
import { importRatesFrom } from './import.ts';
import { parseCurrency, parseDay, type ShowOptions, showRates } from './show.ts';

const EXAMPLES = `
Examples:
  crossfoot rates import ./eurofxref-hist.zip
  crossfoot rates import https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip
  crossfoot rates convert --account 1
  crossfoot rates show GBP --from 2026-06-01 --through 2026-06-30

Import and convert need OWNER_URL, or the embedded database of a DATA_DIR that no running instance uses.`;

/** Adds the command to the program. */
export function addRatesCommand(program: Command, context: CommandContext): void {
  const rates = program
    .command('rates')
    .description('import published euro reference rates, convert entries to dollars, show a rate')
    .addHelpText('after', EXAMPLES);
  rates
    .command('import')
    .description(
      "read the European Central Bank's history of rates, a CSV or its zip; what is there is not changed",
    )
    .argument('<file or url>', 'a file, or an https:// address')
    .option('--revise', 'take over what the file says otherwise than was published', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', EXAMPLES)
    .action((source: string, options: { revise: boolean; json: boolean }) =>
      importRatesFrom(source, options, context),
    );
  rates
    .command('convert')
    .description('give every entry the rate of its period, where one is published and its month is open')
    .option('--account <id>', 'only this account', parseId)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', EXAMPLES)
    .action((options: { account?: bigint; json: boolean }) => convertRates(options, context));
  rates
    .command('show')
    .description(
      'show the published days of a currency in a period, their average, and whether it is complete',
    )
    .argument('<currency>', 'three capital letters', parseCurrency)
    .option('--from <day>', 'the first day; the first of this month if left out', parseDay)
    .option('--through <day>', 'the last day; the end of the month of --from if left out', parseDay)
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', EXAMPLES)
    .action((currency: string, options: ShowOptions) => showRates(currency, options, context));
}
