/** Queues each night when it falls due, and at the start the last night if it was missed. */
import { schedule } from 'node-cron';
import { errorFields } from '../../log.ts';
import type { Night } from '../../ops/night.ts';
import { type Clocks, requireAgreement } from '../../clock-offsets.ts';
import { type NightContext, type NightStep, takeSteps } from './night-steps.ts';
import { nightAt } from '../nights.ts';
import type { QueueSession } from './queue-session.ts';
import { stopped } from '../stopping.ts';
import { toMs } from '../../instant.ts';

/** If a night could not be queued, it is tried again after this time. */
const AGAIN_MS = 60_000;
export interface NightKeeper extends NightContext {
  readonly session: Pick<QueueSession, 'queue' | 'readAccounts'>;
  readonly readClocks: () => Promise<Clocks>;
  /** Steps before the night is queued, in order. If they fail, the night is queued all the same, with older rates. */
  readonly before: readonly NightStep[];
  /** Steps after the night is queued. */
  readonly after: readonly NightStep[];
  /** Resolves after this time; rejects when aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Queues the last due night for every reporting account for which it is not queued yet. */
export async function queueNight(keeper: NightKeeper): Promise<void> {
  const { settings, session, logger } = keeper;
  const { night, now_ms } = await awaitNight(keeper);
  await takeSteps(keeper.before, keeper);
  const accounts = await session.readAccounts();
  const queued = await session.queue.enqueueNight({
    night,
    accounts,
    jitter_ms: settings.jitterSeconds * 1000,
    now_ms,
  });
  logger.info('night.queued', { night: night.day, rows: queued.length });
  await takeSteps(keeper.after, keeper);
}

/**
 * The night that is due by the database's clock. If this machine's clock is up to two minutes ahead, the schedule calls too
 * early. Then this function waits for the night, because no later call would queue it.
 */
async function awaitNight(keeper: NightKeeper): Promise<{ readonly night: Night; readonly now_ms: number }> {
  for (;;) {
    const clocks = await keeper.readClocks();
    requireAgreement(clocks, 'queued');
    const { database, database_offset } = clocks;
    const night = nightAt(keeper.settings, database);
    const expected = nightAt(keeper.settings, database - database_offset);
    const now_ms = toMs(database);
    if (expected.due_ms <= night.due_ms) return { night, now_ms };
    await keeper.sleep(expected.due_ms - now_ms, keeper.signal);
  }
}

/** Queues a missed night now, and each later night when it falls due, until the signal is aborted. */
export async function queueDueNights(keeper: NightKeeper): Promise<void> {
  const { settings, signal } = keeper;
  const queue = (): Promise<void> => queueUntilDone(keeper);
  const task = schedule(settings.schedule, queue, {
    timezone: 'UTC',
    noOverlap: true,
    suppressMissedWarning: true,
  });
  // A machine that slept at the due minute runs the night when it wakes up.
  task.on('execution:missed', queue);
  try {
    await queue();
    await stopped(signal);
  } finally {
    await task.destroy();
  }
}

async function queueUntilDone(keeper: NightKeeper): Promise<void> {
  const { logger, signal, sleep } = keeper;
  while (!signal.aborted) {
    try {
      await queueNight(keeper);
      return;
    } catch (error) {
      logger.error('night.postponed', errorFields(error));
      await sleep(AGAIN_MS, signal).catch(() => undefined);
    }
  }
}
