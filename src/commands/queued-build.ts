/** A build of the queue, in a process of its own. */
import type { BuildEvent } from '../snapshot/build-events.ts';
import type { WorkOptions } from '../ops/worker.ts';
import type { TakenBuild } from '../ops/queue.ts';
import { buildInChild } from './build-child.ts';
import type { QueueSession } from './queue-session.ts';

interface BuilderParts {
  readonly session: Pick<QueueSession, 'reports'>;
  /** The environment of every build. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onBegin?: (build: TakenBuild) => void;
  readonly onEvent?: (build: TakenBuild, event: BuildEvent) => void;
}

/** What a worker runs for each build that it took. */
export function queuedBuilds({ session, env, onBegin, onEvent }: BuilderParts): WorkOptions['run'] {
  return async (build, signal) => {
    const { account_id, night } = build;
    // The queue is a list of wishes: whether the account reports is asked when it is its turn.
    if (!(await session.reports(account_id))) return { outcome: 'off' };
    onBegin?.(build);
    let outcome: Readonly<Record<string, unknown>> = { outcome: 'unknown' };
    await buildInChild({
      accountId: account_id,
      night,
      env,
      signal,
      onEvent: (event) => {
        onEvent?.(build, event);
        outcome = outcomeOf(event) ?? outcome;
      },
    });
    return outcome;
  };
}

function outcomeOf(event: BuildEvent): Readonly<Record<string, unknown>> | null {
  if (event.kind === 'snapshot.superseded') return { outcome: 'superseded', seq: event.seq };
  if (event.kind !== 'snapshot.published' && event.kind !== 'snapshot.skipped') return null;
  const outcome = event.kind === 'snapshot.published' ? 'published' : 'skipped';
  return { outcome, snapshot_id: event.snapshot, seq: event.seq };
}
