/** The command of `npm run generate`. */
import { Command } from 'commander';
import type { CommandContext } from '../../src/run/context.ts';
import { writeDatabaseFiles } from './migrated-database.ts';
import { writeGeneratedFiles } from './generated-files.ts';

const EXAMPLES = `
Examples:
  npm run generate
  npm run generate -- --check`;

/** The program with this one command, for the files of this repository. */
export function createGenerateProgram({ print }: Pick<CommandContext, 'print'>): Command {
  return new Command('npm run generate --')
    .exitOverride()
    .description(
      'write the generated files: the types of the schema, the published tables and API, the reference pages, the client',
    )
    .option('--check', 'write nothing; fail if a file is stale', false)
    .addHelpText('after', EXAMPLES)
    .action(async ({ check }: { check: boolean }) => {
      const root = new URL('../../', import.meta.url);
      // The types first: the code that makes the other files may need them.
      for (const path of await writeDatabaseFiles(root, { check })) print(path);
      for (const path of await writeGeneratedFiles(root, { check })) print(path);
    });
}
