/** Generates the script that creates the reporting tables in a warehouse and loads a snapshot into them. */
import { TABLES } from '../tables/all.ts';
import { createTableSql, qualifiedName } from '../tables/create-table.ts';
import { type Dialect, nameIn } from '../tables/dialects.ts';
import { SCHEMA_VERSION } from '../tables/describe.ts';
import type { Table } from '../tables/table.ts';
import { runNote } from './run-note.ts';

// Load `snapshot` last: where there is no transaction, its row shows that all other tables are loaded.
const LOADED: readonly Table[] = [...TABLES.slice(1), ...TABLES.slice(0, 1)];

/** How the script of each dialect begins, loads one file and ends; the reader replaces the words in capitals. */
const LOADS: Readonly<Record<Dialect, { about: string; begin: string; load: Load; end: string }>> = {
  duckdb: {
    about: 'Run it where the Parquet files lie: duckdb warehouse.duckdb < this file.',
    begin: 'begin transaction;\n',
    load: (name, table) => `insert into ${name} by name from read_parquet('${table.name}.parquet');\n`,
    end: 'commit;\n',
  },
  postgres: {
    about: 'PostgreSQL reads no Parquet: run it with psql where the CSV files lie.',
    begin: 'begin;\n',
    load: (name, table) =>
      `\\copy ${name} (${columnNames(table, 'postgres')}) from '${table.name}.csv' with (format csv, header match)\n`,
    end: 'commit;\n',
  },
  snowflake: {
    about:
      "Put the Parquet files into the stage first: put 'file:///FOLDER/*.parquet' @crossfoot auto_compress = false",
    begin:
      'create stage if not exists crossfoot file_format = (type = parquet use_logical_type = true);\nbegin;\n',
    load: (name, table) =>
      `copy into ${name} from @crossfoot/${table.name}.parquet match_by_column_name = case_insensitive;\n`,
    end: 'commit;\n',
  },
  bigquery: {
    about: 'Copy the Parquet files into a bucket first; the tables are made in the default dataset.',
    begin: '',
    load: (name, table) =>
      `load data into ${name} from files (format = 'PARQUET', uris = ['gs://BUCKET/FOLDER/${table.name}.parquet']);\n`,
    end: '',
  },
  redshift: {
    about: 'Copy the Parquet files into a bucket first, which the default role of the cluster can read.',
    begin: 'begin;\n',
    load: (name, table) =>
      `copy ${name} from 's3://BUCKET/FOLDER/${table.name}.parquet' iam_role default format as parquet;\n`,
    end: 'commit;\n',
  },
  clickhouse: {
    about: 'Run it where the Parquet files lie: clickhouse-client --multiquery < this file.',
    begin: '',
    load: (name, table) => `insert into ${name} from infile '${table.name}.parquet' format Parquet;\n`,
    end: '',
  },
};

type Load = (name: string, table: Table) => string;

/** The whole script. If the warehouse enforces keys, they refuse loading a snapshot twice. */
export function loadSql(dialect: Dialect, schema?: string): string {
  const { about, begin, load, end } = LOADS[dialect];
  const created = TABLES.map((table) => createTableSql(table, dialect, schema));
  const loads = LOADED.map((table) => load(qualifiedName(table, dialect, schema), table));
  return `-- The reporting tables of ${SCHEMA_VERSION}: made where they are not there yet, then loaded with one snapshot.
${runNote(dialect)}
-- ${about}

${created.join('\n')}
${begin}${loads.join('')}${end}`;
}

function columnNames(table: Table, dialect: Dialect): string {
  return table.columns.map(({ name }) => nameIn(dialect, name)).join(', ');
}
