/** `crossfoot load`: a folder of CSV files, or of Markdown, into the ledger, all of it or nothing. */
import { type Command, Option } from 'commander';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { readLeftOutOfAccounts } from '../../ledger/moment/left-out.ts';
import type { LoadFault } from '../../ledger/load/faults.ts';
import type { LoadProgress } from '../../ledger/load/files.ts';
import { LOAD_MODES, type LoadMode } from '../../ledger/load/mode.ts';
import type { LoadedTable } from '../../ledger/load/write.ts';
import { load } from '../../ledger/load/load.ts';
import { asOwner } from '../../run/as-owner.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { demandOwner, openDatabases } from '../../run/databases.ts';
import { parseId } from '../terminal/id-argument.ts';
import { leftOutOfAccounts } from '../terminal/left-out-report.ts';
import { unlessStopped } from '../../run/stopping.ts';

const EXAMPLES = `
Examples:
  crossfoot load ./export --mode insert
  crossfoot load ./export --mode upsert --delete-missing
  crossfoot load docs --mode upsert
  crossfoot load ./export --mode replace-account --account 7`;

/** What a load of these may leave without a dollar figure. */
const ENTRIES = ['cost_entries', 'value_entries'];

interface LoadOptions {
  readonly mode: LoadMode;
  readonly deleteMissing?: true;
  readonly account?: bigint;
}

/** Adds the command to the program. */
export function addLoadCommand(program: Command, context: CommandContext): void {
  program
    .command('load')
    .description(
      'load CSV files named after the tables of the ledger, or a catalogue of Markdown: all or nothing',
    )
    .argument('<folder>', 'the folder that holds them')
    .addOption(
      new Option('--mode <mode>', 'what to do with rows that are there already')
        .choices(LOAD_MODES)
        .makeOptionMandatory(),
    )
    .option('--delete-missing', 'upsert: delete what an account of a file has and the file does not')
    .option('--account <id>', 'refuse rows of any other account; files may leave it out', parseId)
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: LoadOptions) => {
      if (options.deleteMissing && options.mode === 'insert') {
        throw new CrossfootError('usage_invalid', '--delete-missing needs --mode upsert.');
      }
      const { settings } = openSettings(context);
      const databases = await openDatabases(settings, context.signal);
      try {
        const onProgress = (progress: LoadProgress): void => context.say(progressLine(progress));
        const request = { ...options, url: demandOwner(databases), folder, onProgress };
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
      } finally {
        await databases.stop();
      }
    });
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
