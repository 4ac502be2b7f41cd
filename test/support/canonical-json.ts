/**
 * Canonical JSON written a second time, from the text of a document and without PostgreSQL, so that the two can be
 * compared: keys by their UTF-8 bytes, no white space, numbers in plain digits as PostgreSQL's jsonb prints them.
 */

/** A number as it is written in a document: JavaScript's own numbers would lose its digits. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | string | NumberText | readonly Json[] | { readonly [key: string]: Json };

/** The one canonical text of a value. */
export function canonical(value: Json): string {
  if (value instanceof NumberText) return plainDigits(value.text);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).toSorted(([left], [right]) =>
    Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/** Some other text of the same value: blanks between its parts, keys as they come. */
export function sprawling(value: Json): string {
  if (value instanceof NumberText) return value.text;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[ ${value.map(sprawling).join(' ,\n ')} ]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)} : ${sprawling(member)}`,
  );
  return `{ ${members.join(' ,\t ')} }`;
}

// An exponent moves the point; digits that were written stay, so 1.50 is not 1.5; zero has no sign.
function plainDigits(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) throw new Error(`${text} is no JSON number`);
  const [, sign = '', units = '', fraction = '', exponent = '0'] = match;
  const point = units.length + Number(exponent);
  const digits = (units + fraction).padStart(units.length + fraction.length + Math.max(0, 1 - point), '0');
  const start = Math.max(point, 1);
  const integer = digits
    .slice(0, start)
    .padEnd(start, '0')
    .replace(/^0+(?=\d)/, '');
  const decimals = digits.slice(start);
  const zero = /^0*$/.test(integer + decimals);
  return `${zero ? '' : sign}${integer}${decimals === '' ? '' : `.${decimals}`}`;
}
