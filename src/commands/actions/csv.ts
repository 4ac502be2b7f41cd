/** The action of `crossfoot csv`: writes a table of a snapshot into a new file. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { CrossfootError } from '../../errors.ts';
import { openChosenSnapshot } from '../terminal/chosen-snapshot.ts';
import { servedTables } from '../../snapshot/format/manifest.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';

export interface CsvOptions {
  readonly account: bigint;
  readonly snapshot: string;
  readonly spreadsheet: boolean;
  readonly to?: string;
}

const REFUSED: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already, and csv overwrites no file',
  ENOENT: 'its folder does not exist',
  EACCES: 'this user has no right to write there',
};

/** Writes the table and prints the file's path. No file is left if it cannot be written to its end. */
export async function writeCsv(
  table: string,
  { account, snapshot: id, spreadsheet, to = `${table}.csv` }: CsvOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const { reader, snapshot } = await openChosenSnapshot(settings, account, id);
  const { snapshot_id } = snapshot;
  const tables = servedTables(snapshot).map(({ name }) => name);
  if (!tables.includes(table)) {
    throw new CrossfootError('not_found', `Snapshot ${snapshot_id} has no table ${table}.`, {
      hint: `The tables of the snapshot are ${tables.join(', ')}.`,
    });
  }
  const csv = await reader.openCsv(account, snapshot_id, table, { forSpreadsheets: spreadsheet });
  await using file = await create(to);
  try {
    for await (const piece of csv) {
      context.signal.throwIfAborted();
      await file.writeFile(piece);
    }
  } catch (error) {
    // What was written so far would pass for a whole table with fewer rows.
    await rm(to);
    throw error;
  }
  context.print(to);
}

/** Creates the file; throws if it exists or cannot be created. */
async function create(to: string): Promise<FileHandle> {
  try {
    return await open(to, 'wx');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    const reason = REFUSED[code] ?? `the operating system reports ${code}`;
    throw new CrossfootError('usage_invalid', `${to} must be a new file; ${reason}.`, {
      cause,
      hint: 'Name another file with --to, or remove the existing file.',
    });
  }
}
