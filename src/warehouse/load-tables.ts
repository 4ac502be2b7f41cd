/** Generates the script that creates the reporting tables in a warehouse and loads a snapshot into them, and views over links. */
import { TABLES } from '../tables/all.ts';
import { createTableSql, qualifiedName } from '../tables/create-table.ts';
import { type Dialect, EXECUTED, nameIn, textIn } from '../tables/dialects.ts';
import { SCHEMA_VERSION } from '../tables/describe.ts';
import { snapshot } from '../tables/snapshot.ts';
import type { Table } from '../tables/table.ts';
import { type Delivered, type DeliveredPlace, deliveredPlace } from './delivered-place.ts';

// The table `snapshot` is loaded last: without a transaction, its row shows that all other tables are loaded.
const LOADED: readonly Table[] = [...TABLES.slice(1), ...TABLES.slice(0, 1)];

const SKIPPED = 'A snapshot that is here already is not loaded again, and the last row says so.';
const REFUSED =
  'A snapshot that is here already is refused, and nothing is loaded. After a load that broke off, delete its rows first.';

/** The last statement: one row that says in words what the script did. `what` names what was found. */
const sayLoaded = (what: string): string =>
  `select case when count(*) = 0 then '${what} is here already. Nothing was loaded.' else 'Loaded.' end as note from new_snapshot;\n`;

/**
 * The condition that two rows are of the same snapshot. Snapshots of two accounts may have the same id, a time in seconds; then
 * a primary key refuses the rows.
 */
const SAME = 'h.snapshot_id = n.snapshot_id and h.account_id = n.account_id';

/** Copies the rows into a temporary table of the transaction, because psql's \\copy takes no condition. */
const copyAside = (name: string, table: Table): string =>
  `create temp table new_${table.name} (like ${name}) on commit drop;
\\copy new_${table.name} (${columnNames(table, 'postgres')}) from '${table.name}.csv' with (format csv, header match)
`;

type Load = (name: string, table: Table) => string;

interface Script {
  /** How to run the script. The user must replace the words in capitals. */
  readonly about: string;
  /** What a second load of a snapshot does. */
  readonly twice: string;
  /**
   * The loading statements. `held` is the table of the loaded snapshots; `each` joins the statements for each table; `place` is
   * that of a delivery, null: the files lie where the script runs.
   */
  readonly body: (held: string, each: (load: Load) => string, place: DeliveredPlace | null) => string;
}

/**
 * A script that reads every file into a temporary table with the statements of `read`, and then adds all rows in one
 * transaction. These warehouses enforce no primary key. So the script skips a snapshot whose id is loaded already, even if that
 * snapshot is of another account.
 */
function staged(
  dialect: Dialect,
  read: (staged: string, name: string, table: Table, place: DeliveredPlace | null) => string,
): Script['body'] {
  const stagedName = (table: Table): string => nameIn(dialect, `new_${table.name}`);
  const rowsOf = (name: string, table: Table): string => {
    const columns = columnNames(table, dialect);
    return `insert into ${name} (${columns}) select ${columns} from ${stagedName(table)} where exists (select 1 from new_snapshot);\n`;
  };
  return (held, each, place) =>
    `${each((name, table) => read(stagedName(table), name, table, place))}begin transaction;
delete from new_snapshot where snapshot_id in (select snapshot_id from ${held});
${each(rowsOf)}${sayLoaded('A snapshot of this id')}commit;
`;
}

const STAGE =
  'create stage if not exists crossfoot file_format = (type = parquet use_logical_type = true);\n';

/** The file of a table: that of a delivery, or the one where the script runs. */
function besideOr(place: DeliveredPlace | null, table: string): string {
  return place?.file(table) ?? `'${table}.parquet'`;
}

const SCRIPTS: Readonly<Record<Dialect, Script>> = {
  duckdb: {
    about: 'Run it where the Parquet files lie: duckdb warehouse.duckdb < this file.',
    twice: SKIPPED,
    body: (held, each, place) =>
      `begin transaction;
create or replace temp table new_snapshot as from read_parquet(${besideOr(place, 'snapshot')}) as n where not exists (from ${held} as h where ${SAME});
${each(
  (name, table) =>
    `insert into ${name} by name select * from read_parquet(${besideOr(place, table.name)}) where exists (from new_snapshot);\n`,
)}${sayLoaded('This snapshot')}commit;
`,
  },
  postgres: {
    about: 'PostgreSQL reads no Parquet: run it with psql where the CSV files lie.',
    twice: SKIPPED,
    body: (held, each) =>
      `begin;
${copyAside(held, snapshot)}delete from new_snapshot as n using ${held} as h where ${SAME};
${each((name, table) => {
  const aside = table === snapshot ? '' : copyAside(name, table);
  const columns = columnNames(table, 'postgres');
  const rows = `select ${columns} from new_${table.name}${table === snapshot ? '' : ' where exists (select from new_snapshot)'}`;
  return `${aside}insert into ${name} (${columns}) ${rows};\n`;
})}${sayLoaded('This snapshot')}commit;
`,
  },
  snowflake: {
    about:
      "Run the statement `create stage` alone first. Then put the Parquet files into the stage: put 'file:///FOLDER/*.parquet' @crossfoot auto_compress = false overwrite = true",
    twice: SKIPPED,
    body: (held, each, place) =>
      `${place === null ? STAGE : ''}${staged(
        'snowflake',
        (stagedName, name, table, from) =>
          `create or replace temporary table ${stagedName} like ${name};
copy into ${stagedName} from ${from?.file(table.name) ?? `@crossfoot/${table.name}.parquet`} match_by_column_name = case_insensitive;
`,
      )(held, each, place)}`,
  },
  bigquery: {
    about:
      'Copy the Parquet files into a bucket first, and run all statements as one query; the tables are made in the default dataset.',
    twice: SKIPPED,
    body: staged('bigquery', (stagedName, _, table, place) => {
      const uri = place?.file(table.name) ?? `'gs://BUCKET/FOLDER/${table.name}.parquet'`;
      const by = uri.startsWith("'s3:") ? ' with connection `CONNECTION`' : '';
      return `load data into temp table ${stagedName} from files (format = 'PARQUET', uris = [${uri}])${by};\n`;
    }),
  },
  redshift: {
    about: 'Copy the Parquet files into a bucket first, which the default role of the cluster can read.',
    twice: SKIPPED,
    body: staged(
      'redshift',
      (stagedName, name, table, place) =>
        `create temp table ${stagedName} (like ${name});
copy ${stagedName} from ${place?.file(table.name) ?? `'s3://BUCKET/FOLDER/${table.name}.parquet'`} iam_role default format as parquet;
`,
    ),
  },
  clickhouse: {
    about: 'Run it where the Parquet files lie: clickhouse-client --multiquery < this file.',
    twice: REFUSED,
    // The client stops at the first error: `throwIf` runs before any row is added.
    body: (held, each, place) =>
      `create temporary table new_snapshot (snapshot_id String);
insert into new_snapshot ${place === null ? `from infile 'snapshot.parquet' format Parquet` : `select snapshot_id from ${place.file('snapshot')}`};
select throwIf(count() > 0, 'A snapshot of this id is here already. Nothing was loaded.') from ${held} where snapshot_id in (select snapshot_id from new_snapshot);
${each((name, table) => {
  if (place === null) return `insert into ${name} from infile '${table.name}.parquet' format Parquet;\n`;
  const columns = columnNames(table, 'clickhouse');
  return `insert into ${name} (${columns}) select ${columns} from ${place.file(table.name)};\n`;
})}`,
  },
};

/** The whole script, for files where it runs or, with `from`, for a delivered prefix. It adds a snapshot to the loaded snapshots, unless it is loaded already. */
export function loadSql(dialect: Dialect, schema?: string, from: Delivered | null = null): string {
  const { about, twice, body } = SCRIPTS[dialect];
  const place = from === null ? null : deliveredPlace(dialect, from);
  const created = TABLES.map((table) => createTableSql(table, dialect, schema));
  const each = (load: Load): string =>
    LOADED.map((table) => load(qualifiedName(table, dialect, schema), table)).join('');
  return `-- The reporting tables of ${SCHEMA_VERSION}: made where they are not there yet, then loaded with one snapshot.
${runNote(dialect)}
-- ${place?.about ?? about}
-- ${twice}

${created.join('\n')}
${place?.before ?? ''}${body(qualifiedName(snapshot, dialect, schema), each, place)}`;
}

function columnNames(table: Table, dialect: Dialect): string {
  return table.columns.map(({ name }) => nameIn(dialect, name)).join(', ');
}

const TITLES: Readonly<Record<Dialect, string>> = {
  duckdb: 'DuckDB',
  postgres: 'PostgreSQL',
  snowflake: 'Snowflake',
  bigquery: 'BigQuery',
  redshift: 'Redshift',
  clickhouse: 'ClickHouse',
};

/** The comment at the top of each generated statement: the warehouse, and if the tests run statements of this dialect. */
export function runNote(dialect: Dialect): string {
  return EXECUTED.includes(dialect)
    ? `-- For ${TITLES[dialect]}. Our tests run it there.`
    : `-- For ${TITLES[dialect]}. Our tests do not run it: we wrote it from the manual of ${TITLES[dialect]}. Tell us of errors.`;
}

/** A table and its download link. */
interface AttachedTable {
  readonly name: string;
  readonly url: string;
}

/** Statements for DuckDB that make a view of each table over its link, so that no data is loaded. The views work until the links expire; `expires_at` is that time, as text. */
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
