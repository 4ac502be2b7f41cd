import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { servedTables, type sharedTables } from '../../snapshot/format/manifest.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { TABLES } from '../../tables/all.ts';
import { SERVED_TABLES, servedTableNamed } from '../../tables/file-sets.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { text } from '../contract/shapes.ts';
import type { ReportingParts } from './chosen-snapshot.ts';

/** The path parameter that names a table. */
export const table = text('The published name of a table.').openapi({
  enum: TABLES.map(({ name }) => name),
  param: { example: 'costs' },
});

/** The same, or the FOCUS file. */
export const fileName = text(
  'The published name of a table, or `focus`: the costs in the format of FOCUS 1.2.',
).openapi({
  enum: SERVED_TABLES.map(({ name }) => name),
  param: { example: 'costs' },
});

export const NO_TABLE = 'There is no such reporting table.';

/** The 404 of a table that the snapshot does not have. */
function noTable(name: string): CrossfootError {
  const known = servedTableNamed(name) !== undefined;
  return new CrossfootError(
    'not_found',
    known ? 'This snapshot was built before it had this table.' : NO_TABLE,
  );
}

/** The tables that a request may name: those that are served, or by a link also those of the sharing protocol alone. */
export type TablesOf = typeof sharedTables;

/** The table of a snapshot, named in the log. Throws if the snapshot has no such table, or if its file is damaged. */
export async function requireTable(
  c: Context<ServeEnv>,
  { snapshots }: ReportingParts,
  snapshot: ReadableSnapshot,
  name: string,
  tablesOf: TablesOf = servedTables,
): Promise<ReturnType<typeof sharedTables>[number]> {
  const { snapshot_id } = snapshot;
  const stored = tablesOf(snapshot).find((each) => each.name === name);
  if (stored === undefined) throw noTable(name);
  c.set('logger', c.var.logger.with({ snapshot: snapshot_id, table: name }));
  await snapshots.refuseDamaged(c.var.principal.account_id, snapshot_id, name);
  return stored;
}
