/** How PostgreSQL's values are parsed: 64-bit integers to bigint, days to text, instants to bigint microseconds, decimals to text. */
import { types } from 'pg';
import type { CustomTypesConfig } from 'pg';
import { CrossfootError } from '../errors.ts';
import { type Instant, SECOND } from '../instant.ts';

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;

// Not `new Date(text)`: it would drop the microseconds and read a day as local midnight.
const INSTANT =
  /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/** Reads PostgreSQL's ISO text of a timestamptz, exactly. */
export function parseInstant(text: string): Instant {
  const match = INSTANT.exec(text);
  if (match === null) {
    throw new CrossfootError(
      'instant_out_of_range',
      `The instant ${text} is infinite or before the year 1.`,
      {
        hint: 'Correct the row that holds it.',
      },
    );
  }
  // This runs twice for each row of a page. Destructuring takes half the time of a loop over the groups.
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = '0',
    sign,
    hours,
    minutes = '0',
    seconds = '0',
  ] = match;
  const offset = secondsOf(hours, minutes, seconds) * (sign === '-' ? -1 : 1);
  const local = midnight(Number(year), Number(month), Number(day)) + secondsOf(hour, minute, second);
  const utc = local - offset;
  const microseconds = Number(fraction.padEnd(6, '0'));
  return Math.abs(utc) < EXACT_SECONDS
    ? BigInt(utc * 1e6 + microseconds)
    : BigInt(utc) * SECOND + BigInt(microseconds);
}

/** Up to this number of seconds, in the year 2255, a JavaScript number holds every microsecond exactly. */
const EXACT_SECONDS = 9e9;

type Digits = string | undefined;

function secondsOf(hours: Digits, minutes: Digits, seconds: Digits): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** The beginning of a UTC day, in seconds since 1970. */
function midnight(year: number, month: number, day: number): number {
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const milliseconds =
    year < 100 ? new Date(0).setUTCFullYear(year, month - 1, day) : Date.UTC(year, month - 1, day);
  return milliseconds / 1000;
}

const { builtins } = types;

// Array types have no names in pg's list; the numbers are PostgreSQL's own and never change.
const PARSERS = new Map<number, Parse>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, asText],
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.TIMESTAMPTZ, parseInstant],
  [1016, arrayOf(BigInt)],
  [1231, arrayOf(asText)],
  [1182, arrayOf(asText)],
  [1115, arrayOf(asText)],
  [1185, arrayOf(parseInstant)],
]);

/** The parsers for one connection or pool; nothing is registered globally. */
export const TYPE_PARSERS: CustomTypesConfig = {
  // pg declares one overload per type; every one of them takes (oid, format).
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ??
    types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
};

function arrayOf(parse: Parse): Parse {
  // pg's own parser of text[] handles the quotes; then `parse` reads each element.
  const parseTexts = types.getTypeParser(1009 as never) as (text: string) => (string | null)[];
  return (text) => parseTexts(text).map((element) => (element === null ? null : parse(element)));
}
