/** How a full disk and a missing right are recognised, and what a person can do about a full disk. */

/** The codes of an operating system for a full disk, and for a full quota. */
export const FULL_DISK_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** The codes of an operating system for a file or folder that this user may not use. */
export const FORBIDDEN_CODES: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** The first step: the command says itself what else takes space, and how to free it. */
export const FREE_SPACE =
  'Run npx --no crossfoot prune: it works on a full disk, deletes what has expired, and says what else can go.';

/** The steps of a reader of the store, as its errors name them; every other one writes. */
export const READING_STEPS: ReadonlySet<string> = new Set(['list', 'read', 'stat']);
