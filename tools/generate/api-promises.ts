/** Lists what an OpenAPI document promises, each promise with its place: two versions are compared in this form. */
import { z } from 'zod';

/** Keywords that are descriptions, or that contain other places; every other keyword of a schema is a rule. */
const NO_RULE = new Set(
  '$ref title description example examples externalDocs properties required items additionalProperties anyOf oneOf allOf'.split(
    ' ',
  ),
);

const schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
  get allOf() {
    return z.array(schema).optional();
  },
});
const content = z.record(z.string(), z.object({ schema: schema.optional() })).default({});
const header = z.object({ required: z.boolean().default(false), schema });
const operation = z.object({
  operationId: z.string(),
  security: z.unknown(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema }))
    .default([]),
  responses: z.record(z.string(), z.object({ headers: z.record(z.string(), header).default({}), content })),
});
const apiDocument = z.object({
  paths: z.record(z.string(), z.object({ get: operation })),
  components: z.object({ schemas: z.record(z.string(), schema).default({}) }),
});
const shared = z.object({
  components: z.looseObject({
    responses: z.record(z.string(), z.unknown()).default({}),
    headers: z.record(z.string(), z.unknown()).default({}),
  }),
});

type Schema = z.infer<typeof schema>;
type Components = Readonly<Record<string, Schema>>;

/** One promise that a client may rely on. */
export interface ApiPromise {
  /** `asked`: the client sends the value; `answered`: the client receives it. Different changes break the two sides. */
  readonly side: 'asked' | 'answered';
  readonly required: boolean;
  /** The rules of a value by keyword: type, values, limits and others. */
  readonly rules: Readonly<Record<string, unknown>>;
}

/** Every promise of a document by its place, such as `GET /roi answer 200 cost.capex_cents`. */
export function apiPromises(document: unknown): ReadonlyMap<string, ApiPromise> {
  const { paths, components } = apiDocument.parse(writtenOut(document, shared.parse(document).components));
  const promises = new Map<string, ApiPromise>();
  const promise = (place: string, side: ApiPromise['side'], required = true, rules = {}): void => {
    promises.set(place, { side, required, rules });
  };
  for (const name of Object.keys(components.schemas)) promise(`component ${name}`, 'answered');
  for (const [path, { get }] of Object.entries(paths)) {
    const { operationId, security, parameters, responses } = get;
    promise(`GET ${path}`, 'answered', true, { operationId, security });
    for (const { name, in: where, required, schema: asked } of parameters) {
      for (const [place, each] of fieldsOf(
        asked,
        `GET ${path} ${where} ${name}`,
        required,
        components.schemas,
      )) {
        promise(place, 'asked', each.required, each.rules);
      }
    }
    for (const [status, { headers, content: bodies }] of Object.entries(responses)) {
      const answer = `GET ${path} answer ${status}`;
      promise(answer, 'answered');
      for (const [name, { required, schema: told }] of Object.entries(headers)) {
        promise(`${answer} header ${name}`, 'answered', required, rulesOf(told));
      }
      for (const [type, { schema: body = {} }] of Object.entries(bodies)) {
        for (const [place, each] of fieldsOf(body, `${answer} ${type}`, true, components.schemas)) {
          promise(place, 'answered', each.required, each.rules);
        }
      }
    }
  }
  return promises;
}

/** A part of a document with references to responses and headers resolved. */
function writtenOut(part: unknown, components: z.infer<typeof shared>['components']): unknown {
  if (Array.isArray(part)) return part.map((each) => writtenOut(each, components));
  if (typeof part !== 'object' || part === null) return part;
  const [, kind, name = ''] =
    /^#\/components\/(responses|headers)\/(.+)$/.exec(String(Reflect.get(part, '$ref'))) ?? [];
  if (kind === 'responses' || kind === 'headers') return writtenOut(components[kind][name], components);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, writtenOut(value, components)]));
}

type Field = readonly [place: string, { readonly required: boolean; readonly rules: ApiPromise['rules'] }];

/** A schema and everything below it. References are resolved: moving a schema into a component changes no promise. */
function fieldsOf(given: Schema, place: string, required: boolean, components: Components): Field[] {
  const { properties = {}, items, additionalProperties: rest, ...one } = resolved(given, components);
  const fields: Field[] = [[place, { required, rules: rulesOf(one) }]];
  for (const [name, property] of Object.entries(properties)) {
    const there = one.required?.includes(name) === true;
    fields.push(...fieldsOf(property, `${place} ${name}`, there, components));
  }
  if (items !== undefined) fields.push(...fieldsOf(items, `${place} []`, true, components));
  if (typeof rest === 'object') fields.push(...fieldsOf(rest, `${place} *`, true, components));
  const branches = [one.anyOf, one.oneOf, one.allOf].flatMap((each) => each ?? []);
  for (const [index, branch] of branches.entries()) {
    fields.push(...fieldsOf(branch, `${place} (${index + 1})`, true, components));
  }
  return fields;
}

/** Resolves a reference, and turns "this or null" into a nullable type: two spellings of one promise. */
function resolved(given: Schema, components: Components): Schema {
  const { $ref, ...own } = given;
  if ($ref !== undefined) {
    const found = components[$ref.replace('#/components/schemas/', '')];
    if (found === undefined) throw new Error(`${$ref} is not in the document`);
    return resolved({ ...found, ...own }, components);
  }
  const branches = (given.anyOf ?? given.oneOf ?? []).map((branch) => resolved(branch, components));
  const [value, ...others] = branches.filter(({ type }) => type !== 'null');
  if (value === undefined || others.length > 0 || branches.length === 1) return given;
  return { ...value, type: [...[value.type ?? []].flat(), 'null'] };
}

/** The rules of a schema; lists of types and of values are unordered. */
function rulesOf(given: Schema): ApiPromise['rules'] {
  const kept = Object.entries(given).filter(
    ([keyword]) => !NO_RULE.has(keyword) && !keyword.startsWith('x-'),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      const unordered = keyword === 'type' || keyword === 'enum' ? [value].flat() : null;
      return [keyword, unordered?.map((each) => String(each)).toSorted() ?? value];
    }),
  );
}
