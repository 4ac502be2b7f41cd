/** Runs one build in a child process: records it, reports to the parent, and returns an exit code. */
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { type Failure, failureOf } from '../../failure.ts';
import { errorFields, type Logger } from '../../log.ts';
import type { Settings } from '../../config.ts';
import type { WarmThread } from '../../parquet/warm-thread.ts';
import type { Store } from '../../store/store.ts';
import { type AttemptRecorder, recordAttempt } from './attempt-recorder.ts';
import { buildAccount } from './build-account.ts';
import type { BuilderSessions } from './builder-sessions.ts';
import type { BuildMessage, BuildRequest } from './messages.ts';
import { runRange } from './run-range.ts';
import { rangeSharing } from './shared-ranges.ts';
import { spoolFolder } from '../databases.ts';
import { withReserve } from '../with-reserve.ts';
import { isFullDisk } from '../../snapshot/spool/failure.ts';
import { openHeadWatch } from '../seen-heads.ts';

export interface BuildProcessTools {
  readonly settings: Settings;
  readonly logger: Logger;
  /** The sessions of this and the next build. */
  readonly sessions: BuilderSessions;
  /** Gives the store of this and the next build. */
  readonly openStore: () => Promise<Store>;
  /** The worker thread that encodes the files of this and the next build. */
  readonly thread: WarmThread;
  readonly signal: AbortSignal;
  /** True if the parent shows a person why a build failed; this process then does not log `build.failed`. */
  readonly explained: boolean;
  readonly tell: (message: BuildMessage) => void;
}

/** Builds the account, or stores a range for another build. Returns 0 if the snapshot was published, superseded or skipped, else the exit code of the error. */
export async function runBuild(request: BuildRequest, tools: BuildProcessTools): Promise<number> {
  const { settings, logger, sessions, openStore, thread, signal, explained, tell } = tools;
  let attempt: AttemptRecorder | undefined;
  try {
    if (request.range !== undefined) {
      await runRange(request.range, tools);
      return 0;
    }
    const { account, night, requested_at } = request;
    if (!/^[1-9]\d{0,18}$/.test(account) || (night !== null && !/^\d{4}-\d\d-\d\d$/.test(night))) {
      throw new CrossfootError(
        'usage_invalid',
        'usage: node jobs/build.ts <account id> [<night, YYYY-MM-DD>]',
      );
    }
    const { reader, service } = sessions;
    if (reader === null) {
      throw new CrossfootError('settings_invalid', 'A build needs LEDGER_URL or DATABASE_URL.');
    }
    const recorder = await recordAttempt({
      dataDir: settings.dataDir,
      account_id: BigInt(account),
      started_by: night !== null ? 'night' : requested_at !== null ? 'queue' : 'hand',
      onLost: (error) => logger.warn('attempt.lost', errorFields(error)),
      withReserve: (write) => withReserve(settings, write),
    });
    attempt = recorder;
    await buildAccount({
      account_id: BigInt(account),
      night,
      once: night !== null,
      ranges: request.ranges ?? undefined,
      cutLong: settings.buildRanges,
      acceptLedger: request.accept_ledger,
      shareRanges: rangeSharing(settings, logger),
      requested_at: requested_at === null ? undefined : BigInt(requested_at),
      began_at: recorder.began_at,
      schedule: settings.schedule,
      checkHead: openHeadWatch({
        settings,
        onService: service === null ? null : (run) => service.use(run),
        logger,
      }),
      sessions: reader,
      store: await openStore(),
      spoolRoot: spoolFolder(settings),
      layout: settings.buildLayout,
      thread,
      signal,
      logger,
      onEvent: (event) => {
        recorder.follow(event);
        tell({ event });
      },
    });
    await recorder.end();
    return 0;
  } catch (thrown) {
    const error = signal.aborted ? stopped(request.account, signal, thrown) : thrown;
    const unsaid = request.attended !== true || !saysAll(error);
    if (unsaid && !explained) logger.error('build.failed', errorFields(error));
    await attempt?.end(error);
    tell({ failed: toldFailure(error, explained) });
    return isCrossfootError(error) ? error.exitCode : 1;
  }
}

/** True for an error of the catalogue whose message says everything, so that its stack is not logged. */
function saysAll(error: unknown): boolean {
  return isCrossfootError(error) && (error.cause === undefined || isFullDisk(error.cause));
}

/** The stop may have come between the log entry, which publishes, and the end of the build. */
function stopped(account: string, { reason }: AbortSignal, cause: unknown): CrossfootError {
  const how = reason instanceof Error ? reason.message : 'stopped';
  return new CrossfootError('build_stopped', `The build was ${how} before its end.`, {
    hint: `npx --no crossfoot snapshots --account ${account} lists what is published.`,
    cause,
  });
}

function toldFailure(error: unknown, explained: boolean): Failure {
  if (isCrossfootError(error)) return failureOf(error);
  if (!explained)
    return { code: 'build_died', message: 'The build failed; its log line says where.', hint: null };
  return {
    code: 'build_died',
    message: `The build failed with an error that was not foreseen: ${errorFields(error).error}.`,
    hint: 'Build again with LOG_FORMAT=json: the log then says where.',
  };
}
