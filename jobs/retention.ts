/**
 * Deletes expired snapshots and what dead builds left, then reads again what is due: `node jobs/retention.ts`, settings
 * from the environment. The same as `crossfoot prune` and `crossfoot scrub`, told to the log; where the newest snapshot
 * of an account is damaged, a new one is queued. Exit codes: 0 done, 1 failed, left alone or damaged, 2 settings.
 */
import { openQueueSession } from '../src/run/worker/queue-session.ts';
import { retainByLog } from '../src/run/worker/retain-by-log.ts';
import { scrubByLog } from '../src/run/worker/scrub-by-log.ts';
import { readSettings } from '../src/config.ts';
import { CrossfootError, isCrossfootError } from '../src/errors.ts';
import { createLogger, errorFields } from '../src/log.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
}

let logger = createLogger('info');
try {
  const settings = readSettings(process.env);
  logger = createLogger(settings.logLevel);
  const { databaseUrl, ledgerUrl } = settings;
  if (ledgerUrl === null) {
    throw new CrossfootError('settings_invalid', 'Retention needs LEDGER_URL or DATABASE_URL.');
  }
  const retained = await retainByLog(settings, ledgerUrl, logger);
  const rebuild = async (accounts: readonly bigint[]): Promise<void> => {
    const databases = { ledgerUrl, serviceUrl: databaseUrl ?? ledgerUrl };
    const session = await openQueueSession({ databases, logger, supervise: false });
    try {
      await session.queue.enqueueRebuild(accounts);
    } finally {
      await session.close();
    }
  };
  const whole = await scrubByLog(settings, { rebuild, logger, signal: stop.signal });
  if (!retained || !whole) process.exitCode = 1;
} catch (error) {
  logger.error('retention.failed', errorFields(error));
  process.exitCode = isCrossfootError(error) ? error.exitCode : 1;
}
