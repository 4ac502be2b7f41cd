/**
 * DuckDB's own shell as pages use it, by the package of npm: `duckdb [file] < statements`. Prints each row with tabs
 * between its values. A statement with a value in a comment after it must give that value.
 */
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const instance = await DuckDBInstance.create(process.argv[2] ?? ':memory:');
const connection = await instance.connect();
const statements = readFileSync(0, 'utf8').matchAll(/([^]*?);(?:[ \t]*-- (.+))?[ \t]*(?:\n|$)/g);
for (const [, sql = '', shown] of statements) {
  const rows = (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(String).join('\t'));
  process.stdout.write(rows.map((row) => `${row}\n`).join(''));
  if (shown !== undefined && rows.join() !== shown) {
    throw new Error(`${sql.trim()}: gives ${rows.join()}, and the page shows ${shown}`);
  }
}
