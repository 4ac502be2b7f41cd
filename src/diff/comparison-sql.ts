/** The SQL of `schema/diff` made ready to run: for a folder, and where it says so for one table. */
import { quoted } from '../snapshot/audit/script.ts';
import type { Column, Table } from '../tables/table.ts';

/** A file of `schema/diff`: `NN-each-…` runs for every table, `NN-check-…` and `NN-list-…` return rows. */
export interface ComparisonFile {
  /** Without the ending. */
  readonly name: string;
  readonly sql: string;
}

type Kind = 'view' | 'each' | 'check' | 'list' | 'write';

const KIND = /^\d\d-(view|each|check|list|write)-/;
const FILES = /'((?:earlier|later)\/[a-z_*]+\.parquet|changes\.ndjson)'/g;
const PLACEHOLDERS = /(?<!:):(table|columns|same_key|differing|key|order|cells)\b/g;

/** What a file does when it runs. */
export function kindOf({ name }: ComparisonFile): Kind {
  const kind = KIND.exec(name)?.[1];
  if (kind !== undefined) return kind as Kind; // the expression knows no other
  throw new RangeError(`${name} does not say what it does`);
}

/** The file's SQL with the snapshots' files named from anywhere. */
export function sqlIn(directory: string, { sql }: ComparisonFile): string {
  return sql.replaceAll(FILES, (_, name: string) => quoted(`${directory}/${name}`));
}

/** The same for one table, over the columns that both its files have. */
export function sqlFor(
  directory: string,
  file: ComparisonFile,
  table: Table,
  present: ReadonlySet<string>,
): string {
  const columns = table.columns.filter(({ name }) => name !== 'snapshot_id' && present.has(name));
  const key = keyOf(table).flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const parts: Readonly<Record<string, string>> = {
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
  const filled = file.sql.replaceAll(PLACEHOLDERS, (whole, name: string) => parts[name] ?? whole);
  return sqlIn(directory, { ...file, sql: filled });
}

/** A snapshot's own row has a new key in every snapshot: it is found by its account instead. */
function keyOf({ name, key }: Table): readonly string[] {
  return name === 'snapshot' ? ['account_id'] : key;
}

function either(column: Column): string {
  return `coalesce(${said('earlier', column)}, ${said('later', column)})`;
}

/** The cell as the API writes its kind: only instants are written otherwise than the engine does. */
function said(side: 'earlier' | 'later', { name, kind }: Column): string {
  return kind === 'timestamp' ? `said_instant(${side}."${name}")` : `${side}."${name}"`;
}
