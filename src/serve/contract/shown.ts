/** Converts values of the ledger to JSON: exactly, or with an error. */
import { z } from '@hono/zod-openapi';
import { formatInstant } from '../../time.ts';

/** A 64-bit integer as a JSON number. Throws for amounts of 2^53 and more, which JSON would round. */
export function exactNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('a whole number is beyond what JSON holds exactly');
  return number;
}

/** An instant as RFC 3339 in UTC. */
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
  return id === null ? null : { id: exactNumber(id), name };
}

/** The type of a field in rows of the ledger: there, an instant or a whole number may be a 64-bit integer. */
type Recorded<Field> =
  Field extends z.ZodNullable<infer Inner>
    ? Recorded<Inner> | null
    : Field extends z.ZodISODateTime
      ? bigint
      : Field extends z.ZodInt
        ? bigint | number
        : z.output<Field>;

/**
 * A record in the JSON form of `shape`. Each field has its value from `others`, or else the record's value of that
 * name.
 */
export function shownAs<Shape extends z.ZodRawShape, Others extends Partial<z.output<z.ZodObject<Shape>>>>(
  row: z.ZodObject<Shape>,
  record: { readonly [Name in Exclude<keyof Shape, keyof Others>]: Recorded<Shape[Name]> },
  others: Others,
): z.output<z.ZodObject<Shape>> {
  const recorded: Readonly<Record<string, unknown>> = record;
  const given: Readonly<Record<string, unknown>> = others;
  const { empty, fields } = layoutOf(row);
  const answer: Record<string, unknown> = { ...empty };
  for (const { name, show } of fields) {
    const value = name in given ? given[name] : recorded[name];
    answer[name] = typeof value === 'bigint' ? show(value) : value;
  }
  return answer as z.output<z.ZodObject<Shape>>; // the types of both records allow nothing else
}

interface Layout {
  /**
   * An object with all fields and no values. To copy and fill it takes a third of the time of adding fields one by
   * one.
   */
  readonly empty: Readonly<Record<string, unknown>>;
  /** How a 64-bit integer of the ledger is shown in each field. */
  readonly fields: readonly { readonly name: string; readonly show: (value: bigint) => number | string }[];
}

/** The cached layout of each shape: to compute it again takes longer than to convert a row. */
const LAYOUTS = new WeakMap<z.ZodObject, Layout>();

function layoutOf(row: z.ZodObject): Layout {
  let layout = LAYOUTS.get(row);
  if (layout === undefined) {
    const fields = Object.entries(row.shape).map(([name, field]) => {
      const plain = field instanceof z.ZodNullable ? field.unwrap() : field;
      return { name, show: plain instanceof z.ZodISODateTime ? instant : exactNumber };
    });
    layout = { empty: Object.fromEntries(fields.map(({ name }) => [name, null])), fields };
    LAYOUTS.set(row, layout);
  }
  return layout;
}
