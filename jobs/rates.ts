/**
 * Imports the reference rates of RATES_URL and converts every account: run `node jobs/rates.ts` before the night's builds.
 * Settings come from the environment; without a source in RATES_URL it does nothing. It is idempotent. Exit codes: 0 done, 1 failed or
 * refused (entries are then converted at the stored rates), 2 wrong usage or settings.
 */
import { openDatabases } from '../src/run/databases.ts';
import { runJob } from '../src/run/job.ts';
import { ratesPlan } from '../src/run/worker/rates-plan.ts';
import { refreshByLog } from '../src/run/worker/refresh-rates.ts';

const { aborted } = await runJob(
  { failed: 'rates.failed', env: process.env },
  async ({ settings, logger, signal }) => {
    // The job is for a PostgreSQL of one's own, where only a setting names a source: without one it opens no database.
    if (settings.ratesUrl === null || settings.ratesUrl === 'off') return logger.info('rates.skipped');
    await using databases = await openDatabases(settings, signal);
    const plan = await ratesPlan(settings, databases);
    if (plan === null) return;
    await refreshByLog(plan, databases, { logger, signal });
  },
);
// After a stop it does not wait for running statements: the database rolls them back when the session ends.
if (aborted) process.exit();
