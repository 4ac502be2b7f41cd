/** The rules of the build queue: retries, timeouts and retention of jobs. */
import type { Queue } from 'pg-boss';

/** The schema of pg-boss's tables. */
export const QUEUE_SCHEMA = 'ops';
export const BUILD_QUEUE = 'build';
/** The dead-letter queue: builds without a further retry, each with its last error. */
export const DEAD_QUEUE = 'build-dead';

/** Above the priority of nights, which is 0, because a person waits for a rebuild. */
export const REBUILD_PRIORITY = 10;
/** How many builds one statement inserts. */
export const INSERT_BATCH = 1_000;

/** A killed worker is noticed after this time; pg-boss allows no less than 10. */
const HEARTBEAT_SECONDS = 30;
/** The interval of heartbeats. Two heartbeats in a row may fail, because a database is slow or a machine is busy. */
export const BEAT_MS = (HEARTBEAT_SECONDS * 1000) / 3;
/** How often each worker looks for missing heartbeats. */
export const SUPERVISE_SECONDS = 10;

/**
 * An attempt does not count if its worker died, because that is a fault of the machine. This is the limit of all attempts,
 * for an account whose build kills every worker.
 */
export const MAX_RETRIES = 20;

const DAY_SECONDS = 86_400;

export const BUILD_RULES: Omit<Queue, 'name'> = {
  // The first retry comes after 30 to 60 s, each later one after about twice the time: a load may end or a database restart meanwhile.
  retryLimit: 5,
  retryDelay: 30,
  retryDelayMax: 900,
  retryBackoff: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // A build of ten million rows takes minutes, and one statement at most an hour. A build that takes longer than this hangs.
  expireInSeconds: 4 * 3600,
  // While the job is stored, its night cannot be queued again. After that, the publish log shows that the night was published.
  deleteAfterSeconds: 30 * DAY_SECONDS,
  retentionSeconds: 14 * DAY_SECONDS,
  deadLetter: DEAD_QUEUE,
};

/** Ranges of long tables, which workers write for the builds that offer them. */
export const RANGE_QUEUE = 'range';

export const RANGE_RULES: Omit<Queue, 'name'> = {
  // The build waits, and its transaction is open: a retry begins at once. It reads a range itself if no worker takes it.
  retryLimit: 2,
  retryDelay: 0,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // A range is one statement of at most an hour, and its upload.
  expireInSeconds: 2 * 3600,
  // The build removes its ranges. These are the ranges of a build that was killed.
  deleteAfterSeconds: DAY_SECONDS,
  retentionSeconds: DAY_SECONDS,
};

export const DEAD_RULES: Omit<Queue, 'name'> = { retentionSeconds: 60 * DAY_SECONDS };
