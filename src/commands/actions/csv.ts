/** The action of `crossfoot csv`: writes a table of a snapshot into a new file. */
import { rm } from 'node:fs/promises';
import { CrossfootError } from '../../errors.ts';
import { openChosenSnapshot } from '../terminal/chosen-snapshot.ts';
import { createNewFile } from '../terminal/new-file.ts';
import { servedTables } from '../../snapshot/format/manifest.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';

export interface CsvOptions {
  readonly account: bigint;
  readonly snapshot: string;
  readonly spreadsheet: boolean;
  readonly to?: string;
}

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
  await using file = await createNewFile(to, 'csv');
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
