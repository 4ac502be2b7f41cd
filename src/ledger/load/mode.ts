/** What a load does with existing rows and with rows that the files do not have, and how files write decimals. */

/**
 * insert: new rows only. upsert: new rows and changes. replace-account: afterwards the accounts have exactly the rows of
 * the files.
 */
export const LOAD_MODES = ['insert', 'upsert', 'replace-account'] as const;

export type LoadMode = (typeof LOAD_MODES)[number];

/** The signs that may stand before the decimals of an amount. */
export const DECIMAL_SIGNS = ['comma', 'point'] as const;

export type DecimalSign = (typeof DECIMAL_SIGNS)[number];
