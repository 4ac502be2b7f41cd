/** What a load does with existing rows, and with rows that the files do not have. */

/**
 * insert: new rows only. upsert: new rows and changes. replace-account: afterwards the accounts have exactly the rows of
 * the files.
 */
export const LOAD_MODES = ['insert', 'upsert', 'replace-account'] as const;

export type LoadMode = (typeof LOAD_MODES)[number];
