/** Checks, after all is written, that the ledger has the values of the file. */
import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { tableName } from '../staging/catalogue.ts';
import type { LoadColumn, LoadTable } from '../staging/load-table.ts';
import { askRows } from './checks.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { sameKey } from './rows.ts';
import type { StagedFile } from '../staging/staged-file.ts';

// When a decision is written, the ledger sets `is_sample` from its initiative. A file from another ledger may have another
// value; it is not a fault.
const MARKED_BY_LEDGER = new Set(['approval_decisions.is_sample', 'portfolio_decisions.is_sample']);

/** True for a column in which the ledger's value replaces the value of the file. */
export function yieldsToLedger(table: LoadTable, column: LoadColumn): boolean {
  return MARKED_BY_LEDGER.has(`${table.name}.${column.name}`);
}

/**
 * SQL: true if the ledger has another value than the file. One difference is allowed, because the ledger flattens chains of
 * merged vendors: if the file merges A into B, and B into C, the ledger has A merged into C.
 */
function isReplaced(table: LoadTable, column: LoadColumn): string {
  const name = escapeIdentifier(column.name);
  const type = column.json ? 'jsonb' : column.type;
  const differs = `s.${name}::${type} is distinct from t.${name}${column.json ? '::jsonb' : ''}`;
  if (table.name !== 'vendors' || column.name !== 'merged_into_id') return differs;
  return `${differs} and not exists (select from ledger.vendors named
    where named.account_id = t.account_id and named.id = s.${name}::${type} and named.merged_into_id = t.${name})`;
}

/**
 * Adds a fault for each value that a trigger replaced, and for each row that a deletion removed by cascade, so that nothing
 * is lost silently. JSON that was only rewritten in canonical form is no fault.
 */
export async function verifyWritten(client: Client, staged: StagedFile, faults: LoadFaults): Promise<void> {
  const { table } = staged;
  const join = `left join ${tableName(table)} t on ${sameKey(table, 't', 'r')}`;
  const gone = `t.${escapeIdentifier(table.key[0] ?? '')} is null`;
  const tests = staged.given.map((column, index) => {
    const name = escapeIdentifier(column.name);
    return `when ${yieldsToLedger(table, column) ? 'false' : `s.${name} is not null`} and ${isReplaced(table, column)} then ${index}`;
  });
  // One pass over the rows finds the columns with differences; only these are read in detail.
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select distinct case when ${gone} then -1 ${tests.join(' ')} end as index
     from ${staged.rows} r join ${staged.stage} s on s._line = r._line ${join}`,
    columns: { index: 'int4?' },
  });
  for (const { index } of rows) {
    if (index === null) continue;
    const column = staged.given[index];
    await askRows(client, staged, faults, {
      columns: column === undefined ? table.key : [column.name],
      join,
      wrong: column === undefined ? gone : `(case when ${gone} then -1 ${tests.join(' ')} end) = ${index}`,
      expected:
        column === undefined
          ? `'a row that stays: deleting another that is missing from the files takes it along'`
          : `concat('what the ledger works out itself: ', coalesce(t.${escapeIdentifier(column.name)}::text, 'nothing'), '; or the column left out')`,
    });
  }
}
