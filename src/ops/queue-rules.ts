/** How the queue treats a build: how often it is tried, how long it may take, how long it is remembered. */
import type { Queue } from 'pg-boss';

/** Where pg-boss keeps its tables. */
export const QUEUE_SCHEMA = 'ops';
export const BUILD_QUEUE = 'build';
/** Where a build goes that failed every time, with its last error. */
export const DEAD_QUEUE = 'build-dead';

/** Nights have priority 0: whoever asks for a rebuild waits for it. */
export const REBUILD_PRIORITY = 10;
/** How many builds are inserted with one statement. */
export const INSERT_BATCH = 1_000;

/** A worker that was killed is noticed after this long; pg-boss allows no less than 10. */
const HEARTBEAT_SECONDS = 30;
/** Two beats may be lost, to a slow database or a busy machine, before the third is missed. */
export const BEAT_MS = (HEARTBEAT_SECONDS * 1000) / 3;
/** How often any worker looks for heartbeats that stopped. */
export const SUPERVISE_SECONDS = 10;

/**
 * A try whose worker was lost is the machine's fault and is given again, up to this many tries after the first: the one
 * account that takes every worker along must end too.
 */
export const MAX_RETRIES = 20;

const DAY_SECONDS = 86_400;

export const BUILD_RULES: Omit<Queue, 'name'> = {
  // After 30 s and then twice as long each time: a load that was under way or a database that restarted is over by then.
  retryLimit: 5,
  retryDelay: 30,
  retryDelayMax: 900,
  retryBackoff: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // A build of ten million rows takes minutes and one of its statements an hour at most: beyond this, it hangs.
  expireInSeconds: 4 * 3600,
  // While a night is remembered, it cannot be queued again; after that the publish log still knows it.
  deleteAfterSeconds: 30 * DAY_SECONDS,
  retentionSeconds: 14 * DAY_SECONDS,
  deadLetter: DEAD_QUEUE,
};

export const DEAD_RULES: Omit<Queue, 'name'> = { retentionSeconds: 60 * DAY_SECONDS };
