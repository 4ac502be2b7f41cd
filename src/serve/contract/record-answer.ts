/** A record of the read API in the contract and in JSON, made from its declaration. */
import { z } from '@hono/zod-openapi';
import type { FieldKind } from '../../fields.ts';
import type { ApiRecord, PlainField, RecordField, RecordRow } from '../../tables/record.ts';
import type { DeclaredKind } from '../../tables/table.ts';
import {
  arrayOf,
  boolean,
  component,
  day,
  integer,
  number,
  oneOfThese,
  person,
  source,
  text,
  timestamp,
} from './shapes.ts';
import { instant, shownPerson, exactNumber } from './shown.ts';

type PlainAnswer<Kind extends DeclaredKind, Options> =
  | (Kind extends `${infer Bare extends FieldKind}?`
      ? JsonValue<Bare, Options> | null
      : JsonValue<Kind & FieldKind, Options>)
  | (Options extends { readonly or_null: true } ? null : never);

type JsonValue<Kind extends FieldKind, Options> = Options extends {
  readonly values: readonly (infer Value)[];
}
  ? Value
  : z.output<ReturnType<(typeof SCHEMAS)[Kind]>>;

type FieldAnswer<Each extends RecordField> =
  Each extends PlainField<'column' | 'computed', infer Kind, infer Options>
    ? PlainAnswer<Kind, Options>
    : Each extends { readonly is: 'person' }
      ? ReturnType<typeof shownPerson>
      : z.output<typeof source>;

type FieldsOf<Of extends ApiRecord> = Of['fields'];

type ShownName<Name, Each> = Each extends { readonly options: { readonly shown: infer Shown extends string } }
  ? Shown
  : Name;

/** A record in JSON. */
type RecordAnswer<Of extends ApiRecord> = {
  [Name in keyof FieldsOf<Of> & string as ShownName<Name, FieldsOf<Of>[Name]>]: FieldAnswer<
    FieldsOf<Of>[Name]
  >;
};

/** The fields that are computed from the row. */
export type ComputedFields<Of extends ApiRecord> = {
  readonly [
    Name in keyof FieldsOf<Of> & string as FieldsOf<Of>[Name] extends { readonly is: 'computed' }
      ? Name
      : never
  ]: FieldAnswer<FieldsOf<Of>[Name]>;
};

const SCHEMAS = {
  string: text,
  text,
  integer,
  number,
  boolean,
  date: day,
  timestamp,
  id: integer,
  cents: integer,
  json: (description: string) => arrayOf(z.string(), description),
} as const satisfies Record<FieldKind, (description: string) => z.ZodType>;

/** The component of a record: every field with its meaning. */
export function recordComponent({ component: id, description, fields }: ApiRecord) {
  const shapes = Object.entries(fields).map(
    ([name, each]) => [shownName(name, each), schemaOf(each)] as const,
  );
  return component(id, description, Object.fromEntries(shapes));
}

function schemaOf(each: RecordField): z.ZodType<FieldAnswer<RecordField>> {
  if (each.is === 'source') return source;
  if (each.is === 'person') return person.nullable().meta({ description: each.description });
  const { kind, description, options } = each;
  const schema =
    options.values === undefined ? SCHEMAS[bare(kind)](description) : oneOfThese(options.values, description);
  return kind.endsWith('?') || options.or_null === true ? schema.nullable() : schema;
}

function bare(kind: DeclaredKind): FieldKind {
  return kind.replace('?', '') as FieldKind; // the kind without its mark
}

function shownName(name: string, each: RecordField): string {
  return each.is === 'column' ? (each.options.shown ?? name) : name;
}

type Cells = Readonly<Record<string, unknown>>;

/** How a field is shown, from the row and from its computed fields. */
type Show = (row: Cells, computed: Cells) => unknown;

function showOf(name: string, each: RecordField): Show {
  switch (each.is) {
    case 'person':
      return (row) => shownPerson(row[`${name}_id`] as bigint | null, row[`${name}_name`] as string | null); // its columns
    case 'source':
      return ({ source_type: type, source_ref: ref, connection_id }) => ({
        type,
        ref,
        connection_id: jsonOf(connection_id, exactNumber),
      });
    case 'computed':
      return (_, computed) => computed[name];
    case 'column': {
      const show = bare(each.kind) === 'timestamp' ? instant : exactNumber;
      return ({ [name]: value }) => jsonOf(value, show);
    }
  }
}

function jsonOf(value: unknown, show: (value: bigint) => number | string): unknown {
  return typeof value === 'bigint' ? show(value) : value;
}

/** The function that converts rows of the record to JSON. Make it once: it takes longer than to convert a row. */
export function recordAnswers<Of extends ApiRecord>(record: Of) {
  const shows = Object.entries(record.fields).map(([name, each]) => ({
    name: shownName(name, each),
    show: showOf(name, each),
  }));
  // To copy and fill an object takes a third of the time of adding fields one by one.
  const empty: Cells = Object.fromEntries(shows.map(({ name }) => [name, null]));
  return (row: RecordRow<Of>, computed: ComputedFields<Of>): RecordAnswer<Of> => {
    const answer: Record<string, unknown> = { ...empty };
    for (const { name, show } of shows) answer[name] = show(row, computed);
    return answer as RecordAnswer<Of>; // each field as it is declared
  };
}
