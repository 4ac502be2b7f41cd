/** The operations of the contract, as tests that hold for all of them go through them. */
import { z } from 'zod';
import { describeApi } from '../../../src/serve/api-document.ts';

const parameter = z.object({
  name: z.string(),
  in: z.enum(['query', 'path', 'header']),
  description: z.string().optional(),
  schema: z.looseObject({
    type: z.string(),
    format: z.string().optional(),
    enum: z.array(z.string()).optional(),
  }),
  example: z.union([z.string(), z.number()]).optional(),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.unknown()),
  parameters: z.array(parameter).default([]),
  responses: z.object({
    200: z.object({
      content: z.record(z.string(), z.object({ schema: z.looseObject({}), example: z.unknown().optional() })),
    }),
  }),
});
const { paths } = z
  .object({ paths: z.record(z.string(), z.object({ get: operation })) })
  .parse(describeApi('https://api.example.com/v1'));

type Parameter = z.infer<typeof parameter>;

/** A value that a parameter takes. */
export function valueOf({ example, schema: { type, format, enum: values } }: Parameter): string {
  if (example !== undefined) return String(example);
  const byFormat: Readonly<Record<string, string>> = {
    date: '2026-01-31',
    'date-time': '2026-01-31T00:00:00Z',
  };
  const byType: Readonly<Record<string, string>> = { boolean: 'true', integer: '1', string: 'any' };
  return values?.[0] ?? byFormat[format ?? ''] ?? byType[type] ?? '';
}

/** Every operation with a path that is answered, its parameters by name, and what it answers. */
export const OPERATIONS = Object.entries(paths).map(([path, { get }]) => {
  const filled = get.parameters
    .filter((each) => each.in === 'path')
    .reduce((so, each) => so.replace(`{${each.name}}`, valueOf(each)), path);
  return {
    ...get,
    path,
    asked: `/v1${filled}`,
    isPublic: get.security.length === 0,
    query: get.parameters.filter((each) => each.in === 'query'),
  };
});
