/** The modes of a load, the signs before decimals, the encodings of text, and the line of what the files hold. */

/**
 * insert: files hold new rows only. upsert: new rows and changes. replace-account: afterwards the accounts have exactly the
 * rows of the files.
 */
export const LOAD_MODES = ['insert', 'upsert', 'replace-account'] as const;

export type LoadMode = (typeof LOAD_MODES)[number];

/** The signs that a file may write before the decimals of an amount. */
export const DECIMAL_SIGNS = ['comma', 'point'] as const;

export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** The encodings that a load may name. A byte order mark says the order of `utf-16`. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16', 'utf-16le', 'utf-16be'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Cents by currency; a row without a currency counts under the empty text. */
export type Sums = ReadonlyMap<string, bigint>;

/** What a file, or a whole load, should hold; a sum that is not named is not compared. */
export interface Expected {
  readonly rows: number | null;
  readonly sums: Sums;
}

/** Reads `rows=3,USD=100.00`; null for a text of another form. */
export function parseExpected(text: string): Expected | null {
  let rows: number | null = null;
  const sums = new Map<string, bigint>();
  for (const part of text.trim().split(',')) {
    const {
      name = '',
      sign = '',
      integer = '',
      decimals = '',
    } = /^\s*(?<name>rows|[A-Z]{3})=(?<sign>-?)(?<integer>\d{1,15})(?:\.(?<decimals>\d{1,2}))?\s*$/.exec(part)
      ?.groups ?? {};
    const isTwice = name === 'rows' ? rows !== null : sums.has(name);
    if (name === '' || isTwice || (name === 'rows' && `${sign}${decimals}` !== '')) return null;
    if (name === 'rows') rows = Number(integer);
    else sums.set(name, BigInt(`${sign}${integer}${decimals.padEnd(2, '0')}`));
  }
  return { rows, sums };
}
