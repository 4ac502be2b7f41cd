/** `crossfoot rates`: published euro reference rates, and the conversion of entries to dollars. */
import { type Command, InvalidArgumentError } from 'commander';
import { addDays, type Day } from '../../figures/calendar.ts';
import type { AcceptedRate } from '../../ledger/convert/import-rates.ts';
import type { CommandContext } from '../../run/context.ts';
import type { ImportOptions } from './import.ts';
import { parseId } from '../terminal/arguments.ts';
import type { ShowOptions } from './show.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot rates import ./eurofxref-hist.zip
  npx --no crossfoot rates import https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip
  npx --no crossfoot rates convert --account 1
  npx --no crossfoot rates show GBP --from 2026-06-01 --through 2026-06-30

Import and convert need OWNER_URL, or the embedded database of DATA_DIR.`;

/** Adds the command to the program. */
export function addRatesCommand(program: Command, context: CommandContext): void {
  const rates = program
    .command('rates')
    .description('import published euro reference rates, convert entries to dollars, show a rate')
    .addHelpText('afterAll', EXAMPLES);
  rates
    .command('import')
    .description(
      "read the European Central Bank's history of rates, a CSV or its zip; if a stored rate differs, nothing is imported",
    )
    .argument('<file or url>', 'a file, or an https:// address')
    .option('--revise', 'replace stored rates that differ from the file, instead of refusing the file', false)
    .option(
      '--accept-rate <currency=day>',
      'take this rate although it is far from the thirty published days before; may be repeated',
      parseAccepted,
    )
    .option('--json', 'print one JSON object', false)
    .action(async (named: string, options: ImportOptions) => {
      const { parseSource } = await import('../../rates/source.ts');
      const source = parseSource(named);
      const { importRatesFrom } = await import('./import.ts');
      await importRatesFrom(source, options, context);
    });
  rates
    .command('convert')
    .description(
      'give every entry in an open month the rate of its period or booking day, if that rate is published',
    )
    .option('--account <id>', 'only this account', parseId)
    .option('--json', 'print one JSON object', false)
    .action(async (options: { account?: bigint; json: boolean }) => {
      const { convertRates } = await import('./convert.ts');
      await convertRates(options, context);
    });
  rates
    .command('show')
    .description(
      'show the published days of a currency in a period, their average, and whether it is complete',
    )
    .argument('<currency>', 'three capital letters', parseCurrency)
    .option('--from <day>', 'the first day; the first of this month if left out', parseDay)
    .option('--through <day>', 'the last day; the end of the month of --from if left out', parseDay)
    .option('--json', 'print one JSON object', false)
    .action(async (currency: string, options: ShowOptions) => {
      const { showRates } = await import('./show.ts');
      await showRates(currency, options, context);
    });
}

/** Parses a currency other than the dollar. */
function parseCurrency(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new InvalidArgumentError('A currency is three capital letters.');
  if (text === 'USD') throw new InvalidArgumentError('USD needs no rate: name another currency.');
  return text;
}

/** Parses a rate that is accepted, such as USD=2026-11-20, and adds it to those before. */
function parseAccepted(text: string, before: readonly AcceptedRate[] = []): readonly AcceptedRate[] {
  const [currency = '', day = ''] = text.split('=');
  if (!/^[A-Z]{3}=[^=]*$/.test(text)) {
    throw new InvalidArgumentError('Write the currency and the day of the rate, such as USD=2026-11-20.');
  }
  return [...before, { currency, day: parseDay(day) }];
}

/** Parses a calendar day. */
function parseDay(text: string): Day {
  const written = /^(?:199\d|20\d\d|21\d\d)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text);
  // `addDays` normalises an impossible day such as 30 February to another day.
  if (!written || addDays(text, 0) !== text) throw new InvalidArgumentError('A day is written YYYY-MM-DD.');
  return text;
}
