/**
 * A build in a process of its own: WebAssembly memory never shrinks, and a build that runs out of memory must not
 * take its caller along.
 */
import { once } from 'node:events';
import { CrossfootError, ERRORS, type ErrorCode } from '../errors.ts';
import type { BuildEvent } from '../snapshot/build-events.ts';
import { startBuild } from './build-process.ts';

/** What the child sends: its progress, and at last how it failed, if it did. */
export type BuildMessage =
  | { readonly event: BuildEvent }
  | {
      readonly failed: {
        readonly code: string;
        readonly message: string;
        readonly hint?: string | undefined;
        /** The facts behind the sentence that are texts: which check, expected, found. */
        readonly data?: Readonly<Record<string, string>>;
      };
    };

export interface ChildBuild {
  readonly accountId: bigint;
  /** The night it is queued for, which is published once; null for a build at once. */
  readonly night: string | null;
  /** The child's environment: it reads its settings as any process does. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onEvent: (event: BuildEvent) => void;
}

// Ctrl-C promises an end within five seconds, and the embedded database may need most of them.
const PATIENCE_MS = 1_500;

/** Runs the build and resolves when it published; rejects with the child's own error, or with how it ended. */
export async function buildInChild({ accountId, night, env, signal, onEvent }: ChildBuild): Promise<void> {
  signal.throwIfAborted();
  const child = startBuild(accountId, night, env);
  let impatience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    // The child clears up after SIGTERM; one that cannot leaves its spool to the account's next build.
    child.kill('SIGTERM');
    impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  let failure: CrossfootError | undefined;
  child.on('message', (message: BuildMessage) => {
    if ('event' in message) onEvent(message.event);
    else failure = failureOf(message.failed);
  });
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    if (code === 0) return;
    signal.throwIfAborted();
    throw (
      failure ??
      new CrossfootError(
        'build_died',
        `The build of account ${accountId} ended with ${killedBy ?? `exit code ${code}`}; nothing was published.`,
        { hint: 'The log above says more; out of memory shows as SIGKILL or SIGABRT.' },
      )
    );
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(impatience);
  }
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
