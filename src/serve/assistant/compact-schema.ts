/**
 * Shortens the JSON Schema of a tool. A client sends the whole list of tools to its model with every question, so a
 * keyword without information costs time and money each time.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

type JsonSchema = Record<string, unknown>;

/**
 * The schema, shortened. The input keeps the description of each parameter, and only keywords that every large model's
 * API takes. The output keeps only names and types: programs need no more, and models read the text of the answer,
 * which has the meanings and warnings.
 */
export function compactSchema(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const { '~standard': standard } = schema;
  const { jsonSchema } = standard;
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: (options) => compact(jsonSchema.input(options), CALL),
        output: (options) => compact(jsonSchema.output(options), { isAnswer: true, level: 0 }),
      },
    },
  };
}

interface Place {
  readonly isAnswer: boolean;
  /** The number of objects around this schema; 0 for the outermost one. */
  readonly level: number;
}

const CALL: Place = { isAnswer: false, level: 0 };

function compact(schema: JsonSchema, place: Place): JsonSchema {
  const shorter = place.isAnswer ? nullable(schema) : inclusive(schema);
  const kept = Object.entries(shorter).filter(([keyword, value]) => !saysNothing(keyword, value, place));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, compactValue(keyword, value, place)]));
}

function compactValue(keyword: string, value: unknown, place: Place): unknown {
  if (keyword === 'properties' || keyword === '$defs') {
    const below = { ...place, level: place.level + 1 };
    const fields = Object.entries(isObject(value) ? value : {});
    return Object.fromEntries(
      fields.map(([name, field]) => [name, isObject(field) ? compact(field, below) : field]),
    );
  }
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? compact(each, place) : each));
  return isObject(value) ? compact(value, place) : value;
}

// The keywords that the schema of an input keeps. One other keyword ends the whole list of tools at some model's API:
// Gemini's refuses `exclusiveMinimum` and `additionalProperties`. The server refuses unknown arguments without them.
const OF_CALLS = new Set(
  'type description enum items properties required minimum maximum minLength maxLength pattern default minItems maxItems'.split(
    ' ',
  ),
);

// The keywords that the schema of an answer keeps. `enum` and `additionalProperties` are dropped: an answer may get
// new values and fields later, and a client must not refuse them.
const OF_ANSWERS = new Set(['type', 'properties', 'items', 'anyOf', '$ref', '$defs']);

function saysNothing(keyword: string, value: unknown, { isAnswer, level }: Place): boolean {
  if (isAnswer) return !OF_ANSWERS.has(keyword) && (keyword !== 'required' || level > 0);
  // These limits hold for every JSON integer, so they say nothing.
  const isEveryInteger =
    ['maximum', 'minimum'].includes(keyword) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return isEveryInteger || !OF_CALLS.has(keyword);
}

/** The limits of a whole number, both inclusive; they are limits of the same numbers. */
function inclusive(schema: JsonSchema): JsonSchema {
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...rest } = schema;
  if (rest['type'] !== 'integer') return rest;
  return {
    ...rest,
    ...(typeof above === 'number' && { minimum: Math.floor(above) + 1 }),
    ...(typeof below === 'number' && { maximum: Math.ceil(below) - 1 }),
  };
}

/** "This or null" as a type of two names. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none]: readonly unknown[] = anyOf;
  if (!isObject(value) || !isObject(none) || none['type'] !== 'null') return schema;
  const { type, enum: listed } = value;
  if (typeof type !== 'string') return schema;
  return {
    ...value,
    type: [type, 'null'],
    ...(Array.isArray(listed) && { enum: [...listed.map(String), null] }),
    ...rest,
  };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
