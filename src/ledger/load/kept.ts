/** Looks, when all is written, whether the ledger kept what the file gave. */
import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { type LoadColumn, type LoadTable, tableName } from './catalogue.ts';
import { askRows } from './checks.ts';
import type { LoadFaults } from './faults.ts';
import { sameKey } from './rows.ts';
import type { StagedFile } from './stage.ts';

// A decision is marked by its initiative as it is written. A file may carry the mark of another ledger, where the
// initiative was a sample at another time; this ledger's own stands.
const MARKED_BY_LEDGER = new Set(['approval_decisions.is_sample', 'portfolio_decisions.is_sample']);

/** True for a column in which a value of the file yields to the ledger's. */
export function yieldsToLedger(table: LoadTable, column: LoadColumn): boolean {
  return MARKED_BY_LEDGER.has(`${table.name}.${column.name}`);
}

/**
 * True where the ledger replaced a value by what it stands for. Decided: a file may chain merges of vendors, since the ledger
 * flattens chains. A file that says A into B is kept where B was merged into C and the ledger says A into C.
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
 * Notes values that a trigger replaced and rows that a deletion took along: better refused than lost without a word.
 * JSON that was only made canonical is kept.
 */
export async function checkKept(client: Client, staged: StagedFile, faults: LoadFaults): Promise<void> {
  const { table } = staged;
  const join = `left join ${tableName(table)} t on ${sameKey(table, 't', 'r')}`;
  const gone = `t.${escapeIdentifier(table.key[0] ?? '')} is null`;
  const tests = staged.given.map((column, place) => {
    const name = escapeIdentifier(column.name);
    return `when ${yieldsToLedger(table, column) ? 'false' : `s.${name} is not null`} and ${isReplaced(table, column)} then ${place}`;
  });
  // One pass over the rows finds which columns are worth asking for.
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select distinct case when ${gone} then -1 ${tests.join(' ')} end as place
     from ${staged.rows} r join ${staged.stage} s on s._line = r._line ${join}`,
    columns: { place: 'int4?' },
  });
  for (const { place } of rows) {
    if (place === null) continue;
    const column = staged.given[place];
    await askRows(client, staged, faults, {
      columns: column === undefined ? table.key : [column.name],
      join,
      wrong: column === undefined ? gone : `(case when ${gone} then -1 ${tests.join(' ')} end) = ${place}`,
      expected:
        column === undefined
          ? `'a row that stays: deleting another that is missing from the files takes it along'`
          : `concat('what the ledger works out itself: ', coalesce(t.${escapeIdentifier(column.name)}::text, 'nothing'), '; or the column left out')`,
    });
  }
}
