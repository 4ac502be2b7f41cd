/** What a data engineer would put together: psql writes CSV, DuckDB makes Parquet of it. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { FIELD_KINDS } from '../../../src/fields.ts';
import type { Table } from '../../../src/tables/table.ts';

const run = promisify(execFile);

export interface CsvJob {
  readonly url: string;
  readonly account: bigint;
  readonly select: string;
  readonly table: Table;
  readonly file: string;
}

/** Why it cannot be measured here, if so. */
export async function lacksPsql(): Promise<string | null> {
  return run('psql', ['--version']).then(
    () => null,
    () => 'psql is not on the PATH',
  );
}

/** Writes the table's file by way of a CSV file beside it. */
export async function buildThroughCsv({ url, account, select, table, file }: CsvJob): Promise<void> {
  const csv = `${file}.csv`;
  const oneLine = select.replaceAll(/\s+/g, ' ');
  await run(
    'psql',
    [url, '--no-psqlrc', '--command', `\\copy (${oneLine}) to '${csv}' (format csv, header)`],
    {
      env: { ...process.env, PGOPTIONS: `-c app.account_id=${account} -c timezone=UTC` },
    },
  );
  const types = table.columns.map(({ name, kind }) => `'${name}': '${FIELD_KINDS[kind].duckdb}'`).join(', ');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `copy (from read_csv('${csv}', header = true, columns = {${types}})) to '${file}' (format parquet, compression zstd)`,
  );
  connection.closeSync();
  instance.closeSync();
  await rm(csv);
}
