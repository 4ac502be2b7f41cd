/**
 * Queues the nights: `node jobs/nightly.ts` stays and queues each as it falls due, `--once` queues the last that fell
 * due and ends, for cron, systemd and Kubernetes. Settings from the environment; workers build what is queued. Doing so
 * twice, or in many places, is the same as once. Exit codes: 0 done, 1 failed, 2 wrong usage or settings.
 */
import { parseArgs } from 'node:util';
import { AFTER_NIGHT, BEFORE_NIGHT } from '../src/run/worker/night-steps.ts';
import { clockReader } from '../src/run/clocks.ts';
import { openDatabases } from '../src/run/databases.ts';
import { keepNights, queueNight } from '../src/run/worker/queue-night.ts';
import { openQueueSession } from '../src/run/worker/queue-session.ts';
import { PACE } from '../src/run/surroundings.ts';
import { readSettings } from '../src/config.ts';
import { CrossfootError, isCrossfootError } from '../src/errors.ts';
import { createLogger, errorFields } from '../src/log.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
}

function wantsOnce(): boolean {
  try {
    return parseArgs({ options: { once: { type: 'boolean', default: false } } }).values.once;
  } catch (cause) {
    throw new CrossfootError('usage_invalid', 'usage: node jobs/nightly.ts [--once]', { cause });
  }
}

let logger = createLogger('info');
try {
  const once = wantsOnce();
  const settings = readSettings(process.env);
  logger = createLogger(settings.logLevel);
  const databases = await openDatabases(settings, stop.signal);
  try {
    const session = await openQueueSession({ databases, logger, supervise: false });
    try {
      const readClocks = clockReader(settings, session.readDatabaseClock);
      const ways = { readClocks, before: BEFORE_NIGHT, after: AFTER_NIGHT, sleep: PACE.sleep };
      const keeper = { settings, databases, session, logger, signal: stop.signal, ...ways };
      await (once ? queueNight(keeper) : keepNights(keeper));
    } finally {
      await session.close();
    }
  } finally {
    await databases.stop();
  }
} catch (error) {
  logger.error('night.failed', errorFields(error));
  process.exitCode = isCrossfootError(error) ? error.exitCode : 1;
}
