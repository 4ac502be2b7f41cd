/**
 * Imports the reference rates of RATES_URL and converts every account: run `node jobs/rates.ts` before the night's builds.
 * Settings come from the environment; without RATES_URL it does nothing. It is idempotent. Exit codes: 0 done, 1 failed or
 * refused (entries are then converted at the stored rates), 2 wrong usage or settings.
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
// After a stop it does not wait for running statements: the database rolls them back when the session ends.
if (aborted) process.exit();
