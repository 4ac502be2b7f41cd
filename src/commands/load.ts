/** `crossfoot load`: loads files of rows, or a catalogue of Markdown, into the ledger in one transaction. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { CrossfootError } from '../errors.ts';
import {
  DECIMAL_SIGNS,
  ENCODINGS,
  type Expected,
  LOAD_MODES,
  parseExpected,
} from '../ledger/staging/mode.ts';
import { parseId } from './terminal/arguments.ts';
import type { LoadOptions } from './actions/load.ts';
import type { FocusOptions } from './actions/load-focus.ts';

const EXAMPLES = `
Examples:
  npx --no crossfoot load ./export --mode insert
  npx --no crossfoot load ./export --mode upsert --delete-missing
  npx --no crossfoot load cost_entries.csv.gz value_entries.parquet --account 7
  npx --no crossfoot load ./own-pages
  npx --no crossfoot load --describe cost_entries
  npx --no crossfoot load "Invoices March.csv" --table cost_entries --account 7 --columns columns.yml
  npx --no crossfoot load --focus ./bills --account 1 --map mapping.yml --dry-run
  npx --no crossfoot load ./export --mode replace-account --account 7`;

interface Described {
  /** A table, or true for all. */
  readonly describe?: string | true;
}

const NOT_WITH_FOCUS = [
  'deleteMissing',
  'complete',
  'allowRemoval',
  'table',
  'columns',
  'decimal',
  'rejects',
] as const;

/** Adds the command to the program. */
export function addLoadCommand(program: Command, context: CommandContext): void {
  program
    .command('load')
    .description(
      'load files named after the tables of the ledger, or a catalogue of Markdown: all or nothing',
    )
    .argument('[paths...]', 'the files, or the folders that hold them; - is standard input')
    .addOption(
      new Option(
        '--decimal <sign>',
        'the decimal sign of amounts, for amounts that could be read in two ways, such as 1.234',
      ).choices(DECIMAL_SIGNS),
    )
    .addOption(
      new Option(
        '--encoding <name>',
        'the encoding of CSV and JSON lines, if they are not in UTF-8; a byte order mark says it, too',
      ).choices(ENCODINGS),
    )
    .option(
      '--ignore <pattern>',
      'leave out the files of folders whose names match, such as "*.zip"; may be repeated',
      (pattern: string, before: readonly string[]) => [...before, pattern],
      [],
    )
    .option('--table <name>', 'the table of standard input, or of the only file, which may have any name')
    .option(
      '--columns <file>',
      'a YAML file that says which column each of your own headings means, by table',
    )
    .addOption(
      new Option('--mode <mode>', 'what to do with rows that are there already')
        .choices(LOAD_MODES)
        .default('upsert'),
    )
    .option('--source <name>', 'where the files come from: source_ref names a row within it', parseSource)
    .option(
      '--complete',
      'with upsert: delete the rows of this --source that the file does not have; needs the column source_ref',
    )
    .option(
      '--allow-removal',
      'with --complete: delete also where a file has no row, or over a tenth of the amounts of its source',
    )
    .option(
      '--delete-missing',
      'with upsert: delete the rows of an account in the file that the file does not have; needs the column id',
    )
    .option(
      '--expect <line>',
      'refuse files that do not hold these rows and sums together, such as rows=3,USD=100.00',
      parseExpect,
    )
    .option('--dry-run', 'print what would change, and change nothing')
    .option(
      '--rejects <file>',
      'write the refused rows with their reasons as CSV; an existing file is refused',
    )
    .option('--focus', 'the files are bills in the format of FOCUS 1.0 to 1.4: CSV, CSV.gz or Parquet')
    .option('--map <file>', 'with --focus: a YAML file that says which charges belong to which initiative')
    .option(
      '--parts',
      'with --focus: load files of different folders with charges for the same times, as parts of one bill',
    )
    .option('--describe [table]', 'load nothing: say what each column of a table holds, or list the tables')
    .option('--json', 'print one JSON object: the tables, and each file with its SHA-256, rows and sums')
    .option('--account <id>', 'refuse rows of any other account; files may omit account_id', parseId)
    .addHelpText('after', EXAMPLES)
    .action(
      async (
        paths: readonly string[],
        { describe, focus, map, parts, ...options }: LoadOptions & FocusOptions & Described,
      ) => {
        if (describe !== undefined) {
          const { describeTables } = await import('./actions/describe.ts');
          await describeTables(describe === true ? null : describe, context);
          return;
        }
        if (paths.length === 0) {
          throw new CrossfootError(
            'usage_invalid',
            "missing required argument 'paths': load needs files or folders",
            {
              hint: 'Name them, or - for standard input; npx --no crossfoot load --describe lists the tables.',
            },
          );
        }
        if (focus) {
          const other =
            NOT_WITH_FOCUS.find((name) => options[name] !== undefined) ??
            (options.mode === 'upsert' ? null : 'mode');
          if (other !== null) {
            throw new CrossfootError('usage_invalid', `--focus does not go with --${kebab(other)}.`, {
              hint: 'It takes --account, --map, --parts, --source, --encoding, --ignore, --expect, --json and --dry-run.',
            });
          }
          const { loadFocusPaths } = await import('./actions/load-focus.ts');
          const own = { ...(map !== undefined && { map }), ...(parts && { parts }) };
          await loadFocusPaths(paths, { ...options, ...own }, context);
          return;
        }
        if (map !== undefined) throw new CrossfootError('usage_invalid', '--map needs --focus.');
        if (parts) throw new CrossfootError('usage_invalid', '--parts needs --focus.');
        if (options.deleteMissing && options.mode === 'insert') {
          throw new CrossfootError('usage_invalid', '--delete-missing needs --mode upsert.');
        }
        if (options.complete && options.mode !== 'upsert') {
          throw new CrossfootError('usage_invalid', '--complete needs --mode upsert.');
        }
        if (options.allowRemoval && !options.complete) {
          throw new CrossfootError('usage_invalid', '--allow-removal needs --complete.');
        }
        const { loadPaths } = await import('./actions/load.ts');
        await loadPaths(paths, options, context);
      },
    );
}

function kebab(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parseExpect(text: string): Expected {
  const expected = parseExpected(text);
  if (expected === null) throw new InvalidArgumentError('Write a line such as rows=3,USD=100.00.');
  return expected;
}

function parseSource(text: string): string {
  const source = text.trim();
  if (source === '') throw new InvalidArgumentError('Give the files a source, such as billing.');
  return source;
}
