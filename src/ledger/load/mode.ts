/** The modes of a load, and the signs before decimals. */

/**
 * insert: files hold new rows only. upsert: new rows and changes. replace-account: afterwards the accounts have exactly the
 * rows of the files.
 */
export const LOAD_MODES = ['insert', 'upsert', 'replace-account'] as const;

export type LoadMode = (typeof LOAD_MODES)[number];

/** The signs that a file may write before the decimals of an amount. */
export const DECIMAL_SIGNS = ['comma', 'point'] as const;

export type DecimalSign = (typeof DECIMAL_SIGNS)[number];
