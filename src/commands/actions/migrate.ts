/** `crossfoot migrate`: brings the ledger's database to the schema of this program. */
import type { Command } from 'commander';
import { migrate } from '../../ledger/migrate/migrate.ts';
import { SCHEMA_FOLDER } from '../../ledger/migrate/schema-folder.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { demandOwner } from '../../run/databases.ts';

const EXAMPLES = `
Examples:
  OWNER_URL=postgres://admin@db/crossfoot crossfoot migrate`;

/** Adds the command to the program. */
export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database of OWNER_URL to the schema of this program')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { settings } = openSettings(context);
      const adminUrl = demandOwner(settings);
      const { applied, viewsRecreated } = await migrate({
        adminUrl,
        folder: SCHEMA_FOLDER,
        signal: context.signal,
      });
      for (const name of applied) context.print(`applied ${name}`);
      if (viewsRecreated) context.print('views re-created');
      if (applied.length === 0 && !viewsRecreated) context.print('nothing to do');
    });
}
