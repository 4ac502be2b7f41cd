/**
 * The action of `crossfoot migrate`: applies the migrations that the database of OWNER_URL lacks, and loads the catalogue.
 * Without a database in the settings it creates the embedded one.
 */
import { migrate } from '../../ledger/migrate/migrate.ts';
import { SCHEMA_FOLDER } from '../../ledger/schema-folder.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openDatabases, requireOwner } from '../../run/databases.ts';
import { loadCatalogue } from '../../run/demo/shared-rows.ts';
import { unlessStopped } from '../../run/stopping.ts';

/** Migrates and prints the applied migrations; then loads the articles, guides and templates of this version. */
export async function migrateLedger(context: CommandContext): Promise<void> {
  const { settings, logger } = openSettings(context);
  const { signal } = context;
  const isEmbedded = settings.ledgerUrl === null && settings.ownerUrl === null;
  await using embedded = isEmbedded ? await openDatabases(settings, signal, logger, { creates: true }) : null;
  const adminUrl = requireOwner(embedded ?? settings);
  // The embedded database was migrated when it was opened, unless a running program has it.
  const { applied, viewsRecreated } =
    embedded === null
      ? await migrate({ adminUrl, folder: SCHEMA_FOLDER, signal })
      : (embedded.migrated ?? { applied: [], viewsRecreated: false });
  for (const name of applied) context.print(`applied ${name}`);
  if (viewsRecreated) context.print('views re-created');
  if (applied.length === 0 && !viewsRecreated) context.print('nothing to migrate');
  const loaded = await unlessStopped(signal, loadCatalogue(adminUrl));
  const changed = loaded.reduce((sum, table) => sum + table.inserted + table.updated, 0);
  context.print(changed === 0 ? 'catalogue unchanged' : `catalogue loaded: ${changed} rows`);
}
