/** `/reporting/schema.json`: the description of the reporting tables. */
import { z } from '@hono/zod-openapi';
import { FIELD_KINDS, type FieldKind } from '../../fields.ts';
import { SCHEMA_VERSION, type SchemaDescription } from '../../tables/describe.ts';
import { defineRoute } from '../contract/define-route.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse } from '../http/static-response.ts';
import { oneOfThese, text, truth } from '../live/shapes.ts';

const columnDescription = z
  .strictObject({
    name: text('The published name of the column.'),
    type: oneOfThese(Object.keys(FIELD_KINDS) as FieldKind[], 'The kind of its values.'),
    nullable: truth('Whether a row may have no value here.'),
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
  })
  .meta({ id: 'ReportingColumn', description: 'One column of a reporting table.' });

const tableDescription = z
  .strictObject({
    name: text('The published name of the table.'),
    grain: text('The meaning of one row.'),
    description: text('The content of the table.'),
    key: z.array(z.string()).meta({ description: 'The columns that identify a row, and order the file.' }),
    columns: z.array(columnDescription).meta({ description: 'Every column, in the order of the file.' }),
  })
  .meta({ id: 'ReportingTableDescription', description: 'One reporting table.' });

const schemaDescription = z
  .strictObject({
    version: z.literal(SCHEMA_VERSION).meta({ description: 'The version of the tables.' }),
    tables: z.array(tableDescription).meta({ description: 'Every table, in published order.' }),
  })
  .meta({
    id: 'SchemaDescription',
    description: 'The reporting tables and their columns, without any figure.',
  });

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
