/** Files written in a test, read back by two readers that share no code with the writer. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type JS } from '@duckdb/node-api';
import { parquetMetadata, parquetReadObjects, type FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { withFolder } from './temporary-folder.ts';

/** A sink that keeps a copy of everything. */
export function collector(): { sink: (bytes: Uint8Array) => Promise<void>; bytes: () => Buffer } {
  const chunks: Uint8Array[] = [];
  return {
    sink: async (bytes) => {
      chunks.push(Uint8Array.from(bytes));
    },
    bytes: () => Buffer.concat(chunks),
  };
}

let database: Promise<DuckDBInstance> | undefined;

/** A session of the one DuckDB of this test process; its temporary tables and views end with it. The caller closes it. */
export async function connectDuckDb(): Promise<DuckDBConnection> {
  database ??= DuckDBInstance.create(':memory:');
  return await (await database).connect();
}

/** The rows that DuckDB answers to a query over the file, which is named `file` in it. */
export async function askDuckDb(bytes: Buffer, sql: string): Promise<Record<string, JS>[]> {
  return withFolder(async (folder) => {
    const path = join(folder, 'file.parquet');
    await writeFile(path, bytes);
    const connection = await connectDuckDb();
    try {
      await connection.run("set TimeZone = 'UTC'");
      await connection.run(`create temp view file as from read_parquet('${path}')`);
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowObjectsJS();
    } finally {
      connection.closeSync();
    }
  });
}

/** All rows as hyparquet reads them, with instants as microseconds and days as numbers. */
export async function readHyparquet(bytes: Buffer): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({
    file: arrayBuffer(bytes),
    compressors,
    parsers: {
      timestampFromMicroseconds: (micros: bigint) => micros,
      dateFromDays: (days: number) => days,
    },
  });
}

/** The footer as hyparquet reads it. */
export function footerOf(bytes: Buffer): FileMetaData {
  return parquetMetadata(arrayBuffer(bytes));
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
