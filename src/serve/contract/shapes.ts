/** Schemas (zod) that several answers of the API share. A schema with an id is a named component of the OpenAPI document. */
import { z } from '@hono/zod-openapi';
import { SOURCES } from '../../tables/record.ts';

/** An object without further fields; `id` is its name in the contract. */
export const component = <Fields extends z.ZodRawShape>(id: string, description: string, fields: Fields) =>
  z.strictObject(fields).meta({ id, description });
export const arrayOf = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).meta({ description });
/** A whole number; JSON keeps it exact below 2^53. */
export const integer = (description: string) => z.int().meta({ description });
export const text = (description: string) => z.string().meta({ description });
export const matching = (pattern: string, description: string) =>
  z.string().regex(new RegExp(pattern)).meta({ description });
export const number = (description: string) => z.number().meta({ description });
export const boolean = (description: string) => z.boolean().meta({ description });
export const oneOfThese = <const Value extends string>(values: readonly Value[], description: string) =>
  z.enum(values).meta({ description });
export const day = (description: string) => z.iso.date().meta({ description });
/** An instant in UTC, to the microsecond. */
export const timestamp = (description: string) => z.iso.datetime({ precision: 6 }).meta({ description });

/** A person of the account: an id and a name, never an address. */
export const person = component('Person', 'A person of the account; never an e-mail address.', {
  id: integer('The person.'),
  name: text('Empty or null when the person has no name.').nullable(),
});

/** Where a record came from. */
export const source = component('Source', 'Where a record came from.', {
  type: oneOfThese(SOURCES, 'How the record was made.').nullable(),
  ref: text('The id in the originating system; null when there is none.').nullable(),
  connection_id: integer('The connection it came through; null when it came through none.').nullable(),
});

/** The body of every error. */
export const errorShape = component('Error', 'The body of every error.', {
  error: z
    .strictObject({
      status: integer('The HTTP status, repeated.'),
      message: text('What was refused or failed, in words.'),
    })
    .meta({ description: 'What was refused or failed.' }),
});

/** The additional fields of an answer as of a snapshot. */
export const asOfShape = {
  snapshot_id: text('The snapshot that answered; absent from a live answer.').optional(),
  generated_at: timestamp('The moment that the answer describes; absent from a live answer.').optional(),
};

/** How a list continues. */
export const page = component('Page', 'How the list continues.', {
  next_cursor: text('Pass as `cursor` for the next page; null on the last.').nullable(),
  has_more: boolean('True while there is a next page.'),
});

/** A page of rows; `id` is its name in the contract, such as `CostEntryList`. */
export function listOf<Row extends z.ZodType>(row: Row, id: string) {
  return z
    .strictObject({
      data: arrayOf(row, 'Rows, oldest change first.'),
      page,
      ...asOfShape,
    })
    .meta({ id, description: 'One page of a list.' });
}
