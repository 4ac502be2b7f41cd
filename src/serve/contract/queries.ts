/** Query parameters that several routes share: parsing, refusal and description. */
import { z } from '@hono/zod-openapi';
import { readMoment } from './rfc3339.ts';

/**
 * The OpenAPI schema of a parameter. It is written by hand: the parser takes text, but the contract promises, say, an
 * integer.
 */
export interface ParameterMeta {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  readonly format?: 'date' | 'date-time';
  readonly enum?: string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number | boolean | string;
  readonly example?: string | number;
}

/**
 * An optional parameter, parsed by `read`, which returns null for malformed text; `must` completes the refusal: "The
 * parameter limit must be …".
 */
export function parameter<Value>(read: (text: string) => Value | null, must: string, meta: ParameterMeta) {
  const { example, ...schema } = meta;
  return z
    .string()
    .transform((text, context) => {
      const value = read(text);
      if (value !== null) return value;
      context.addIssue({ code: 'custom', message: `must be ${must}` });
      return z.NEVER;
    })
    .optional()
    .openapi({ ...schema, ...(example !== undefined && { param: { example } }) });
}

/** A parameter with a fixed list of values. */
export function oneOf<const Value extends string>(values: readonly Value[], description: string) {
  return parameter((text) => values.find((value) => value === text) ?? null, `one of ${values.join(', ')}`, {
    type: 'string',
    enum: [...values],
    description,
  });
}

/** A parameter that is true or false; false if omitted. */
export function flag(description: string) {
  return parameter((text) => (text === 'true' ? true : text === 'false' ? false : null), 'true or false', {
    type: 'boolean',
    default: false,
    description,
  }).default(false);
}

const MAX_PAGE_ROWS = 500;
const ROWS = 100;

/** The number of rows of a page. */
export const limit = parameter(
  (text) =>
    /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PAGE_ROWS ? Number(text) : null,
  `a whole number from 1 to ${MAX_PAGE_ROWS}`,
  {
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_ROWS,
    default: ROWS,
    description: 'The maximum number of rows of a page.',
  },
).default(ROWS);

/** The cursor of a page; its content is parsed later. */
export const cursor = parameter((text) => text, 'a cursor', {
  type: 'string',
  description: 'The `next_cursor` of the page before, with the same parameters; opaque.',
});

/** Only rows changed at or after a moment. */
export const updated_since = parameter(
  readMoment,
  'a date and time with an offset, to the microsecond at most; in a URL a plus sign is written %2B',
  {
    type: 'string',
    format: 'date-time',
    description: 'Only rows whose `updated_at` is this moment or later.',
    example: '2026-11-20T02:00:00.123456Z',
  },
);

/** Only rows of one initiative. */
export const initiative_id = parameter(readId, 'the id of an initiative', {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Only rows of that initiative; 404 when this account has no initiative of that id.',
  example: 101,
});

/** Also rows of sample initiatives. */
export const include_sample = flag('True to include sample (demo) initiatives.');

/** The first day on which a period may begin. */
export const period_from = parameter(readDay, 'a day such as 2026-01-31', {
  type: 'string',
  format: 'date',
  description:
    'Only entries whose period begins on this day or later; an entry without a period matches none.',
});

/** The last day on which a period may begin. */
export const period_to = parameter(readDay, 'a day such as 2026-01-31', {
  type: 'string',
  format: 'date',
  description:
    'Only entries whose period begins on this day or earlier; an entry without a period matches none.',
});

/** An id in plain digits; null for other text, or for a number that JSON cannot hold exactly. */
export function readId(text: string): bigint | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(text) : null;
}

/** The day, if the text is a valid date. */
function readDay(text: string): string | null {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) && !text.startsWith('0000');
  return day && readMoment(`${text}T00:00:00Z`) !== null ? text : null;
}
