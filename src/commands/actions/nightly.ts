/** The actions of `crossfoot nightly` and `crossfoot retention`, which workers leave to a scheduler. */
import { CrossfootError } from '../../errors.ts';
import { clockReader } from '../../run/clocks.ts';
import type { CommandContext } from '../../run/context.ts';
import { openDatabases } from '../../run/databases.ts';
import { runLogged } from '../../run/job.ts';
import { CLOCK } from '../../run/machine.ts';
import { AFTER_NIGHT, BEFORE_NIGHT } from '../../run/worker/night-steps.ts';
import { queueDueNights, queueNight } from '../../run/worker/queue-night.ts';
import { openQueueSession } from '../../run/worker/queue-session.ts';
import { retainByLog } from '../../run/worker/retain-by-log.ts';
import { scrubByLog } from '../../run/worker/scrub-by-log.ts';

export interface NightlyOptions {
  readonly once: boolean;
}

/** Queues each night when it falls due, until a signal stops it, or with `once` the last due night. */
export async function nightly({ once }: NightlyOptions, { env, signal }: CommandContext): Promise<void> {
  await runLogged({ failed: 'night.failed', env }, async ({ settings, logger }) => {
    await using databases = await openDatabases(settings, signal);
    await using session = await openQueueSession({ databases, logger, supervise: false });
    const readClocks = clockReader(settings, session.readDatabaseClock);
    const ways = { readClocks, before: BEFORE_NIGHT, after: AFTER_NIGHT, sleep: CLOCK.sleep };
    const keeper = { settings, databases, session, logger, signal, ...ways };
    await (once ? queueNight(keeper) : queueDueNights(keeper));
  });
}

/** Deletes expired snapshots and abandoned builds, then scrubs the snapshots that are due. */
export async function retention({ env, signal }: CommandContext): Promise<void> {
  await runLogged({ failed: 'retention.failed', env }, async ({ settings, logger }) => {
    const { databaseUrl, ledgerUrl } = settings;
    if (ledgerUrl === null) {
      throw new CrossfootError('settings_invalid', 'Retention needs LEDGER_URL or DATABASE_URL.', {
        hint: 'For the database of start, run npx --no crossfoot prune, then npx --no crossfoot scrub.',
      });
    }
    const retained = await retainByLog(settings, ledgerUrl, logger);
    const rebuild = async (accounts: readonly bigint[]): Promise<void> => {
      const databases = { ledgerUrl, serviceUrl: databaseUrl ?? ledgerUrl };
      await using session = await openQueueSession({ databases, logger, supervise: false });
      await session.queue.enqueueRebuild(accounts);
    };
    const sound = await scrubByLog(settings, { rebuild, logger, signal });
    if (!retained || !sound) process.exitCode = 1;
  });
}
