/** The action of `crossfoot migrate`: applies the migrations that the database of OWNER_URL lacks, and loads the catalogue. */
import { migrate } from '../../ledger/migrate/migrate.ts';
import { SCHEMA_FOLDER } from '../../ledger/migrate/schema-folder.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { requireOwner } from '../../run/databases.ts';
import { loadCatalogue } from '../../run/demo/shared-rows.ts';
import { unlessStopped } from '../../run/stopping.ts';

/** Migrates and prints the applied migrations; then loads the articles, guides and templates of this version. */
export async function migrateLedger(context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  const adminUrl = requireOwner(settings);
  const { applied, viewsRecreated } = await migrate({
    adminUrl,
    folder: SCHEMA_FOLDER,
    signal: context.signal,
  });
  for (const name of applied) context.print(`applied ${name}`);
  if (viewsRecreated) context.print('views re-created');
  if (applied.length === 0 && !viewsRecreated) context.print('nothing to migrate');
  const loaded = await unlessStopped(context.signal, loadCatalogue(adminUrl));
  const changed = loaded.reduce((sum, table) => sum + table.inserted + table.updated, 0);
  context.print(changed === 0 ? 'catalogue unchanged' : `catalogue loaded: ${changed} rows`);
}
