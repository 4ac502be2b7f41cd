/**
 * How large the files of a snapshot are, table by table, beside the ZSTD files that DuckDB makes of the same rows. Each of
 * our files describes itself: field ids, the moment, and a sentence for each column. Of a small table these words are most
 * of the file, so DuckDB writes the same ones.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadata } from 'hyparquet';
import { quoted } from '../../src/sql-scripts.ts';
import { type Benchmark, type Figure, figure } from './benchmark.ts';
import { type BuiltFile, builtFiles } from './built-files.ts';
import { sizeOf } from './ledgers/generated-ledger.ts';

const ROWS = 200_000;

export const fileSize: Benchmark = {
  name: 'file-size',
  title: 'the files of a snapshot against those of DuckDB',
  run: async ({ rows, ledger, folder }) => {
    const generated = await ledger();
    const account = await generated.accountOf(sizeOf(rows ?? ROWS));
    const { files } = await builtFiles(generated, account, folder);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const figures: Figure[] = [];
    const sums = { ours: 0, bare: 0 };
    for (const file of files) {
      const bare = await copied(connection, file, folder, '');
      const described = await copied(connection, file, folder, await descriptionOf(file));
      sums.ours += file.size_bytes;
      sums.bare += bare;
      figures.push(
        ratio(file.table, file.size_bytes / described, {
          against: `DuckDB's ZSTD file of the same rows, field ids and metadata; ${(file.size_bytes / bare).toFixed(2)} times its file of the rows alone`,
          target: { at_most: 1.1 },
        }),
      );
    }
    connection.closeSync();
    instance.closeSync();
    const all = ratio('all tables', sums.ours / sums.bare, {
      against: "DuckDB's ZSTD files of the same rows alone",
      target: { at_most: 0.95 },
    });
    return [...figures, all];
  },
};

/** The bytes of the file that DuckDB makes of these rows. */
async function copied(
  connection: DuckDBConnection,
  { table, path }: BuiltFile,
  folder: string,
  options: string,
): Promise<number> {
  const theirs = join(folder, `${table}.duckdb.parquet`);
  await connection.run(
    `copy (from read_parquet(${quoted(path)})) to ${quoted(theirs)} (format parquet, compression zstd${options})`,
  );
  return (await stat(theirs)).size;
}

/** The field ids and the metadata of a file, as DuckDB is asked to write them. */
async function descriptionOf({ path }: BuiltFile): Promise<string> {
  const bytes = await readFile(path);
  const { schema, key_value_metadata = [] } = parquetMetadata(new Uint8Array(bytes).buffer);
  const ids = schema.slice(1).map(({ name, field_id }) => `"${name}": ${field_id}`);
  const words = key_value_metadata.map(({ key, value = '' }) => `${quoted(key)}: ${quoted(value)}`);
  return `, field_ids {${ids.join(', ')}}, kv_metadata {${words.join(', ')}}`;
}

function ratio(what: string, value: number, beside: Pick<Figure, 'against'> & Partial<Figure>): Figure {
  return figure(`file size: ${what}`, value, 'times', beside);
}
