/** `crossfoot load`: loads a folder of CSV or Markdown files into the ledger, in one transaction. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../run/context.ts';
import { CrossfootError } from '../errors.ts';
import { LOAD_MODES, type LoadMode } from '../ledger/load/mode.ts';
import { parseId } from './terminal/id-argument.ts';

const EXAMPLES = `
Examples:
  npx crossfoot load ./export --mode insert
  npx crossfoot load ./export --mode upsert --delete-missing
  npx crossfoot load docs --mode upsert
  npx crossfoot load ./export --mode replace-account --account 7`;

export interface LoadOptions {
  readonly mode: LoadMode;
  readonly deleteMissing?: true;
  readonly complete?: true;
  readonly source?: string;
  readonly dryRun?: true;
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
        .default('upsert'),
    )
    .option('--source <name>', 'where the files come from: source_ref names a row within it', parseSource)
    .option('--complete', 'upsert: delete what this source had and a file does not; the file has source_ref')
    .option(
      '--delete-missing',
      'upsert: delete what an account of a file has and the file does not; the file has id',
    )
    .option('--dry-run', 'tell what would change, and change nothing')
    .option('--account <id>', 'refuse rows of any other account; files may leave it out', parseId)
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: LoadOptions) => {
      if (options.deleteMissing && options.mode === 'insert') {
        throw new CrossfootError('usage_invalid', '--delete-missing needs --mode upsert.');
      }
      if (options.complete && options.mode !== 'upsert') {
        throw new CrossfootError('usage_invalid', '--complete needs --mode upsert.');
      }
      const { loadFolder } = await import('./actions/load.ts');
      await loadFolder(folder, options, context);
    });
}

function parseSource(text: string): string {
  const source = text.trim();
  if (source === '') throw new InvalidArgumentError('Give the files a source, such as billing.');
  return source;
}
