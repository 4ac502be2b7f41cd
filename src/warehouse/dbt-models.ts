/** dbt staging models: for each table a view over the source, with the rows of the newest loaded snapshot. */
import type { Table } from '../tables/table.ts';

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
