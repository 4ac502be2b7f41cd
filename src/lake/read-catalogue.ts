/** Reads a saved catalogue back, every cell as a text, with an engine that can read nothing else. */
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from 'node:sqlite';
import { CrossfootError } from '../errors.ts';
import type { CatalogueForm } from './catalogue-file.ts';
import {
  CATALOGUE_TABLES,
  type CatalogueTable,
  type Cell,
  type CellType,
  type Row,
  type Rows,
} from './catalogue-tables.ts';

/** A cell as a text, the same for both forms and for derived rows; null for an empty cell. */
export type TextRow = Readonly<Record<string, string | null>>;
export type TextRows = ReadonlyMap<CatalogueTable, readonly TextRow[]>;

/** The rows of all tables of the format; throws `usage_invalid` for a file that is no catalogue of this program. */
export async function readCatalogue(path: string, form: CatalogueForm): Promise<TextRows> {
  try {
    return textRows(form === 'sqlite' ? readSqlite(path) : await readDuckdb(path));
  } catch (cause) {
    throw new CrossfootError('usage_invalid', `${path} cannot be read as a catalogue.`, {
      hint: 'Name a file that was saved from /reporting/lake/1.0.ducklake or 1.0.sqlite.',
      cause,
    });
  }
}

/** Rows in the form in which they are compared. */
export function textRows(rows: Rows): TextRows {
  return new Map(
    [...CATALOGUE_TABLES].map(([table, columns]) => [
      table,
      (rows[table] ?? []).map((row) =>
        Object.fromEntries(columns.map(({ name, type }) => [name, textOf(row[name] ?? null, type)])),
      ),
    ]),
  );
}

function textOf(value: Cell, type: CellType): string | null {
  if (value === null) return null;
  if (type === 'BOOLEAN') return String(['true', '1'].includes(String(value)));
  // Either form writes an instant in its own way: with or without zeros at its end, and with another sign for UTC.
  return type === 'TIMESTAMPTZ' ? instantText(String(value)) : String(value);
}

function instantText(text: string): string {
  const [seconds = '', fraction = ''] = text
    .replace('T', ' ')
    .replace(/(?:Z|\+00(?::00)?)$/, '')
    .split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}

async function readDuckdb(path: string): Promise<Rows> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    await connection.run("set timezone = 'UTC'");
    await connection.run(`attach '${path.replaceAll("'", "''")}' as lake (read_only)`);
    // A view in a file of others could read any file of this machine.
    await connection.run('set enable_external_access = false');
    const rows: Partial<Record<CatalogueTable, readonly Row[]>> = {};
    for (const [table, columns] of CATALOGUE_TABLES) {
      const cells = columns.map(({ name }) => `"${name}"::varchar as "${name}"`).join(', ');
      const read = await connection.runAndReadAll(`select ${cells} from lake.main.${table}`);
      rows[table] = read.getRowObjectsJson() as Row[]; // every cell is a text
    }
    return rows;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function readSqlite(path: string): Rows {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows: Partial<Record<CatalogueTable, readonly Row[]>> = {};
    for (const [table, columns] of CATALOGUE_TABLES) {
      const cells = columns.map(({ name }) => `cast("${name}" as text) as "${name}"`).join(', ');
      rows[table] = database.prepare(`select ${cells} from ${table}`).all() as Row[]; // every cell is a text
    }
    return rows;
  } finally {
    database.close();
  }
}
