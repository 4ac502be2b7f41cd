/** `crossfoot csv`: one table of a snapshot as a CSV file. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Command } from 'commander';
import { CrossfootError } from '../../errors.ts';
import { openChosenSnapshot } from '../terminal/chosen-snapshot.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { parseId } from '../terminal/id-argument.ts';

const EXAMPLES = `
Examples:
  crossfoot csv costs --account 1
  crossfoot csv costs --account 1 --spreadsheet --to costs-for-excel.csv
  crossfoot csv reported_totals --account 1 --snapshot 20261120T020000Z

Without --spreadsheet every value is the very one of the Parquet file. With it a byte order mark stands first, and an
apostrophe before each text that a spreadsheet would run as a formula.`;

const REFUSED: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already, and csv writes over no file',
  ENOENT: 'its folder is not there',
  EACCES: 'this user may not write there',
};

interface CsvCommandOptions {
  readonly account: bigint;
  readonly snapshot: string;
  readonly spreadsheet: boolean;
  readonly to?: string;
}

/** Adds the command to the program. */
export function addCsvCommand(program: Command, context: CommandContext): void {
  program
    .command('csv')
    .description('write a table of a snapshot as CSV, for programs or for spreadsheets')
    .argument('<table>', 'the table')
    .requiredOption('--account <id>', 'the account', parseId)
    .option('--snapshot <id>', 'a snapshot, or the newest', 'latest')
    .option('--spreadsheet', 'write it for a spreadsheet instead of a program', false)
    .option('--to <file>', 'where to; <table>.csv if left out, and never over a file that is there')
    .addHelpText('after', EXAMPLES)
    .action((table: string, options: CsvCommandOptions) => write(table, options, context));
}

async function write(
  table: string,
  { account, snapshot: id, spreadsheet, to = `${table}.csv` }: CsvCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const { reader, snapshot } = await openChosenSnapshot(settings, account, id);
  const { snapshot_id } = snapshot;
  if (!snapshot.tables.some(({ name }) => name === table)) {
    throw new CrossfootError('not_found', `Snapshot ${snapshot_id} has no table ${table}.`, {
      hint: `It has ${snapshot.tables.map(({ name }) => name).join(', ')}.`,
    });
  }
  const csv = await reader.openCsv(account, snapshot_id, table, { forSpreadsheets: spreadsheet });
  await using file = await create(to);
  for await (const piece of csv) {
    context.signal.throwIfAborted();
    await file.writeFile(piece);
  }
  context.print(to);
}

/** A new file of that name; refused where it cannot be made. */
async function create(to: string): Promise<FileHandle> {
  try {
    return await open(to, 'wx');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    const found = REFUSED[code] ?? `the system refused it: ${code}`;
    throw new CrossfootError('usage_invalid', `${to} must be a new file; ${found}.`, {
      cause,
      hint: 'Name another file with --to, or remove the one that is there.',
    });
  }
}
