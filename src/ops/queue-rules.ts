/** The rules of the build queue: retries, timeouts and retention of jobs. */
import type { Queue } from 'pg-boss';

/** The schema of pg-boss's tables. */
export const QUEUE_SCHEMA = 'ops';
export const BUILD_QUEUE = 'build';
/** The dead-letter queue: builds without a further retry, each with its last error. */
export const DEAD_QUEUE = 'build-dead';

/** Nights have priority 0: a person waits for a rebuild. */
export const REBUILD_PRIORITY = 10;
/** How many builds one statement inserts. */
export const INSERT_BATCH = 1_000;

/** A killed worker is noticed after this time; pg-boss allows no less than 10. */
const HEARTBEAT_SECONDS = 30;
/** Two heartbeats may be lost, to a slow database or a busy machine. */
export const BEAT_MS = (HEARTBEAT_SECONDS * 1000) / 3;
/** How often each worker looks for missing heartbeats. */
export const SUPERVISE_SECONDS = 10;

/**
 * An attempt whose worker died is the machine's fault and does not count, up to this many attempts in all. The limit is for
 * an account whose build kills every worker.
 */
export const MAX_RETRIES = 20;

const DAY_SECONDS = 86_400;

export const BUILD_RULES: Omit<Queue, 'name'> = {
  // After 30 s, then twice as long each time: enough for a load to end or a database to restart.
  retryLimit: 5,
  retryDelay: 30,
  retryDelayMax: 900,
  retryBackoff: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // A build of ten million rows takes minutes, and one statement an hour at most. A longer build hangs.
  expireInSeconds: 4 * 3600,
  // A night in the queue's memory cannot be queued again; afterwards the publish log has it.
  deleteAfterSeconds: 30 * DAY_SECONDS,
  retentionSeconds: 14 * DAY_SECONDS,
  deadLetter: DEAD_QUEUE,
};

export const DEAD_RULES: Omit<Queue, 'name'> = { retentionSeconds: 60 * DAY_SECONDS };
