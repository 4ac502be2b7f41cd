/** Which views a snapshot is made of; the others answer the read API only, and no audit stands behind those. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSqlFiles } from '../../src/ledger/migrate/files.ts';
import { SCHEMA_FOLDER } from '../../src/ledger/schema-folder.ts';
import { TABLES } from '../../src/tables/all.ts';

/** Statements of the figure tables, which stand beside the code that folds their rows. */
const FIGURE_STATEMENTS = fileURLToPath(
  new URL('../../src/ledger/moment/initiative-entries.ts', import.meta.url),
);

/** The views that selects, figures and control totals read, themselves or through another view; names in order. */
export async function snapshotViews(tables = TABLES): Promise<readonly string[]> {
  const found = new Set<string>();
  const follow = async (sql: string): Promise<void> => {
    for (const [, view = ''] of sql.matchAll(/\breporting\.(\w+)/g)) {
      if (found.has(view)) continue;
      found.add(view);
      await follow(await readFile(join(SCHEMA_FOLDER, 'views', `${view}.sql`), 'utf8'));
    }
  };
  await follow(await readFile(FIGURE_STATEMENTS, 'utf8'));
  for (const { from } of tables) await follow(from ?? '');
  for (const { text } of await readSqlFiles(join(SCHEMA_FOLDER, 'control'))) await follow(text);
  return [...found].toSorted();
}
