/** The reference page of each resource of the read API, made from the contract. */
import type { describeApi } from '../../src/serve/api-document.ts';
import { type ApiSchema, shapeRows, shownMeaning, shownType } from '../../src/serve/contract/api-shape.ts';
import { markdownTable, type ReferencePage } from './reference-page.ts';

const FIRST_ID = 1101;
// The route of the OpenAPI document itself needs no reference page.
const OPENAPI_ROUTE = '/openapi.json';

type ApiDocument = ReturnType<typeof describeApi>;
type Operation = NonNullable<NonNullable<ApiDocument['paths']>[string]['get']>;

/** A page for each first part of a path, such as `/roi` or `/reporting`, with its routes in the order of the contract. */
export function apiPages(document: ApiDocument): readonly ReferencePage[] {
  const groups = new Map<string, [path: string, Operation][]>();
  for (const [path, { get }] of Object.entries(document.paths ?? {})) {
    if (get === undefined || path === OPENAPI_ROUTE) continue;
    const name = path.split('/')[1] ?? '';
    groups.set(name, [...(groups.get(name) ?? []), [path, get]]);
  }
  // The document was made as JSON, so its schemas have this shape.
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, ApiSchema>>;
  return [...groups].map(([name, routes], index) => ({
    id: FIRST_ID + index,
    slug: `api-${name.replaceAll('_', '-')}`,
    theme: 'API reference',
    title: `API /v1/${name}`,
    summary: `Parameters and fields of /v1/${name}. ${routes[0]?.[1].summary ?? ''}`.trim(),
    body: routes.map(([path, operation]) => routeText(path, operation, schemas)).join('\n'),
  }));
}

function routeText(path: string, operation: Operation, schemas: Readonly<Record<string, ApiSchema>>): string {
  const parts = [`## GET /v1${path}\n`, `${operation.summary ?? ''}\n`];
  // Our parameters are declared at their route, never by reference.
  const parameters = (operation.parameters ?? []) as readonly ApiParameter[];
  if (parameters.length > 0) {
    const rows = parameters.map(({ name, in: place, schema }) => {
      const where = place === 'path' ? ' Part of the path.' : '';
      return [`\`${name}\``, shownType(schema), `${shownMeaning({ description: '', ...schema })}${where}`];
    });
    parts.push(markdownTable(['parameter', 'type', 'meaning'], rows));
  }
  const content = contentOf(operation.responses?.['200']);
  const schema = content['application/json']?.schema;
  const fields = schema === undefined ? [] : shapeRows(schema, schemas);
  const types = Object.keys(content).map((type) => `\`${type}\``);
  if (fields.length > 0) parts.push(markdownTable(['field', 'type', 'meaning'], fields));
  else parts.push(`Answers with ${types.join(' or ')}.\n`);
  return parts.join('\n');
}

interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: ApiSchema;
}

function contentOf(answer: unknown): Readonly<Record<string, { readonly schema?: ApiSchema }>> {
  const { content } = answer as { content?: ReturnType<typeof contentOf> };
  return content ?? {};
}
