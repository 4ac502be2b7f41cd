/** Describes the contract's schemas for people: names, types and meanings of fields. */

/** The part of JSON Schema that our contract uses. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly items?: ApiSchema;
}

export type Schemas = Readonly<Record<string, ApiSchema>>;

const COMPONENT = '#/components/schemas/';

/** A field's type in the reference; `?` marks a nullable field. */
export function shownType(schema: ApiSchema): string {
  const types = [schema.type ?? 'object'].flat();
  const named = types.filter((type) => type !== 'null').map((type) => typeName(type, schema));
  return `${named.join(' or ')}${types.includes('null') ? '?' : ''}`;
}

/** A field's meaning, and its possible values where the contract lists them. */
export function shownMeaning({ description, enum: values, items, default: absent }: ApiSchema): string {
  const said = [description ?? ''];
  const listed = values ?? items?.enum;
  if (listed !== undefined) said.push(`One of ${codes(listed)}.`);
  if (absent !== undefined) said.push(`${codes([absent])} when left out.`);
  return said.join(' ').trim();
}

/** The words as code, separated by commas. */
export function codes(words: readonly unknown[]): string {
  return words.map((word) => `\`${String(word)}\``).join(', ');
}

/** A row for each field; nested fields follow their parent's name and a dot, and `[]` marks elements of a list. */
export function shapeRows(schema: ApiSchema, schemas: Schemas): readonly (readonly string[])[] {
  return rowsWithin('', resolve(schema, schemas), schemas);
}

function rowsWithin(before: string, shape: ApiSchema, schemas: Schemas): readonly (readonly string[])[] {
  return Object.entries(shape.properties ?? {}).flatMap(([key, given]) => {
    const field = resolve(given, schemas);
    const name = `${before}${key}`;
    const parts =
      field.items === undefined ? [] : rowsWithin(`${name}[].`, resolve(field.items, schemas), schemas);
    const own = [`\`${name}\``, shownType(field), shownMeaning(field)];
    return [own, ...rowsWithin(`${name}.`, field, schemas), ...parts];
  });
}

/** The schema behind a reference; a description beside the reference takes precedence. */
function resolve(schema: ApiSchema, schemas: Schemas): ApiSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...schemas[$ref.slice(COMPONENT.length)], ...beside };
}

function typeName(type: string, { format, items }: ApiSchema): string {
  if (type === 'string' && format === 'date-time') return 'timestamp';
  if (type === 'string' && format === 'date') return 'date';
  return type === 'array' ? `list of ${[items?.type ?? 'object'].flat().join(' or ')}` : type;
}
