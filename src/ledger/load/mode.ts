/** What a load does with rows that are there already and rows that the files do not have. */

/**
 * insert: new rows only. upsert: new rows and changes. replace-account: the accounts named are afterwards what the
 * files say, and nothing else.
 */
export const LOAD_MODES = ['insert', 'upsert', 'replace-account'] as const;

export type LoadMode = (typeof LOAD_MODES)[number];
