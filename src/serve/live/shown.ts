/** Converts values of the ledger to JSON: exactly, or with an error. */
import { z } from '@hono/zod-openapi';
import { formatInstant } from '../../time.ts';

/** A 64-bit integer as a JSON number. Throws for amounts of 2^53 and more, which JSON would round. */
export function whole(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('a whole number is beyond what JSON holds exactly');
  return number;
}

/** An instant in microseconds since 1970 as RFC 3339 in UTC. */
export const instant = formatInstant;

/** The converted value, or null for null. */
export function orNull<Value, Shown>(value: Value | null, show: (value: Value) => Shown): Shown | null {
  return value === null ? null : show(value);
}

/** A person; null without a person. */
export function shownPerson(
  id: bigint | null,
  name: string | null,
): { id: number; name: string | null } | null {
  return id === null ? null : { id: whole(id), name };
}

interface Sourced<Type> {
  readonly source_type: Type;
  readonly source_ref: string | null;
  readonly connection_id: bigint | null;
}

/** Where a record came from. */
export function shownSource<Type extends string>(record: Sourced<Type>) {
  return {
    type: record.source_type,
    ref: record.source_ref,
    connection_id: orNull(record.connection_id, whole),
  };
}

/** What the ledger has for a field of this shape: an instant or a whole number may be a 64-bit integer there. */
type Recorded<Field> =
  Field extends z.ZodNullable<infer Inner>
    ? Recorded<Inner> | null
    : Field extends z.ZodISODateTime
      ? bigint
      : Field extends z.ZodInt
        ? bigint | number
        : z.output<Field>;

/** A record as the shape serves it: a field has the value that `others` give, else the record's own of that name. */
export function shownAs<Shape extends z.ZodRawShape, Others extends Partial<z.output<z.ZodObject<Shape>>>>(
  { shape }: z.ZodObject<Shape>,
  record: { readonly [Name in Exclude<keyof Shape, keyof Others>]: Recorded<Shape[Name]> },
  others: Others,
): z.output<z.ZodObject<Shape>> {
  const values: Readonly<Record<string, unknown>> = { ...record, ...others };
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, shownField(field, values[name])]),
  ) as z.output<z.ZodObject<Shape>>; // the types of both records allow nothing else
}

function shownField(field: unknown, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const plain = field instanceof z.ZodNullable ? field.unwrap() : field;
  return plain instanceof z.ZodISODateTime ? instant(value) : whole(value);
}
