/** One build as a child runs it: recorded, told to whoever asked for it, and ended with an exit code. */
import { dataInJson } from '../../error-data.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { errorFields, type Logger } from '../../log.ts';
import { applicationUrl, type Settings } from '../../config.ts';
import type { WarmThread } from '../../parquet/warm-thread.ts';
import { type AttemptRecorder, recordAttempt } from './attempt-recorder.ts';
import { buildAccount } from './build-account.ts';
import type { BuildMessage, BuildRequest } from './messages.ts';
import { spoolFolder } from '../databases.ts';
import { onOwnSession, openHeadWatch } from '../seen-heads.ts';

export interface BuildSurroundings {
  readonly settings: Settings;
  readonly logger: Logger;
  /** What the files of this and the next build are encoded in. */
  readonly thread: WarmThread;
  readonly signal: AbortSignal;
  /** True where the process that asked says to a person why a build failed: nothing is logged then. */
  readonly explained: boolean;
  readonly tell: (message: BuildMessage) => void;
}

/** Builds it; gives 0 when it was published, superseded or skipped, and otherwise the exit code of what kept it from that. */
export async function runBuild(asked: BuildRequest, surroundings: BuildSurroundings): Promise<number> {
  const { settings, logger, thread, signal, explained, tell } = surroundings;
  let attempt: AttemptRecorder | undefined;
  try {
    const { account, night, requested_at } = asked;
    if (!/^[1-9]\d{0,18}$/.test(account) || (night !== null && !/^\d{4}-\d\d-\d\d$/.test(night))) {
      throw new CrossfootError(
        'usage_invalid',
        'usage: node jobs/build.ts <account id> [<night, YYYY-MM-DD>]',
      );
    }
    if (settings.ledgerUrl === null) {
      throw new CrossfootError('settings_invalid', 'A build needs LEDGER_URL or DATABASE_URL.');
    }
    const recorder = await recordAttempt({
      dataDir: settings.dataDir,
      account_id: BigInt(account),
      onLost: (error) => logger.warn('attempt.lost', errorFields(error)),
    });
    attempt = recorder;
    await buildAccount({
      account_id: BigInt(account),
      night,
      once: night !== null,
      requested_at: requested_at === null ? undefined : BigInt(requested_at),
      schedule: settings.schedule,
      checkHead: openHeadWatch({
        settings,
        onService: onOwnSession(settings.databaseUrl ?? settings.ledgerUrl),
        logger,
      }),
      ledgerUrl: settings.ledgerUrl,
      appUrl: applicationUrl(settings),
      objectStore: settings.objectStore,
      bucket: settings.bucket,
      spoolRoot: spoolFolder(settings),
      thread,
      signal,
      onEvent: (event) => {
        recorder.follow(event);
        tell({ event });
      },
    });
    await recorder.end();
    return 0;
  } catch (thrown) {
    const error = signal.aborted ? stopped(signal, thrown) : thrown;
    const unsaid = asked.attended !== true || !saysAll(error);
    if (unsaid && !explained) logger.error('build.failed', errorFields(error));
    await attempt?.end(error);
    tell({ failed: failureOf(error, explained) });
    return isCrossfootError(error) ? error.exitCode : 1;
  }
}

/** An error of ours without a cause: its frames and its code say nothing that its sentence does not. */
function saysAll(error: unknown): boolean {
  return isCrossfootError(error) && error.cause === undefined;
}

function stopped({ reason }: AbortSignal, cause: unknown): CrossfootError {
  const how = reason instanceof Error ? reason.message : 'stopped';
  return new CrossfootError('build_stopped', `The build was ${how}; nothing was published.`, { cause });
}

function failureOf(error: unknown, explained: boolean): Extract<BuildMessage, { failed: unknown }>['failed'] {
  if (!isCrossfootError(error)) {
    if (!explained) return { code: 'build_died', message: 'The build failed; its log line says where.' };
    const message = `The build failed with an error that was not foreseen: ${errorFields(error).error}.`;
    return {
      code: 'build_died',
      message,
      hint: 'Build again with LOG_FORMAT=json: the log then says where.',
    };
  }
  const { code, message, hint } = error;
  return { code, message, hint, data: dataInJson(error) };
}
