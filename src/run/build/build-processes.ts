/**
 * Builds in processes of their own: WebAssembly memory never shrinks, and a build that runs out of memory must not take
 * its caller along. One process builds one account at a time, and the next one when it is done: most of what a small
 * account costs is loading the libraries and warming them up.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { CrossfootError, ERRORS, type ErrorCode } from '../../errors.ts';
import type { BuildEvent } from '../../snapshot/build/events.ts';
import type { BuildEnd, BuildMessage, BuildRequest } from './messages.ts';

export interface WantedBuild {
  readonly account_id: bigint;
  /** The night it is queued for, which is published once; null for a build at once. */
  readonly night: string | null;
  /** True where a person follows the build and reads why it failed. */
  readonly attended?: boolean;
  /** When a rebuild was queued, in microseconds since 1970; null for any other build. */
  readonly requested_at: bigint | null;
  readonly signal: AbortSignal;
  readonly onEvent: (event: BuildEvent) => void;
}

// Ctrl-C promises an end within five seconds, and the embedded database may need most of them.
const PATIENCE_MS = 1_500;
// Whatever a library forgets to give back is given back then, at a hundredth of the price.
const MAX_BUILDS = 100;
// A small account leaves 190 MB. What a large one took is given back by ending its process.
const MAX_RSS_BYTES = 250e6;
// Between two nights nothing is held.
const IDLE_MS = 5_000;

interface Builder {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  /** After its last message was read; never, once we let go of it. */
  readonly closed: Promise<unknown[]>;
  builds: number;
  resting?: NodeJS.Timeout;
}

export class BuildProcesses {
  readonly #start: () => ChildProcess;
  readonly #idle = new Set<Builder>();

  /** `start` starts one more process that takes builds. */
  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  /** Runs the build and resolves when it published; rejects with its own error, or with how its process ended. */
  async run(build: WantedBuild): Promise<void> {
    const { account_id, signal } = build;
    signal.throwIfAborted();
    const builder = this.#take();
    let impatience: NodeJS.Timeout | undefined;
    const stop = (): void => {
      // The child clears up after SIGTERM; one that cannot leaves its spool to the account's next build.
      builder.child.kill('SIGTERM');
      impatience = setTimeout(() => builder.child.kill('SIGKILL'), PATIENCE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { end, failure, how } = await answerOf(builder, build);
      builder.builds += 1;
      if (end?.exit_code === 0 && !signal.aborted) {
        this.#keep(builder, end);
        return;
      }
      // What a failed build left its process in the middle of is unknown, so there is no next one.
      await letGo(builder);
      if (end?.exit_code === 0) return;
      signal.throwIfAborted();
      throw (
        failure ??
        new CrossfootError(
          'build_died',
          `The build of account ${account_id} ended with ${how}; nothing was published.`,
          {
            hint: 'The log above says more; out of memory shows as SIGKILL or SIGABRT.',
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
    if (builder.builds >= MAX_BUILDS || rss_bytes > MAX_RSS_BYTES) {
      void letGo(builder);
      return;
    }
    this.#idle.add(builder);
    const forget = (): void => void this.#idle.delete(builder);
    builder.exited.then(forget, forget);
    builder.resting = setTimeout(() => {
      forget();
      void letGo(builder);
    }, IDLE_MS).unref();
    // One that waits for work keeps nobody from ending, and ends with whoever lets go of it.
    builder.child.unref();
    builder.child.channel?.unref();
  }
}

interface Answer {
  readonly end: BuildEnd | undefined;
  readonly failure: CrossfootError | undefined;
  /** How the process ended, where it did. */
  readonly how: string;
}

async function answerOf({ child, closed }: Builder, build: WantedBuild): Promise<Answer> {
  let failure: CrossfootError | undefined;
  const answered = Promise.withResolvers<BuildEnd>();
  const listen = (message: BuildMessage): void => {
    if ('event' in message) build.onEvent(message.event);
    else if ('failed' in message) failure = failureOf(message.failed);
    else answered.resolve(message.ended);
  };
  child.on('message', listen);
  try {
    const { account_id, night, attended = false } = build;
    const requested_at = build.requested_at === null ? null : String(build.requested_at);
    const request: BuildRequest = { account: String(account_id), night, requested_at, attended };
    // One that has died meanwhile is known by its end.
    child.send(request, () => undefined);
    const end = await Promise.race([answered.promise, closed]);
    if (!Array.isArray(end)) return { end, failure, how: `exit code ${end.exit_code}` };
    const [code, killedBy] = end as [number | null, string | null]; // as Node documents 'close'
    return { end: undefined, failure, how: killedBy ?? `exit code ${code}` };
  } finally {
    child.off('message', listen);
  }
}

function watched(child: ChildProcess): Builder {
  const [exited, closed] = [once(child, 'exit'), once(child, 'close')];
  // One that cannot even be started fails whoever waits for it, and not the program while nobody does.
  for (const end of [exited, closed]) end.catch(() => undefined);
  return { child, exited, closed, builds: 0 };
}

/** Waits for its end, and not for long: one that hangs would hold the place of the next account's build. */
async function letGo({ child, exited }: Builder): Promise<void> {
  if (child.connected) child.disconnect();
  const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await exited.catch(() => undefined);
  clearTimeout(impatience);
}

function failureOf({
  code,
  message,
  hint,
  data = {},
}: Extract<BuildMessage, { failed: unknown }>['failed']): CrossfootError {
  const known = code in ERRORS ? (code as ErrorCode) : 'build_died'; // the line above is the proof
  return new CrossfootError(known, message, hint === undefined ? { data } : { hint, data });
}
