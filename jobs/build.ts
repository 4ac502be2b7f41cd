/**
 * Builds one snapshot of one account: `node jobs/build.ts <account id>`. `node jobs/build.ts <account id> <night>` builds
 * only if that night has no snapshot yet. Settings come from the environment. Exit codes: 0 published, superseded or
 * skipped, 1 failed, 2 wrong usage or settings, 3 refused by the audit.
 *
 * A worker starts this job without an account. Then the job builds the accounts that the worker sends, until it disconnects.
 */
import { once } from 'node:events';
import { isCrossfootError } from '../src/errors.ts';
import { failureOf } from '../src/failure.ts';
import { isReadByPerson } from '../src/log-format.ts';
import { WarmThread } from '../src/parquet/warm-thread.ts';
import { builderSessions } from '../src/run/builders/builder-sessions.ts';
import { builderStore } from '../src/run/builders/builder-store.ts';
import { clearSpools } from '../src/run/builders/clear-spools.ts';
import type { BuildMessage, BuildRequest } from '../src/run/builders/messages.ts';
import { runBuild } from '../src/run/builders/run-build.ts';
import { runJob } from '../src/run/job.ts';

function tell(message: BuildMessage): void {
  // Without a parent there is no receiver; the last line of the log is then the only report.
  if (process.connected) process.send?.(message);
}

function tellFailure(error: unknown): void {
  if (isCrossfootError(error)) tell({ failed: failureOf(error) });
}

/** The build that the command line names; without one, each build that the parent sends, until the parent disconnects. */
async function* requests(signal: AbortSignal): AsyncGenerator<BuildRequest> {
  const [account, night = null] = process.argv.slice(2);
  if (account !== undefined || process.send === undefined) {
    yield { account: account ?? '', night, requested_at: null };
    return;
  }
  while (process.connected) {
    const message = await once(process, 'message', { signal }).catch(() => null);
    if (message === null) return;
    yield message[0] as BuildRequest; // the parent sends nothing else
  }
}

const frame = { failed: 'build.failed', env: process.env, onFailure: tellFailure } as const;
await runJob(frame, async ({ settings, logger, signal, stop }) => {
  // The parent was killed: no process waits for the result.
  process.on('disconnect', () => stop(new Error('stopped, because the process that requested it has ended')));
  const explained = process.connected && isReadByPerson(settings.logFormat);
  await clearSpools(settings, logger);
  // Start the thread before the first build needs it: the thread loads while the database connects.
  await using thread = new WarmThread();
  await using sessions = builderSessions(settings);
  const openStore = builderStore(settings);
  for await (const request of requests(signal)) {
    const tools = { settings, logger, sessions, openStore, thread, signal, explained, tell };
    const exit_code = await runBuild(request, tools);
    process.exitCode = exit_code;
    tell({ ended: { exit_code, rss_bytes: process.memoryUsage.rss() } });
  }
});
if (process.connected) process.disconnect();
