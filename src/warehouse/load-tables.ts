/** Generates the script that creates the reporting tables in a warehouse and loads a snapshot into them. */
import { TABLES } from '../tables/all.ts';
import { createTableSql, qualifiedName } from '../tables/create-table.ts';
import { type Dialect, EXECUTED, nameIn } from '../tables/dialects.ts';
import { SCHEMA_VERSION } from '../tables/describe.ts';
import { snapshot } from '../tables/snapshot.ts';
import type { Table } from '../tables/table.ts';
import { runNote } from './run-note.ts';

// Load `snapshot` last: where there is no transaction, its row shows that all other tables are loaded.
const LOADED: readonly Table[] = [...TABLES.slice(1), ...TABLES.slice(0, 1)];

const TWICE_SAYS = 'A snapshot that is here already is not loaded again, and the last row says so.';
const TWICE_DOUBLES =
  'Nothing here refuses a second load: run it once for each snapshot. The compare statement finds rows that are there twice.';

/** The last statement: one row that says in words what the script did. */
const SAY_LOADED =
  "select case when count(*) = 0 then 'This snapshot is here already. Nothing was loaded.' else 'Loaded.' end as note from new_snapshot;\n";

/** Two rows of one snapshot. A snapshot id is a second, so two accounts may share one. */
const SAME = 'h.snapshot_id = n.snapshot_id and h.account_id = n.account_id';

/** psql has no condition on \\copy: the rows go to a table of this transaction first. */
const copyAside = (name: string, table: Table): string =>
  `create temp table new_${table.name} (like ${name}) on commit drop;
\\copy new_${table.name} (${columnNames(table, 'postgres')}) from '${table.name}.csv' with (format csv, header match)
`;

/** How the script of each dialect begins, loads one file and ends; the reader replaces the words in capitals. */
const LOADS: Readonly<
  Record<Dialect, { about: string; begin: (held: string) => string; load: Load; end: string }>
> = {
  duckdb: {
    about: 'Run it where the Parquet files lie: duckdb warehouse.duckdb < this file.',
    begin: (held) =>
      `begin transaction;\ncreate or replace temp table new_snapshot as from read_parquet('snapshot.parquet') as n where not exists (from ${held} as h where ${SAME});\n`,
    load: (name, table) =>
      `insert into ${name} by name select * from read_parquet('${table.name}.parquet') where exists (from new_snapshot);\n`,
    end: `${SAY_LOADED}commit;\n`,
  },
  postgres: {
    about: 'PostgreSQL reads no Parquet: run it with psql where the CSV files lie.',
    begin: (held) =>
      `begin;\n${copyAside(held, snapshot)}delete from new_snapshot as n using ${held} as h where ${SAME};\n`,
    load: (name, table) => {
      const aside = table === snapshot ? '' : copyAside(name, table);
      const columns = columnNames(table, 'postgres');
      const rows = `select ${columns} from new_${table.name}${table === snapshot ? '' : ' where exists (select from new_snapshot)'}`;
      return `${aside}insert into ${name} (${columns}) ${rows};\n`;
    },
    end: `${SAY_LOADED}commit;\n`,
  },
  snowflake: {
    about:
      "Put the Parquet files into the stage first: put 'file:///FOLDER/*.parquet' @crossfoot auto_compress = false",
    begin: () =>
      'create stage if not exists crossfoot file_format = (type = parquet use_logical_type = true);\nbegin;\n',
    load: (name, table) =>
      `copy into ${name} from @crossfoot/${table.name}.parquet match_by_column_name = case_insensitive;\n`,
    end: 'commit;\n',
  },
  bigquery: {
    about: 'Copy the Parquet files into a bucket first; the tables are made in the default dataset.',
    begin: () => '',
    load: (name, table) =>
      `load data into ${name} from files (format = 'PARQUET', uris = ['gs://BUCKET/FOLDER/${table.name}.parquet']);\n`,
    end: '',
  },
  redshift: {
    about: 'Copy the Parquet files into a bucket first, which the default role of the cluster can read.',
    begin: () => 'begin;\n',
    load: (name, table) =>
      `copy ${name} from 's3://BUCKET/FOLDER/${table.name}.parquet' iam_role default format as parquet;\n`,
    end: 'commit;\n',
  },
  clickhouse: {
    about: 'Run it where the Parquet files lie: clickhouse-client --multiquery < this file.',
    begin: () => '',
    load: (name, table) => `insert into ${name} from infile '${table.name}.parquet' format Parquet;\n`,
    end: '',
  },
};

type Load = (name: string, table: Table) => string;

/**
 * The whole script. It appends a snapshot to those that are there. In DuckDB and PostgreSQL it says of a snapshot that is
 * there already that nothing was loaded.
 */
export function loadSql(dialect: Dialect, schema?: string): string {
  const { about, begin, load, end } = LOADS[dialect];
  const created = TABLES.map((table) => createTableSql(table, dialect, schema));
  const loads = LOADED.map((table) => load(qualifiedName(table, dialect, schema), table));
  return `-- The reporting tables of ${SCHEMA_VERSION}: made where they are not there yet, then loaded with one snapshot.
${runNote(dialect)}
-- ${about}
-- ${EXECUTED.includes(dialect) ? TWICE_SAYS : TWICE_DOUBLES}

${created.join('\n')}
${begin(qualifiedName(snapshot, dialect, schema))}${loads.join('')}${end}`;
}

function columnNames(table: Table, dialect: Dialect): string {
  return table.columns.map(({ name }) => nameIn(dialect, name)).join(', ');
}
