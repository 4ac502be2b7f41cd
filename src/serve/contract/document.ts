/**
 * The contract as an OpenAPI 3.1 document, made from the declarations that validate requests and type responses. This
 * file adds what holds for every route: security, refusals and common headers.
 */
import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { SCHEMA_VERSION } from '../../tables/describe.ts';
import { errorShape } from './shapes.ts';
import { EXAMPLES } from './examples.ts';
import { INTRODUCTION, TAGS } from './introduction.ts';
import { commonRefusals, refusalComponents, refusalReference } from './refusals.ts';

export type ApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type Components = NonNullable<ApiDocument['components']>;
type Operation = NonNullable<NonNullable<ApiDocument['paths']>[string]['get']>;
type Answer = Exclude<NonNullable<Components['responses']>[string], { $ref: string }>;

const UNCHANGED = { description: 'Unchanged: the entity tag is one of those in `If-None-Match`.' };
const WITH_TOKEN = [{ token: [] }, { password: [] }];

const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'A personal or reporting access token.' },
  password: {
    type: 'http',
    scheme: 'basic',
    description: 'The access token as the password, with any user name.',
  },
} as const;

const HEADERS = {
  ETag: header('The SHA-256 of the whole body, as a strong entity tag.'),
  RequestId: header('The id of this request in the log; quote it when you ask about an answer.'),
  RateLimit: header('The rest of each quota and the seconds until it is full again.'),
  RateLimitPolicy: header('The quotas: requests per window of seconds, by token and by address.'),
};

/**
 * The OpenAPI document of these routes for this public address. `npm run generate` writes it to `schema/v1.openapi.json`, which
 * servers read: making it takes a third of a second.
 */
export function describeRoutes(
  routes: readonly { readonly contract: RouteConfig }[],
  baseUrl: string,
): ApiDocument {
  const app = new OpenAPIHono();
  for (const { contract } of routes) app.openAPIRegistry.registerPath(contract);
  app.openAPIRegistry.register('Error', errorShape);
  const {
    webhooks: _,
    components,
    paths,
    ...head
  } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Crossfoot API', version: SCHEMA_VERSION, description: INTRODUCTION },
    servers: [{ url: baseUrl }],
    tags: TAGS,
  });
  return withWidths({
    ...head,
    info: { ...head.info, license: { name: 'MIT', identifier: 'MIT' } },
    paths: Object.fromEntries(
      Object.entries(openToMore(paths ?? {})).map(([path, { get }]) => [
        path,
        get === undefined ? {} : { get: complete(get) },
      ]),
    ),
    components: {
      schemas: openToMore(components?.schemas ?? {}),
      responses: Object.fromEntries(
        Object.entries(refusalComponents()).map(([name, refusal]) => [name, withHeaders(refusal, false)]),
      ),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  });
}

/** An operation with the responses and headers that every operation has. */
function complete(operation: Operation): Operation {
  const security = operation.security ?? WITH_TOKEN;
  const common = commonRefusals(security.length > 0).map((status) => [status, refusalReference(status)]);
  const own = Object.entries(operation.responses ?? {}).map(([status, answer]) => [
    status,
    // A referenced refusal has its headers already.
    '$ref' in answer ? answer : withHeaders(withExample(answer, status, operation), isTagged(status)),
  ]);
  const responses = Object.fromEntries([...common, ['304', withHeaders(UNCHANGED, true)], ...own]);
  return { ...operation, security, responses };
}

/** Whether an answer of this status has an entity tag. */
function isTagged(status: string): boolean {
  return status === '200' || status === '206';
}

function withExample(answer: Answer, status: string, { operationId = '' }: Operation): Answer {
  const example = status === '200' ? EXAMPLES[operationId] : undefined;
  const json = answer.content?.['application/json'];
  if (json === undefined || example === undefined) return answer;
  return { ...answer, content: { ...answer.content, 'application/json': { ...json, example } } };
}

function withHeaders(answer: Answer, tagged: boolean): Answer {
  return {
    ...answer,
    headers: {
      ...(tagged && { etag: reference('ETag') }),
      ...answer.headers,
      'x-request-id': reference('RequestId'),
      ratelimit: reference('RateLimit'),
      'ratelimit-policy': reference('RateLimitPolicy'),
    },
  };
}

function reference(name: keyof typeof HEADERS) {
  return { $ref: `#/components/headers/${name}` };
}

function header(description: string) {
  return { description, required: true, schema: { type: 'string' as const } };
}

/**
 * Our shapes are closed: an answer has only fields that the contract names. The published contract leaves
 * them open: a version may add fields, and a client that refused new ones would break.
 */
function openToMore<Part>(part: Part): Part {
  return JSON.parse(
    JSON.stringify(part, (key, value: unknown) =>
      key === 'additionalProperties' && value === false ? undefined : value,
    ),
  ) as Part; // the same type without the removed members
}

/** Members that hold values, not schemas. */
const VALUES = new Set(['default', 'enum', 'example', 'examples']);

/**
 * The part with `format: int64` in the schema of each whole number. Without a format, generated clients read whole
 * numbers as 32 bits: amounts above 21 million dollars end them.
 */
function withWidths<Part>(part: Part, areFields = false): Part {
  if (Array.isArray(part)) return part.map((each: unknown) => withWidths(each)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([key, value]: readonly [string, unknown]) => [
    key,
    VALUES.has(key) && !areFields ? value : withWidths(value, key === 'properties' && !areFields),
  ]);
  const isInteger = !areFields && 'type' in part && [part.type].flat().includes('integer');
  return { ...Object.fromEntries(members), ...(isInteger && { format: 'int64' }) } as Part;
}
