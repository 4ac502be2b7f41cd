/** The placeholders of the templates in `schema/diff`, from the columns that both files of a table have. */
import type { Placeholders } from '../sql-scripts.ts';
import type { Column, Table } from '../tables/table.ts';

/** The placeholders for one table; `present` are the columns that both files have. */
export function placeholdersOf(table: Table, present: ReadonlySet<string>): Placeholders {
  const columns = table.columns.filter(({ name }) => name !== 'snapshot_id' && present.has(name));
  const key = keyOf(table).flatMap((name) => columns.find((column) => column.name === name) ?? []);
  return {
    table: table.name,
    columns: columns.map(({ name }) => `"${name}"`).join(', '),
    same_key: key.map(({ name }) => `later."${name}" is not distinct from earlier."${name}"`).join(' and '),
    differing: columns
      .map(({ name }) => `if(earlier."${name}" is distinct from later."${name}", '${name}', null)`)
      .join(', '),
    key: key.map((column) => `'${column.name}': ${either(column)}`).join(', '),
    order: `row(${key.map(({ name }) => `coalesce(earlier."${name}", later."${name}")`).join(', ')})`,
    cells: columns
      .map((column) => `cell('${column.name}', ${said('earlier', column)}, ${said('later', column)})`)
      .join(', '),
  };
}

/** The columns that identify a row. The row of `snapshot` has a new key in each snapshot, so its account identifies it. */
function keyOf({ name, key }: Table): readonly string[] {
  return name === 'snapshot' ? ['account_id'] : key;
}

function either(column: Column): string {
  return `coalesce(${said('earlier', column)}, ${said('later', column)})`;
}

/** The cell in the form of the API, which differs from the engine's form only for instants. */
function said(side: 'earlier' | 'later', { name, kind }: Column): string {
  return kind === 'timestamp' ? `said_instant(${side}."${name}")` : `${side}."${name}"`;
}
