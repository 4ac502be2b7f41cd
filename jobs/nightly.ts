/**
 * Queues the builds of each night: `node jobs/nightly.ts` runs until stopped and queues a night when it falls due. `--once`
 * queues the last due night and ends, for cron, systemd and Kubernetes. Settings come from the environment; workers run the
 * queued builds. The job is idempotent and may run in several places. Exit codes: 0 done, 1 failed, 2 wrong usage or settings.
 */
import { parseArgs } from 'node:util';
import { CrossfootError } from '../src/errors.ts';
import { clockReader } from '../src/run/clocks.ts';
import { openDatabases } from '../src/run/databases.ts';
import { runJob } from '../src/run/job.ts';
import { PACE } from '../src/run/surroundings.ts';
import { AFTER_NIGHT, BEFORE_NIGHT } from '../src/run/worker/night-steps.ts';
import { keepNights, queueNight } from '../src/run/worker/queue-night.ts';
import { openQueueSession } from '../src/run/worker/queue-session.ts';

function wantsOnce(): boolean {
  try {
    return parseArgs({ options: { once: { type: 'boolean', default: false } } }).values.once;
  } catch (cause) {
    throw new CrossfootError('usage_invalid', 'usage: node jobs/nightly.ts [--once]', { cause });
  }
}

await runJob({ failed: 'night.failed', env: process.env }, async ({ settings, logger, signal }) => {
  const once = wantsOnce();
  await using databases = await openDatabases(settings, signal);
  await using session = await openQueueSession({ databases, logger, supervise: false });
  const readClocks = clockReader(settings, session.readDatabaseClock);
  const ways = { readClocks, before: BEFORE_NIGHT, after: AFTER_NIGHT, sleep: PACE.sleep };
  const keeper = { settings, databases, session, logger, signal, ...ways };
  await (once ? queueNight(keeper) : keepNights(keeper));
});
