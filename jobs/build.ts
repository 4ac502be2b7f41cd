/**
 * Builds one snapshot of one account: `node jobs/build.ts <account id>`, or `node jobs/build.ts <account id> <night>` if
 * that night has none yet. Settings from the environment. Exit codes: 0 published, superseded or skipped, 1 failed,
 * 2 wrong usage or settings, 3 refused by the audit.
 */
import { type AttemptRecorder, recordAttempt } from '../src/commands/attempt-recorder.ts';
import { buildAccount } from '../src/commands/build-account.ts';
import type { BuildMessage } from '../src/commands/build-child.ts';
import { spoolFolder } from '../src/commands/databases.ts';
import { currentNight } from '../src/commands/nights.ts';
import { applicationUrl, readSettings } from '../src/config.ts';
import { CrossfootError, isCrossfootError } from '../src/errors.ts';
import { createLogger, errorFields } from '../src/log.ts';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopped.abort(new Error(`stopped by ${signal}`)));
}
// Whoever asked for this build was killed: nobody would hear of a snapshot, or of why there is none.
process.on('disconnect', () => stopped.abort(new Error('stopped, because nobody waits for it any longer')));

function tell(message: BuildMessage): void {
  // Without a parent nobody listens; the log line at the end is then the only word.
  if (process.connected) process.send?.(message);
}

function stopReason(): string {
  const reason: unknown = stopped.signal.reason;
  return reason instanceof Error ? reason.message : 'stopped';
}

/** What of the facts behind an error can be sent as it is. */
function textsOf(data: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

let logger = createLogger('info');
let attempt: AttemptRecorder | undefined;
try {
  const settings = readSettings(process.env);
  logger = createLogger(settings.logLevel);
  const account = process.argv[2] ?? '';
  const night = process.argv[3];
  if (!/^[1-9]\d{0,18}$/.test(account) || !/^\d{4}-\d\d-\d\d$/.test(night ?? '2000-01-01')) {
    throw new CrossfootError('usage_invalid', 'usage: node jobs/build.ts <account id> [<night, YYYY-MM-DD>]');
  }
  if (settings.ledgerUrl === null) {
    throw new CrossfootError('settings_invalid', 'A build needs LEDGER_URL or DATABASE_URL.');
  }
  const recorder = await recordAttempt({
    dataDir: settings.dataDir,
    accountId: BigInt(account),
    onLost: (error) => logger.warn('attempt.lost', errorFields(error)),
  });
  attempt = recorder;
  await buildAccount({
    accountId: BigInt(account),
    slot: night ?? currentNight(settings).day,
    once: night !== undefined,
    ledgerUrl: settings.ledgerUrl,
    appUrl: applicationUrl(settings),
    objectStore: settings.objectStore,
    bucket: settings.bucket,
    spoolRoot: spoolFolder(settings),
    signal: stopped.signal,
    onEvent: (event) => {
      recorder.follow(event);
      tell({ event });
    },
  });
  await recorder.end();
} catch (thrown) {
  const error = stopped.signal.aborted
    ? new CrossfootError('build_stopped', `The build was ${stopReason()}; nothing was published.`, {
        cause: thrown,
      })
    : thrown;
  logger.error('build.failed', errorFields(error));
  await attempt?.end(error);
  const { code, message, hint, data } = isCrossfootError(error)
    ? error
    : {
        code: 'build_died',
        message: 'The build failed; its log line says where.',
        hint: undefined,
        data: {},
      };
  tell({ failed: { code, message, hint, data: textsOf(data) } });
  process.exitCode = isCrossfootError(error) ? error.exitCode : 1;
}
if (process.connected) process.disconnect();
