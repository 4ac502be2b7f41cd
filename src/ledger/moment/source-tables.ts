/**
 * The tables that a build reads, found in the text of its selects, views and control totals. A test compares them with
 * PostgreSQL's own list. A build locks all of them before it takes its database snapshot: a table that another session
 * rewrites after that would look empty to the build, without an error.
 */
import { join } from 'node:path';
import { FILE_SETS } from '../../tables/file-sets.ts';
import { readSqlFiles } from '../migrate/files.ts';
import { SCHEMA_FOLDER } from '../schema-folder.ts';

// The views from which figures are computed, and `memberships`, which the row security of `users` reads.
const ALSO_READ = 'reporting.entry_amounts reporting.daily_rates ledger.memberships';
const NAMES = /\b(?:ledger|reporting)\.[a-z_]+/g;

/** The names of the tables as `schema.table`, sorted. */
export async function sourceTables(): Promise<readonly string[]> {
  const [views, ...controls] = await Promise.all(
    ['views', ...FILE_SETS.flatMap(({ control }) => control ?? [])].map((folder) =>
      readSqlFiles(join(SCHEMA_FOLDER, folder)),
    ),
  );
  const viewTexts = new Map(views?.map(({ name, text }) => [`reporting.${name.replace('.sql', '')}`, text]));
  const selects = FILE_SETS.flatMap(({ tables }) =>
    tables.flatMap(({ from, columns }) => [from, ...columns.map((column) => column.from)]),
  );
  const found = new Set<string>();
  const follow = (sql: string | null | undefined): void => {
    for (const [name] of sql?.matchAll(NAMES) ?? []) {
      if (found.has(name)) continue;
      found.add(name);
      follow(viewTexts.get(name));
    }
  };
  for (const sql of [...selects, ...controls.flat().map(({ text }) => text), ALSO_READ]) follow(sql);
  return [...found].filter((name) => name.startsWith('ledger.')).toSorted();
}
