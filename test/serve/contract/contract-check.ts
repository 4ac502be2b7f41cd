/** Says how an answer differs from what the contract promises of its route. */
import { z } from 'zod';
import { ASSISTANT_PATH } from '../../../src/serve/auth/well-known.ts';
import { describeApi } from '../../../src/serve/api-document.ts';
import { REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from '../../../src/serve/connect/addresses.ts';
import { isSharing } from '../../../src/serve/sharing/sharing-path.ts';

/** What is read here of the contract; the linter has judged the rest of it. */
const reference = z.object({ $ref: z.string() });
const header = z.union([reference, z.object({ required: z.boolean() })]);
const answer = z.object({
  headers: z.record(z.string(), header).default({}),
  content: z.record(z.string(), z.object({ schema: z.looseObject({}) })).default({}),
});
const contract = z
  .object({
    paths: z.record(
      z.string(),
      z.object({ get: z.object({ responses: z.record(z.string(), z.union([reference, answer])) }) }),
    ),
    components: z.object({
      schemas: z.record(z.string(), z.looseObject({})),
      responses: z.record(z.string(), answer),
    }),
  })
  .parse(JSON.parse(JSON.stringify(describeApi('https://api.example.com/v1'))));

type Answer = z.infer<typeof answer>;

const ROUTES = Object.entries(contract.paths).map(([path, { get }]) => ({
  path,
  responses: get.responses,
  pattern: new RegExp(`^/v1${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Every fault of an answer; the path and the method are those that were asked for. */
export async function faultsOf(method: string, path: string, response: Response): Promise<readonly string[]> {
  const promised = promisedAnswer(method, path, response.status);
  if (promised === null) return [];
  if (typeof promised === 'string') return [promised];
  const [type] = (response.headers.get('content-type') ?? '').split(';');
  const missing = Object.entries(promised.headers)
    .filter(([name, told]) => ('$ref' in told || told.required) && !response.headers.has(name))
    .map(([name]) => `has no header ${name}`);
  const [sent] = Object.entries(promised.content).filter(([each]) => each === type);
  if (sent === undefined)
    return type === '' && Object.keys(promised.content).length === 0
      ? missing
      : [...missing, `is of type ${type}`];
  if (type !== 'application/json' || method === 'HEAD') return missing;
  return [...missing, ...faultsOfBody(sent[1].schema, await response.json())];
}

/** Every fault of a body against a schema of the contract: also that it has a field too many. */
export function faultsOfBody(schema: object, body: unknown): readonly string[] {
  const checked = checkerOf(schema).safeParse(body);
  return checked.success
    ? []
    : checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** The fields of every error. */
export const ERROR_SCHEMA = { $ref: '#/components/schemas/Error' };

const OF_OAUTH: readonly string[] = [REGISTER_PATH, REVOKE_PATH, TOKEN_PATH];

/** The answer that is promised, or a sentence when none is; null where nothing is. */
function promisedAnswer(method: string, path: string, status: number): Answer | string | null {
  // Each speaks a protocol of its own, to which its own tests hold it.
  if ([ASSISTANT_PATH, ...OF_OAUTH].includes(path) || isSharing(path)) return null;
  const refused =
    status >= 400 ? { headers: {}, content: { 'application/json': { schema: ERROR_SCHEMA } } } : null;
  const route = ROUTES.find(({ pattern }) => pattern.test(path));
  if (route === undefined || (method !== 'GET' && method !== 'HEAD')) return refused;
  const promised = route.responses[String(status)];
  if (promised === undefined) return `is ${status}, which ${route.path} does not promise`;
  return '$ref' in promised
    ? (contract.components.responses[promised.$ref.split('/').at(-1) ?? ''] ?? null)
    : promised;
}

const checkers = new Map<string, z.ZodType>();

function checkerOf(schema: object): z.ZodType {
  const key = JSON.stringify(schema);
  const known = checkers.get(key);
  if (known !== undefined) return known;
  const json = JSON.stringify({ ...schema, $defs: contract.components.schemas }, (_, value: unknown) =>
    closed(value),
  );
  const made = z.fromJSONSchema(JSON.parse(json.replaceAll('#/components/schemas/', '#/$defs/')));
  checkers.set(key, made);
  return made;
}

/** The contract lets clients expect more fields than it names; our own answers must not have them. */
function closed(value: unknown): unknown {
  const isObjectSchema =
    typeof value === 'object' &&
    value !== null &&
    'properties' in value &&
    !('additionalProperties' in value);
  return isObjectSchema ? { ...value, additionalProperties: false } : value;
}
