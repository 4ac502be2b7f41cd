/**
 * The reporting tables for dbt: a source with descriptions, freshness, and tests of keys, listed values and references; and for
 * each table a staging model, a view over the source with the rows of the newest loaded snapshot.
 */
import { TABLES, tableNamed } from '../tables/all.ts';
import { wholeKey } from '../tables/create-table.ts';
import { SCHEMA_VERSION } from '../tables/describe.ts';
import type { Column, Table } from '../tables/table.ts';
import { yaml } from './yaml.ts';

// A snapshot is built every night: after 30 hours one is late, after 54 hours two are missing.
const FRESHNESS = {
  warn_after: { count: 30, period: 'hour' },
  error_after: { count: 54, period: 'hour' },
};

/** The text of `sources.yml`, in the form of dbt 1.10.5. Its tests of combined keys come from the package dbt_utils. */
export function dbtSources(tables: readonly Table[] = TABLES): string {
  const source = {
    version: 2,
    sources: [
      {
        name: 'crossfoot',
        description: `Audited reporting tables, ${SCHEMA_VERSION}: one consistent moment of the ledger a snapshot.`,
        schema: "{{ var('crossfoot_schema', 'crossfoot') }}",
        tables: tables.map(sourceTable),
      },
    ],
  };
  return `# Made from the declarations of the tables; it needs dbt 1.10.5 or newer and the package\n# dbt-labs/dbt_utils. Set the variable crossfoot_schema to where the tables were loaded.\n${yaml(source)}`;
}

function sourceTable(table: Table) {
  const { name, grain, description, columns } = table;
  const key = wholeKey(table);
  return {
    name,
    description: `${grain}: ${description}`,
    ...(columns.some((column) => column.name === 'generated_at') && {
      config: { loaded_at_field: 'generated_at', freshness: FRESHNESS },
    }),
    ...(key.length > 1 && {
      data_tests: [
        { 'dbt_utils.unique_combination_of_columns': { arguments: { combination_of_columns: key } } },
      ],
    }),
    columns: columns.map((column) => sourceColumn(column, key)),
  };
}

function sourceColumn({ name, description, nullable, values, references }: Column, key: readonly string[]) {
  const tests = [
    ...(key.length === 1 && key.includes(name) ? ['unique'] : []),
    ...(key.includes(name) && !nullable ? ['not_null'] : []),
    ...(values === undefined ? [] : [{ accepted_values: { arguments: { values } } }]),
    ...(references === undefined ? [] : [{ relationships: { arguments: relation(references) } }]),
  ];
  return { name, description, ...(tests.length > 0 && { data_tests: tests }) };
}

/** The referenced table, and the first column of its key. */
function relation(references: string) {
  return { to: `source('crossfoot', '${references}')`, field: tableNamed(references)?.key[0] };
}

/** The model of a table; save it as `models/stg_crossfoot__{table}.sql`. */
export function stagingModel({ name, grain, columns }: Table): string {
  const listed = columns.map((column) => `  ${column.name}`).join(',\n');
  return `-- ${grain[0]?.toUpperCase()}${grain.slice(1)}, in the newest snapshot. Made from the declaration of the table.
{{ config(materialized='view') }}

select
${listed}
from {{ source('crossfoot', '${name}') }}
where snapshot_id = (select max(snapshot_id) from {{ source('crossfoot', 'snapshot') }})
`;
}
