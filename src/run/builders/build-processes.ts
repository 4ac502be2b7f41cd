/**
 * Runs builds in child processes: WebAssembly memory never shrinks, and a build that runs out of memory must not end its
 * parent. A process builds one account after the other: most of the time of a small account goes into loading libraries.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { CrossfootError } from '../../errors.ts';
import { errorOf } from '../../failure.ts';
import type { QueuedRange } from '../../ops/range-queue.ts';
import type { BuildEvent } from '../../snapshot/builder/events.ts';
import type { BuildEnd, BuildMessage, BuildRequest } from './messages.ts';
import type { Instant } from '../../instant.ts';

export interface WantedBuild {
  readonly account_id: bigint;
  /** The queued night, which is published once; null for an immediate build. */
  readonly night: string | null;
  /** True if a person follows the build and reads why it failed. */
  readonly attended?: boolean;
  /** The number of ranges of a long table; null or omitted: the setting decides. */
  readonly ranges?: number | null;
  /** True: publish although the newest snapshot read a later state of the ledger; false if omitted. */
  readonly accept_ledger?: boolean;
  /** When a rebuild was queued; null for any other build. */
  readonly requested_at: Instant | null;
  /** A range that another build offers, to store in place of a build. */
  readonly range?: QueuedRange;
  readonly signal: AbortSignal;
  readonly onEvent: (event: BuildEvent) => void;
}

// Ctrl-C promises an end within five seconds, and the embedded database may need most of them.
const PATIENCE_MS = 1_500;
// After this many builds a new process starts. It frees memory that a library leaks, and costs one start in a hundred builds.
const MAX_BUILDS_OF_A_PROCESS = 100;
// A process holds 190 MB after a small account. After a large one it is ended to free its memory.
const MAX_RSS_BYTES = 250e6;
// An idle builder ends after this time, so that no memory is held between nights.
const IDLE_MS = 5_000;
// The account that a prepared process waits for may still be loaded.
const PREPARED_MS = 60_000;

interface Builder {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  /** Resolves once the channel is closed and its last message read; never resolves after `letGo`. */
  readonly closed: Promise<unknown[]>;
  builds: number;
  resting?: NodeJS.Timeout;
}

export class BuildProcesses {
  readonly #start: () => ChildProcess;
  readonly #idle = new Set<Builder>();

  /** `start` starts a further builder process. */
  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  /** Starts a process for a build that follows soon. The process ends after a minute without one. */
  prepare(): void {
    this.#rest(watched(this.#start()), PREPARED_MS);
  }

  /** Runs the build; resolves when it has published, or had nothing to publish. Rejects with the build's error, or with how its process ended. */
  async run(build: WantedBuild): Promise<void> {
    const { account_id, signal } = build;
    signal.throwIfAborted();
    const builder = this.#take();
    let impatience: NodeJS.Timeout | undefined;
    const stop = (): void => {
      // SIGTERM lets the child clean up. If it cannot, the account's next build removes its spool.
      builder.child.kill('SIGTERM');
      impatience = setTimeout(() => builder.child.kill('SIGKILL'), PATIENCE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { end, failure, published, how } = await answerOf(builder, build);
      builder.builds += 1;
      if (end?.exit_code === 0 && !signal.aborted) {
        this.#keep(builder, end);
        return;
      }
      // After a failed build the state of its process is unknown, so end the process.
      await letGo(builder);
      // Only the comparison with the snapshot before is missing. The first request for it computes it.
      if (end?.exit_code === 0 || (end === undefined && published)) return;
      signal.throwIfAborted();
      throw (
        failure ??
        new CrossfootError(
          'build_died',
          `The build of account ${account_id} ended with ${how} before it reported a result.`,
          {
            hint: `Read the log above. SIGKILL or SIGABRT usually means out of memory. npx --no crossfoot snapshots --account ${account_id} lists what is published.`,
          },
        )
      );
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(impatience);
    }
  }

  #take(): Builder {
    const [waiting] = this.#idle;
    if (waiting === undefined) return watched(this.#start());
    this.#idle.delete(waiting);
    clearTimeout(waiting.resting);
    waiting.child.ref();
    waiting.child.channel?.ref();
    return waiting;
  }

  #keep(builder: Builder, { rss_bytes }: BuildEnd): void {
    if (builder.builds >= MAX_BUILDS_OF_A_PROCESS || rss_bytes > MAX_RSS_BYTES) {
      void letGo(builder);
      return;
    }
    this.#rest(builder, IDLE_MS);
  }

  #rest(builder: Builder, ms: number): void {
    this.#idle.add(builder);
    const forget = (): void => void this.#idle.delete(builder);
    builder.exited.then(forget, forget);
    builder.resting = setTimeout(() => {
      forget();
      void letGo(builder);
    }, ms).unref();
    // Unref an idle builder so that it does not keep its parent alive; it exits when the channel closes.
    builder.child.unref();
    builder.child.channel?.unref();
  }
}

interface Answer {
  readonly end: BuildEnd | undefined;
  readonly failure: CrossfootError | undefined;
  /** True once the process reported that the snapshot is published. */
  readonly published: boolean;
  /** How the process ended, if it did. */
  readonly how: string;
}

async function answerOf({ child, closed }: Builder, build: WantedBuild): Promise<Answer> {
  let failure: CrossfootError | undefined;
  const answered = Promise.withResolvers<BuildEnd>();
  let published = false;
  const listen = (message: BuildMessage): void => {
    if ('event' in message) {
      published ||= message.event.kind === 'snapshot.published';
      build.onEvent(message.event);
    } else if ('failed' in message) failure = errorOf(message.failed);
    else answered.resolve(message.ended);
  };
  child.on('message', listen);
  try {
    const { account_id, night, attended = false, ranges = null, accept_ledger = false, range } = build;
    const requested_at = build.requested_at === null ? null : String(build.requested_at);
    const request: BuildRequest = {
      account: String(account_id),
      night,
      requested_at,
      attended,
      ranges,
      accept_ledger,
      range,
    };
    // Ignore send errors: a dead child is noticed by its `close` event.
    child.send(request, () => undefined);
    const end = await Promise.race([answered.promise, closed]);
    if (!Array.isArray(end)) return { end, failure, published, how: `exit code ${end.exit_code}` };
    const [code, killedBy] = end as [number | null, string | null]; // as Node documents 'close'
    return { end: undefined, failure, published, how: killedBy ?? `exit code ${code}` };
  } finally {
    child.off('message', listen);
  }
}

function watched(child: ChildProcess): Builder {
  const [exited, closed] = [once(child, 'exit'), once(child, 'close')];
  // A failed spawn rejects the pending `run()`; with none pending it must not crash the process.
  for (const end of [exited, closed]) end.catch(() => undefined);
  return { child, exited, closed, builds: 0 };
}

/** Ends a builder and waits for a limited time: a process that hangs would block the next build. */
async function letGo({ child, exited }: Builder): Promise<void> {
  if (child.connected) child.disconnect();
  const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await exited.catch(() => undefined);
  clearTimeout(impatience);
}
