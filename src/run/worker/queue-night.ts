/** Queues the nights as they fall due, and at once the one that fell due while nobody was there. */
import { schedule } from 'node-cron';
import { errorFields } from '../../log.ts';
import type { Night } from '../../ops/night.ts';
import { type Clocks, requireAgreement } from '../../clock-offsets.ts';
import { type NightContext, type NightStep, takeSteps } from './night-steps.ts';
import { nightAt } from '../nights.ts';
import type { QueueSession } from './queue-session.ts';
import { stopped } from '../stopping.ts';

/** A database that is away at night is asked again after this long. */
const AGAIN_MS = 60_000;
const MICROSECONDS_PER_MILLISECOND = 1_000n;

export interface NightKeeper extends NightContext {
  readonly session: Pick<QueueSession, 'queue' | 'readAccounts'>;
  readonly readClocks: () => Promise<Clocks>;
  /** What is done first, in this order. A night with yesterday's rates is better than none. */
  readonly before: readonly NightStep[];
  /** What is done once it is queued. */
  readonly after: readonly NightStep[];
  /** Resolves after so long, or rejects when the signal says so. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Queues the last night that fell due, for every account that reports and has it not queued yet. */
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
 * The night that is due by the database's clock. This machine's may be up to two minutes ahead and call too early: the
 * night that it means is waited for, because nothing calls for it again.
 */
async function awaitNight(keeper: NightKeeper): Promise<{ readonly night: Night; readonly now_ms: number }> {
  for (;;) {
    const clocks = await keeper.readClocks();
    requireAgreement(clocks, 'queued');
    const { database, database_offset } = clocks;
    const night = nightAt(keeper.settings, database);
    const meant = nightAt(keeper.settings, database - database_offset);
    const now_ms = Number(database / MICROSECONDS_PER_MILLISECOND);
    if (meant.due_ms <= night.due_ms) return { night, now_ms };
    await keeper.sleep(meant.due_ms - now_ms, keeper.signal);
  }
}

/** Does so now, for a night that was missed, and whenever one falls due, until it is told to stop. */
export async function keepNights(keeper: NightKeeper): Promise<void> {
  const { settings, signal } = keeper;
  const queue = (): Promise<void> => queueUntilDone(keeper);
  const task = schedule(settings.schedule, queue, {
    timezone: 'UTC',
    noOverlap: true,
    suppressMissedWarning: true,
  });
  // A machine that slept through the minute wakes up to a night that is due.
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
