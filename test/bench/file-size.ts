/** How large the files of a snapshot are, table by table, beside the ZSTD files that DuckDB makes of the same rows. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Benchmark, type Figure, figure } from './benchmark.ts';
import { builtFiles } from './built-files.ts';
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
    const sums = { ours: 0, theirs: 0 };
    for (const { table, path, size_bytes } of files) {
      const theirs = join(folder, `${table}.duckdb.parquet`);
      await connection.run(
        `copy (from read_parquet('${path}')) to '${theirs}' (format parquet, compression zstd)`,
      );
      const their_bytes = (await stat(theirs)).size;
      sums.ours += size_bytes;
      sums.theirs += their_bytes;
      figures.push(ratio(table, size_bytes / their_bytes));
    }
    connection.closeSync();
    instance.closeSync();
    return [...figures, { ...ratio('all tables', sums.ours / sums.theirs), target: { at_most: 0.95 } }];
  },
};

function ratio(what: string, value: number): Figure {
  return figure(`file size: ${what}`, value, 'times', { against: "DuckDB's ZSTD file of the same rows" });
}
