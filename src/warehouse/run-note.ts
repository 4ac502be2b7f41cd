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
    ? `-- For ${TITLES[dialect]}. Our tests run it there.`
    : `-- For ${TITLES[dialect]}. Our tests do not run it: we wrote it from the manual of ${TITLES[dialect]}. Tell us of errors.`;
}
