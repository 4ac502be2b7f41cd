/** How a full disk is recognised, and what a person can do about it. */

/** The codes of an operating system for a full disk, and for a full quota. */
export const FULL_DISK_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** The first step: the command says itself what else takes space, and how to free it. */
export const FREE_SPACE =
  'Run npx --no crossfoot prune: it works on a full disk, deletes what has expired, and says what else can go.';
