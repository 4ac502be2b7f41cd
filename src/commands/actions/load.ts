/** What `crossfoot load` does: it loads a folder, and tells what became of every table. */
import { isCrossfootError } from '../../errors.ts';
import { readLeftOutOfAccounts } from '../../ledger/moment/left-out.ts';
import type { LoadFault } from '../../ledger/load/faults.ts';
import type { LoadProgress } from '../../ledger/load/files.ts';
import type { LoadedTable } from '../../ledger/load/write.ts';
import { load } from '../../ledger/load/load.ts';
import { asOwner } from '../../run/as-owner.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { requireOwner, openDatabases } from '../../run/databases.ts';
import { leftOutOfAccounts } from '../terminal/left-out-report.ts';
import { unlessStopped } from '../../run/stopping.ts';
import type { LoadOptions } from '../load.ts';

/** What a load of these may leave without a dollar figure. */
const ENTRIES = ['cost_entries', 'value_entries'];

/** Loads the folder into the ledger of the settings, or says everything that is wrong with it. */
export async function loadFolder(
  folder: string,
  options: LoadOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  await using databases = await openDatabases(settings, context.signal);
  try {
    const onProgress = (progress: LoadProgress): void => context.say(progressLine(progress));
    const request = { ...options, url: requireOwner(databases), folder, onProgress };
    const loaded = await unlessStopped(context.signal, load(request));
    for (const table of loaded) context.print(tableLine(table));
    if (loaded.some(({ table }) => ENTRIES.includes(table))) {
      const left = await asOwner(databases, 'crossfoot load', readLeftOutOfAccounts);
      for (const line of leftOutOfAccounts(left)) context.print(line);
    }
  } catch (error) {
    if (isCrossfootError(error, 'load_rejected')) {
      for (const fault of error.data['faults'] as LoadFault[]) context.say(faultLine(fault)); // Its only data.
    }
    throw error;
  }
}

/** A fault as a person reads it: where, what, and what would have been right. */
function faultLine({ file, line, column, value, expected }: LoadFault): string {
  const place = [file, line === null ? null : `line ${line}`, column]
    .filter((part) => part !== null)
    .join(', ');
  return `${place}: ${value === null ? 'empty' : JSON.stringify(value)}, expected ${expected}`;
}

/** What became of a table, in one line. */
function tableLine(table: LoadedTable): string {
  const { inserted, updated, unchanged, deleted, missing, missingKeys } = table;
  const counts = `${table.table}: ${inserted} inserted, ${updated} updated, ${unchanged} unchanged, ${deleted} deleted`;
  if (missing === 0) return counts;
  const more = missing > missingKeys.length ? ', …' : '';
  return `${counts}; not in the file and kept: ${missing} (${missingKeys.join(', ')}${more})`;
}

function progressLine({ step, table, rows }: LoadProgress): string {
  return `${step} ${table}: ${rows} rows`;
}
