/** Limits that options of commands refer to. A separate file, so that declaring a command loads little else. */

/** How many records of builds are kept for an account: enough for a few nights with their retries. */
export const ATTEMPTS_KEPT = 20;

/** The bytes that one night's scrub reads at most: half an hour at its rate of 64 MB/s. Seven nights read 800 GB. */
export const SCRUB_BUDGET_BYTES = 115_000_000_000;
