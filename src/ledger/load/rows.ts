/**
 * Turns staged texts into typed rows as the ledger would store them. Defaults, existing values, computed columns and the
 * triggers that only use a row's own values complete the rows. The checks compare these rows, not the texts: `1.0` and `1`
 * are the same value.
 */
import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { tableName } from '../staging/catalogue.ts';
import type { LoadColumn, LoadTable } from '../staging/load-table.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { applyByLine } from '../staging/bisect-refusals.ts';
import type { StagedFile } from '../staging/staged-file.ts';

/**
 * Creates the table of a file's rows: `_line`, `_known` (the key is in the ledger), then every column. A row that cannot
 * be completed is omitted, with a fault.
 */
export async function makeRows(client: Client, staged: StagedFile, faults: LoadFaults): Promise<void> {
  const { table, rows } = staged;
  const temporary = escapeIdentifier(`rows_${table.name}`);
  const columns = table.columns.map(
    (column) => `${escapeIdentifier(column.name)} ${column.type}${computed(column)}`,
  );
  await client.query(
    `create temp table ${temporary} (_line bigint, _known boolean, ${columns.join(', ')}) on commit drop`,
  );
  for (const { name, fires } of table.settlers) {
    await client.query(`create trigger ${escapeIdentifier(name)} before insert on ${rows} ${fires}`);
  }
  const fill = fillStatement(staged);
  await applyByLine(client, staged, faults, (from, through) => client.query(fill, [from, through]));
  await client.query(`create index on ${rows} (${table.key.map((key) => escapeIdentifier(key)).join(', ')})`);
  await client.query(`analyze ${rows}`);
}

/** SQL that is true if the rows `left` and `right` have the same key. */
export function sameKey(table: LoadTable, left: string, right: string): string {
  return table.key
    .map((key) => `${left}.${escapeIdentifier(key)} = ${right}.${escapeIdentifier(key)}`)
    .join(' and ');
}

function computed(column: LoadColumn): string {
  return column.generated === null ? '' : ` generated always as (${column.generated}) stored`;
}

function fillStatement({ table, given, stage, rows }: StagedFile): string {
  const written = table.columns.filter((column) => column.generated === null);
  const isKnown = `t.${escapeIdentifier(table.key[0] ?? '')} is not null`;
  const values = written.map((column) => completed(column, given.includes(column), isKnown));
  const key = table.columns.filter((column) => table.key.includes(column.name));
  const join = key.map((column) => {
    const name = escapeIdentifier(column.name);
    return `t.${name} = s.${name}::${column.type}`;
  });
  return `insert into ${rows} (_line, _known, ${written.map((column) => escapeIdentifier(column.name)).join(', ')})
    select s._line, ${isKnown}, ${values.join(', ')}
    from ${stage} s
    left join ${tableName(table)} t on ${join.join(' and ')}
    where s._line between $1 and $2
    order by s._line`;
}

/**
 * An empty cell is null, except in a column that is not null and has a default. CSV cannot express "default", so there an
 * empty cell leaves an existing row unchanged and gives a new row the default.
 */
function completed(column: LoadColumn, isGiven: boolean, isKnown: string): string {
  const name = escapeIdentifier(column.name);
  const cell = `s.${name}::${column.type}`;
  const fallback = column.default ?? `null::${column.type}`;
  if (!isGiven) return `case when ${isKnown} then t.${name} else ${fallback} end`;
  return column.notNull && column.default !== null ? `coalesce(${cell}, t.${name}, ${fallback})` : cell;
}
