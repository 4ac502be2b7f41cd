/** `crossfoot migrate`: migrates the ledger's database to the schema of this program. */
import type { Command } from 'commander';
import type { CommandContext } from '../run/context.ts';

const EXAMPLES = `
Examples:
  OWNER_URL=postgres://admin@db/crossfoot npx --no crossfoot migrate

The catalogue is the articles, guides, templates and pages of this version. It needs no superuser.`;

/** Adds the command to the program. */
export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database of OWNER_URL to the schema and the catalogue of this program')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { migrateLedger } = await import('./actions/migrate.ts');
      await migrateLedger(context);
    });
}
