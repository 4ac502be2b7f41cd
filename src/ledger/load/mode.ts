/** The modes of a load, the signs before decimals, and the encodings of text. */

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
