/** Writes the rows of a catalogue as a DuckDB file or as a SQLite file. Neither needs an extension. */
import { DuckDBInstance } from '@duckdb/node-api';
import { DatabaseSync } from 'node:sqlite';
import {
  CATALOGUE_TABLES,
  type CatalogueColumn,
  type CatalogueTable,
  type Cell,
  type CellType,
  PRIMARY_KEYS,
  type Rows,
} from './catalogue-tables.ts';

/** Small blocks: with DuckDB's own of 256 KiB the file would be five times as large. */
const BLOCK_BYTES = 16_384;
const MEMORY = '64MB';

/** Writes a new DuckDB file; `path` must not exist. */
export async function writeDuckdb(rows: Rows, path: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: MEMORY,
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    await connection.run(`attach '${path.replaceAll("'", "''")}' as lake (block_size ${BLOCK_BYTES})`);
    await connection.run('use lake');
    await connection.run('begin');
    for (const [table, columns] of CATALOGUE_TABLES) {
      await connection.run(createTable(table, columns, (type) => type));
      const appender = await connection.createAppender(table);
      for (const row of rows[table] ?? []) {
        for (const { name } of columns) {
          const value = row[name] ?? null;
          // The engine casts the text to the column's type.
          if (value === null) appender.appendNull();
          else appender.appendVarchar(String(value));
        }
        appender.endRow();
      }
      appender.closeSync();
    }
    await connection.run('commit');
    await connection.run('use memory');
    await connection.run('detach lake');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The types that DuckLake gives the columns of a catalogue in SQLite. */
const SQLITE_TYPES: Readonly<Record<CellType, string>> = {
  BIGINT: 'BIGINT',
  BOOLEAN: 'BIGINT',
  TIMESTAMPTZ: 'VARCHAR',
  UUID: 'VARCHAR',
  VARCHAR: 'VARCHAR',
};

/** Writes a new SQLite file; `path` must not exist. */
export function writeSqlite(rows: Rows, path: string): void {
  const database = new DatabaseSync(path);
  try {
    // A file that is not complete is thrown away, so it needs no journal beside it.
    database.exec('pragma journal_mode = off');
    database.exec('begin');
    for (const [table, columns] of CATALOGUE_TABLES) {
      database.exec(createTable(table, columns, (type) => SQLITE_TYPES[type]));
      const places = columns.map(() => '?').join(', ');
      const insert = database.prepare(`insert into ${table} values (${places})`);
      for (const row of rows[table] ?? []) {
        insert.run(...columns.map(({ name, type }) => sqliteValue(row[name] ?? null, type)));
      }
    }
    database.exec('commit');
  } finally {
    database.close();
  }
}

function sqliteValue(value: Cell, type: CellType): string | bigint | null {
  if (value === null) return null;
  if (type === 'BIGINT' || type === 'BOOLEAN') return BigInt(value);
  // As DuckDB writes such a text: it compares them as texts.
  return type === 'TIMESTAMPTZ' ? String(value).replace('T', ' ').replace('Z', '+00') : String(value);
}

function createTable(
  table: CatalogueTable,
  columns: readonly CatalogueColumn[],
  typeOf: (type: CellType) => string,
): string {
  const key = PRIMARY_KEYS.get(table);
  const defined = columns.map(
    ({ name, type }) => `"${name}" ${typeOf(type)}${name === key ? ' primary key' : ''}`,
  );
  return `create table ${table} (${defined.join(', ')})`;
}
