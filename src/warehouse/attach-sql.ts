/** SQL for DuckDB: a view of each table over its link, so that nothing is loaded. */
import { textIn } from '../tables/dialects.ts';

/** The link of a table. */
interface AttachedTable {
  readonly name: string;
  readonly url: string;
}

/** The statements; the views work until the links expire, an instant as text. */
export function attachSql(snapshot_id: string, expires_at: string, tables: readonly AttachedTable[]): string {
  const views = tables.map(
    ({ name, url }) =>
      `create or replace view crossfoot.${name} as from read_parquet(${textIn('duckdb', url)});\n`,
  );
  return `-- The tables of snapshot ${snapshot_id} as views for DuckDB. The links work without a token until
-- ${expires_at}: keep this file as secret as the token. Then get it again.
install httpfs;
load httpfs;
create schema if not exists crossfoot;
${views.join('')}`;
}
