/** Runs a queued build in a child process. */
import { isCrossfootError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { BuildEvent } from '../../snapshot/builder/events.ts';
import type { WorkOptions } from '../../ops/worker.ts';
import type { TakenBuild } from '../../ops/queue.ts';
import type { EnqueueEvent } from '../../webhooks/enqueue-event.ts';
import type { ProcessesOfNow } from './current-processes.ts';
import type { QueueSession } from '../worker/queue-session.ts';
import { refusalEvent, enqueueOrLog } from './webhook-events.ts';

interface BuilderParts {
  readonly session: Pick<QueueSession, 'reports'>;
  readonly enqueueEvent: EnqueueEvent;
  /** The current night, `YYYY-MM-DD`, for rebuilds. */
  readonly night: () => Promise<string>;
  readonly logger: Logger;
  /** Gives what is recorded with each published build; see `publishingTerms`. */
  readonly readTerms?: () => Promise<string>;
  readonly processes: ProcessesOfNow;
  readonly onBegin?: (build: TakenBuild) => void;
  readonly onEvent?: (build: TakenBuild, event: BuildEvent) => void;
}

/**
 * Returns the function that a worker calls for each build that it takes. It returns the outcome, and queues webhook
 * events.
 */
export function queuedBuilds(parts: BuilderParts): WorkOptions['run'] {
  const { session, enqueueEvent, logger, onBegin, onEvent } = parts;
  return async (build, signal) => {
    const { account_id, night, requested_at } = build;
    // The account may have stopped reporting since the build was queued.
    if (!(await session.reports(account_id))) return { outcome: 'off' };
    onBegin?.(build);
    let outcome: Readonly<Record<string, unknown>> = { outcome: 'unknown' };
    const subject = { account_id, night: night ?? (await parts.night()) };
    const processes = await parts.processes();
    const terms = await parts.readTerms?.();
    try {
      await processes.run({
        account_id,
        night,
        requested_at: night === null ? requested_at : null,
        signal,
        onEvent: (event) => {
          onEvent?.(build, event);
          outcome = outcomeOf(event, terms) ?? outcome;
        },
      });
    } catch (error) {
      // Reporting was switched off during the build; a retry would end the same way.
      if (isCrossfootError(error, 'reporting_off')) return { outcome: 'off' };
      const refusal = refusalEvent(subject, error);
      if (refusal !== null) await enqueueOrLog(enqueueEvent, refusal, logger);
      throw error;
    }
    // Queue the event before the job completes. If this worker dies in between, the next worker finds the snapshot published
    // and queues the event again.
    const { snapshot_id } = outcome;
    if (typeof snapshot_id === 'string') {
      for (const type of ['snapshot.published', 'totals.moved', 'budget.passed'] as const) {
        await enqueueOrLog(enqueueEvent, { type, ...subject, snapshot_id }, logger);
      }
    }
    return outcome;
  };
}

function outcomeOf(event: BuildEvent, terms: string | undefined): Readonly<Record<string, unknown>> | null {
  if (event.kind === 'snapshot.superseded') return { outcome: 'superseded', seq: event.seq, ms: event.ms };
  if (event.kind !== 'snapshot.published' && event.kind !== 'snapshot.skipped') return null;
  const { snapshot: snapshot_id, seq, ms } = event;
  return event.kind === 'snapshot.skipped'
    ? { outcome: 'skipped', snapshot_id, seq }
    : { outcome: 'published', snapshot_id, seq, ms, ...(terms === undefined ? {} : { terms }) };
}
