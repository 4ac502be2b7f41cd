/** What jobs and logged commands have in common: settings, log, signals and exit code. */
import type { Settings } from '../config.ts';
import { openEnvironment } from './secret-files.ts';
import { firstError, isCrossfootError } from '../errors.ts';
import { errorFields, type EventName, type Logger, openLog } from '../log.ts';
import { watchNpm } from './npm-parent.ts';

/** The arguments of a job. */
export interface Job {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, or by `stop`. */
  readonly signal: AbortSignal;
  /** Stops the job from inside, with a reason. */
  readonly stop: (reason: Error) => void;
}

interface LoggedFrame {
  /** The log event of a failure. */
  readonly failed: EventName;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with the error of a failure, after it is logged. */
  readonly onFailure?: (error: unknown) => void;
}

/** Runs what a scheduler starts: a failure is logged, and sets the exit code of the process. Never rejects. */
export async function runLogged(
  { failed, env, onFailure }: LoggedFrame,
  run: (job: Pick<Job, 'settings' | 'logger'>) => Promise<void>,
): Promise<void> {
  let logger = openLog({ logLevel: 'info', logFormat: env['LOG_FORMAT'] });
  try {
    const settings = openEnvironment(env);
    logger = openLog(settings);
    await run({ settings, logger });
  } catch (thrown) {
    const error = firstError(thrown);
    logger.error(failed, errorFields(error));
    process.exitCode = isCrossfootError(error) ? error.exitCode : 1;
    onFailure?.(error);
  }
}

/**
 * Runs the job of a process and sets its exit code: 0, or the exit code of the error. Never rejects. Returns the signal of
 * the job, which says whether it was stopped.
 */
export async function runJob(frame: LoggedFrame, run: (job: Job) => Promise<void>): Promise<AbortSignal> {
  const stopped = new AbortController();
  const stop = (reason: Error): void => stopped.abort(reason);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => stop(new Error(`stopped by ${name}`)));
  }
  const { env } = frame;
  watchNpm({ env, onEnded: () => stop(new Error('stopped, because npm, which had started it, ended')) });
  const { signal } = stopped;
  await runLogged(frame, (opened) => run({ ...opened, signal, stop }));
  return signal;
}
