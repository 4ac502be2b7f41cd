/** Runs the checks of an audit on tables that a test writes by hand, in DuckDB in memory. */
import { readFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';

const SCHEMA = new URL('../../schema/', import.meta.url);

interface Finding {
  /** The subject, the place and the figure of the finding. */
  readonly at: string;
  readonly expected: unknown;
  readonly found: unknown;
}

export interface CheckBench {
  /** Runs the SQL `change`, such as `create or replace table …`, and then the check of that name. */
  readonly findings: (check: string, change?: string) => Promise<readonly Finding[]>;
  readonly close: () => void;
}

/**
 * Opens the audit of a folder below `schema`, such as `focus`, on these tables (SQL). A view of a file is made if the tables
 * hold the file; the table `file_costs` is then `costs.parquet`.
 */
export async function openChecks(folder: string, tables = ''): Promise<CheckBench> {
  const read = (name: string) => readFile(new URL(`${folder}/${name}.sql`, SCHEMA), 'utf8');
  const views = await read(`00-view-${folder.split('/')[0]}`);
  const written = new Set(tables.match(/\bfile_\w+/g));
  const statements = views
    .replaceAll(/read_parquet\('(?:\w+\/)?(\w+)\.parquet'\)/g, 'file_$1')
    .split(/;\n/)
    .filter((each) => !/parquet_file_metadata|read_csv/.test(each))
    .filter((each) => (each.match(/\bfile_\w+/g) ?? []).every((name) => written.has(name)));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`set timezone = 'UTC'; ${tables};\n${statements.join(';\n')}`);
  return {
    findings: async (check, change) => {
      if (change !== undefined) await connection.run(change);
      const found = await connection.runAndReadAll(await read(check));
      return found.getRowObjects().map(({ subject, place, figure, expected, found: held }) => ({
        at: `${String(subject)} ${String(place)} ${String(figure)}`,
        expected,
        found: held,
      }));
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
