/**
 * Reads the reference rates of RATES_URL and converts every account: `node jobs/rates.ts`, before the night builds,
 * settings from the environment; nothing to do without RATES_URL. Twice is once. Exit codes: 0 done, 1 failed or
 * refused (entries are then converted at the rates that were there), 2 wrong usage or settings.
 */
import { openDatabases } from '../src/run/databases.ts';
import { refreshByLog } from '../src/run/worker/refresh-rates.ts';
import { readSettings } from '../src/config.ts';
import { isCrossfootError } from '../src/errors.ts';
import { createLogger, errorFields } from '../src/log.ts';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopped.abort(new Error(`stopped by ${signal}`)));
}

let logger = createLogger('info');
try {
  const settings = readSettings(process.env);
  logger = createLogger(settings.logLevel);
  if (settings.ratesUrl === null) logger.info('rates.skipped');
  else {
    const databases = await openDatabases(settings, stopped.signal);
    try {
      await refreshByLog(settings.ratesUrl, databases, { logger, signal: stopped.signal });
    } finally {
      await databases.stop();
    }
  }
} catch (error) {
  logger.error('rates.failed', errorFields(error));
  process.exitCode = isCrossfootError(error) ? error.exitCode : 1;
}
// Told to stop, it does not wait for what a database has not answered yet: the end of a session rolls it back.
if (stopped.signal.aborted) process.exit();
