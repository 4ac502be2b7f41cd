/** Limits that the help texts of commands show. They have their own file, so that `--help` loads little else. */

/** How many records of builds are kept for an account: enough for a few nights with their retries. */
export const ATTEMPTS_KEPT = 20;

/**
 * The maximum of bytes that the scrub of one night reads: half an hour at its rate of 64 MB/s. Each snapshot is due once in
 * seven days, so this is enough for a store of 800 GB.
 */
export const SCRUB_BUDGET_BYTES = 115_000_000_000;
