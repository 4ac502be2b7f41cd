/**
 * Reads the reference rates of RATES_URL and converts every account: `node jobs/rates.ts`, before the night builds,
 * settings from the environment; nothing to do without RATES_URL. Twice is once. Exit codes: 0 done, 1 failed or
 * refused (entries are then converted at the rates that were there), 2 wrong usage or settings.
 */
import { openDatabases } from '../src/run/databases.ts';
import { runJob } from '../src/run/job.ts';
import { refreshByLog } from '../src/run/worker/refresh-rates.ts';

const { aborted } = await runJob(
  { failed: 'rates.failed', env: process.env },
  async ({ settings, logger, signal }) => {
    if (settings.ratesUrl === null) return logger.info('rates.skipped');
    await using databases = await openDatabases(settings, signal);
    await refreshByLog(settings.ratesUrl, databases, { logger, signal });
  },
);
// Told to stop, it does not wait for what a database has not answered yet: the end of a session rolls it back.
if (aborted) process.exit();
