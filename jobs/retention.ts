/**
 * Deletes expired snapshots and abandoned builds, then scrubs (reads and checks) the due snapshots: `node jobs/retention.ts`.
 * Settings come from the environment. It does what `crossfoot prune` and `crossfoot scrub` do, and logs it. If the newest
 * snapshot of an account is damaged, it queues a rebuild. Exit codes: 0 done, 1 failed, an account was left alone, or a
 * snapshot is damaged, 2 wrong settings.
 */
import { CrossfootError } from '../src/errors.ts';
import { runJob } from '../src/run/job.ts';
import { openQueueSession } from '../src/run/worker/queue-session.ts';
import { retainByLog } from '../src/run/worker/retain-by-log.ts';
import { scrubByLog } from '../src/run/worker/scrub-by-log.ts';

await runJob({ failed: 'retention.failed', env: process.env }, async ({ settings, logger, signal }) => {
  const { databaseUrl, ledgerUrl } = settings;
  if (ledgerUrl === null) {
    throw new CrossfootError('settings_invalid', 'Retention needs LEDGER_URL or DATABASE_URL.');
  }
  const retained = await retainByLog(settings, ledgerUrl, logger);
  const rebuild = async (accounts: readonly bigint[]): Promise<void> => {
    const databases = { ledgerUrl, serviceUrl: databaseUrl ?? ledgerUrl };
    await using session = await openQueueSession({ databases, logger, supervise: false });
    await session.queue.enqueueRebuild(accounts);
  };
  const whole = await scrubByLog(settings, { rebuild, logger, signal });
  if (!retained || !whole) process.exitCode = 1;
});
