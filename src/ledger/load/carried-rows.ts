/** Finds rows that a deletion would delete by cascade, so that a file never deletes rows of another source or writer. */
import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { tableName } from '../staging/catalogue.ts';
import type { LoadTable } from '../staging/load-table.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { type Missing, isMissing } from './merge.ts';

const SHOWN_REFS = 5;

/**
 * Adds a fault for each table that has rows which reference the missing rows of a source, and would be deleted with them.
 * True if there is a fault. Referencing rows that are missing from their own file are deleted earlier, so they do not count.
 */
export async function refuseCarried(
  client: Client,
  missing: Missing,
  { tables, faults }: { readonly tables: readonly LoadTable[]; readonly faults: LoadFaults },
): Promise<boolean> {
  if (missing.source === null) return false;
  const { schema, name } = missing.table;
  let refused = false;
  for (const table of tables) {
    for (const { columns, target, targetColumns, cascades } of table.references) {
      if (!cascades || target !== `${schema}.${name}`) continue;
      const same = columns.map(
        (column, index) =>
          `c.${escapeIdentifier(column)} = t.${escapeIdentifier(targetColumns[index] ?? '')}`,
      );
      const [carried] = await readStatement(client, {
        name: table.name,
        text: `select count(*)::int as rows, (array_agg(distinct t.load_ref order by t.load_ref))[:${SHOWN_REFS}] as refs
         from ${tableName(missing.table)} t join ${tableName(table)} c on ${same.join(' and ')}
         where ${isMissing(missing)}`,
        columns: { rows: 'int4', refs: 'text[]?' },
      });
      if (carried === undefined || carried.rows === 0) continue;
      refused = true;
      faults.add({
        file: `${name}.csv`,
        line: null,
        column: 'source_ref',
        value: carried.refs?.join(', ') ?? null,
        expected: `this row as before: --complete would delete rows of ${table.name} with it (${carried.rows}); delete or move those first`,
      });
    }
  }
  return refused;
}
