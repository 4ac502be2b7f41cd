/**
 * Builds one snapshot of one account: `node jobs/build.ts <account id>`, or `node jobs/build.ts <account id> <night>` if
 * that night has none yet. Settings from the environment. Exit codes: 0 published, superseded or skipped, 1 failed,
 * 2 wrong usage or settings, 3 refused by the audit.
 *
 * Started without an account by a worker, it builds what the worker asks for, one after the other, until it is let go.
 */
import { once } from 'node:events';
import { isCrossfootError } from '../src/errors.ts';
import { isReadByPerson } from '../src/log-format.ts';
import { WarmThread } from '../src/parquet/warm-thread.ts';
import { clearSpools } from '../src/run/build/clear-spools.ts';
import type { BuildMessage, BuildRequest } from '../src/run/build/messages.ts';
import { runBuild } from '../src/run/build/run-build.ts';
import { runJob } from '../src/run/job.ts';

function tell(message: BuildMessage): void {
  // Without a parent nobody listens; the log line at the end is then the only word.
  if (process.connected) process.send?.(message);
}

function tellFailure(error: unknown): void {
  if (!isCrossfootError(error)) return;
  const { code, message, hint } = error;
  tell({ failed: { code, message, hint } });
}

/** What was asked for in the command line, or by messages, until there is nobody to ask. */
async function* requests(signal: AbortSignal): AsyncGenerator<BuildRequest> {
  const [account, night = null] = process.argv.slice(2);
  if (account !== undefined || process.send === undefined) {
    yield { account: account ?? '', night, requested_at: null };
    return;
  }
  while (process.connected) {
    const asked = await once(process, 'message', { signal }).catch(() => null);
    if (asked === null) return;
    yield asked[0] as BuildRequest; // what the parent sends, and nothing else
  }
}

const frame = { failed: 'build.failed', env: process.env, onFailure: tellFailure } as const;
await runJob(frame, async ({ settings, logger, signal, stop }) => {
  // The process that asked for this build was killed: no process would hear how the build ended.
  process.on('disconnect', () => stop(new Error('stopped, because nobody waits for it any longer')));
  const explained = process.connected && isReadByPerson(settings.logFormat);
  await clearSpools(settings, logger);
  // Begun before the first build asks for it: it loads while the database is waited for.
  await using thread = new WarmThread();
  for await (const request of requests(signal)) {
    const surroundings = { settings, logger, thread, signal, explained, tell };
    const exit_code = await runBuild(request, surroundings);
    process.exitCode = exit_code;
    tell({ ended: { exit_code, rss_bytes: process.memoryUsage.rss() } });
  }
});
if (process.connected) process.disconnect();
