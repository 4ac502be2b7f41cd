/** `/reporting/schema.json`: the description of the reporting tables. */
import { z } from '@hono/zod-openapi';
import { FIELD_KINDS, type FieldKind } from '../../fields.ts';
import { SCHEMA_VERSION, type SchemaDescription } from '../../tables/describe.ts';
import { defineRoute } from '../contract/define-route.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse } from '../http/static-response.ts';
import { arrayOf, component, oneOfThese, text, boolean } from '../contract/shapes.ts';

const columnDescription = component('ReportingColumn', 'One column of a reporting table.', {
  name: text('The published name of the column.'),
  type: oneOfThese(Object.keys(FIELD_KINDS) as FieldKind[], 'The kind of its values.'),
  nullable: boolean('Whether a row may have no value here.'),
  description: text('Its meaning and unit, and when it is empty.'),
  values: z
    .array(z.string())
    .optional()
    .meta({ description: 'Every possible value; absent when the values are not listed.' }),
  never_empty: z
    .literal(true)
    .optional()
    .meta({ description: 'Present where a nullable column always has a value.' }),
  references: z
    .string()
    .optional()
    .meta({ description: 'The table whose key this column refers to; absent without a reference.' }),
});

const tableDescription = component('ReportingTableDescription', 'One reporting table.', {
  name: text('The published name of the table.'),
  grain: text('The meaning of one row.'),
  description: text('The content of the table.'),
  key: arrayOf(z.string(), 'The columns that identify a row, and order the file.'),
  columns: arrayOf(columnDescription, 'Every column, in the order of the file.'),
});

const schemaDescription = component(
  'SchemaDescription',
  'The reporting tables and their columns, without any figure.',
  {
    version: z.literal(SCHEMA_VERSION).meta({ description: 'The version of the tables.' }),
    tables: arrayOf(tableDescription, 'Every table, in published order.'),
  },
);

export interface SchemaParts {
  readonly schema: SchemaDescription;
}

/** The description, made and hashed once. */
export const schemaJson = defineRoute(
  {
    path: '/reporting/schema.json',
    operationId: 'get_reporting_schema',
    summary: 'The reporting tables and their columns, without any figure.',
    tags: ['Reporting'],
    security: [],
    responses: {
      200: {
        description: 'The tables in published order.',
        headers: z.object({}),
        content: { 'application/json': { schema: schemaDescription } },
      },
    },
  },
  ({ schema }: SchemaParts) => {
    const tables = staticResponse(JSON.stringify(schema), 'application/json');
    return (c) => sendStatic(c, tables, CACHE_PUBLIC);
  },
);
