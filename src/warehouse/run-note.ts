/** The comment at the top of each generated statement. */
import { type Dialect, EXECUTED } from '../tables/dialects.ts';

const TITLES: Readonly<Record<Dialect, string>> = {
  duckdb: 'DuckDB',
  postgres: 'PostgreSQL',
  snowflake: 'Snowflake',
  bigquery: 'BigQuery',
  redshift: 'Redshift',
  clickhouse: 'ClickHouse',
};

/** The comment names the warehouse, and says if the tests run statements of this dialect. */
export function runNote(dialect: Dialect): string {
  return EXECUTED.includes(dialect)
    ? `-- For ${TITLES[dialect]}, where our own tests run it.`
    : `-- For ${TITLES[dialect]}. Not run here: written from its manual, tell us where it errs.`;
}
