/** What every job in `jobs` has in common: settings, log, signals and exit code. */
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

interface JobFrame {
  /** The log event of a failed job. */
  readonly failed: EventName;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with the error of a failed job, after it is logged. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Runs the job and sets the exit code of the process: 0, or the exit code of the error. Never rejects. Returns the signal of
 * the job, which says whether it was stopped.
 */
export async function runJob(
  { failed, env, onFailure }: JobFrame,
  run: (job: Job) => Promise<void>,
): Promise<AbortSignal> {
  const stopped = new AbortController();
  const stop = (reason: Error): void => stopped.abort(reason);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => stop(new Error(`stopped by ${name}`)));
  }
  watchNpm({ env, onEnded: () => stop(new Error('stopped, because npm, which had started it, ended')) });
  let logger = openLog({ logLevel: 'info', logFormat: env['LOG_FORMAT'] });
  try {
    const settings = openEnvironment(env);
    logger = openLog(settings);
    await run({ settings, logger, signal: stopped.signal, stop });
  } catch (thrown) {
    const error = firstError(thrown);
    logger.error(failed, errorFields(error));
    process.exitCode = isCrossfootError(error) ? error.exitCode : 1;
    onFailure?.(error);
  }
  return stopped.signal;
}
