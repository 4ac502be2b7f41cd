/** Makes the text of docs/reference/table-*.md, one page for each reporting table. */
import { FIELD_KINDS } from '../../src/fields.ts';
import type { SchemaDescription } from '../../src/tables/describe.ts';
import { markdownTable, type ReferencePage } from './reference-page.ts';
import { codes } from '../../src/serve/contract/api-shape.ts';

/** The article id of the first page; the pages of the API begin at 1101. */
const FIRST_ID = 1001;

type TableDescription = SchemaDescription['tables'][number];

/** The slug of a table's page, such as `table-costs`. */
function tableSlug(name: string): string {
  return `table-${name.replaceAll('_', '-')}`;
}

/** A page for each table, in published order. */
export function tablePages({ tables }: SchemaDescription): readonly ReferencePage[] {
  return tables.map((table, index) => ({
    id: FIRST_ID + index,
    slug: tableSlug(table.name),
    theme: 'Table reference',
    title: `Table ${table.name}`,
    summary: `Columns of the reporting table ${table.name}, ${table.grain}.`,
    body: tableBody(table),
  }));
}

function tableBody({ name, grain, description, key, columns }: TableDescription): string {
  const rows = columns.map(({ name: column, type, nullable, ...rest }) => [
    `\`${column}\``,
    `${type}${nullable ? '?' : ''}`,
    columnMeaning(rest),
  ]);
  const kinds = [...new Set(columns.map(({ type }) => type))].map((kind) => {
    const { duckdb, meaning } = FIELD_KINDS[kind];
    return [kind, `\`${duckdb}\``, meaning];
  });
  return `${description}

- **Grain:** ${grain}.
- **Key, and order of the rows:** ${codes(key)}.
- **File:** \`/v1/reporting/latest/${name}.parquet\`, or the same file of another snapshot.

## Columns

A \`?\` marks a column that may be empty.

${markdownTable(['column', 'type', 'meaning'], rows)}
## Types

${markdownTable(['type', 'in DuckDB', 'meaning'], kinds)}`;
}

function columnMeaning(
  column: Pick<TableDescription['columns'][number], 'description' | 'values' | 'references'>,
): string {
  const { description, values, references } = column;
  const said = [description];
  if (values !== undefined) said.push(`One of ${codes(values)}.`);
  if (references !== undefined) said.push(`Joins to [${references}](${tableSlug(references)}.md).`);
  return said.join(' ');
}
