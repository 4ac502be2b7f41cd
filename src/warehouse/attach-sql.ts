/** SQL for DuckDB that makes a view of each table over its download link, so that no data is loaded. */
import { textIn } from '../tables/dialects.ts';

/** A table and its download link. */
interface AttachedTable {
  readonly name: string;
  readonly url: string;
}

/** The statements. The views work until the links expire; `expires_at` is that time, as text. */
export function attachSql(snapshot_id: string, expires_at: string, tables: readonly AttachedTable[]): string {
  const views = tables.map(
    ({ name, url }) =>
      `create or replace view crossfoot.${name} as from read_parquet(${textIn('duckdb', url)});\n`,
  );
  return `-- The tables of snapshot ${snapshot_id} as views for DuckDB. The links work without a token until
-- ${expires_at}: keep this file as secret as the token. After that time, get a new file.
install httpfs;
load httpfs;
create schema if not exists crossfoot;
${views.join('')}`;
}
