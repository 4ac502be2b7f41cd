/** How much is kept and read at most, where an option of a command is held to it: declarations load this, and little else. */

/** Builds of an account whose records are kept: some nights and their repetitions; older ones explain nothing about today. */
export const ATTEMPTS_KEPT = 20;

/** What a scrub reads. At its rate half an hour: seven nights of it read 800 GB. */
export const SCRUB_BUDGET_BYTES = 115_000_000_000;
