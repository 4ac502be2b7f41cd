/**
 * Builds one snapshot of one account: `node jobs/build.ts <account id>`, or `node jobs/build.ts <account id> <night>` if
 * that night has none yet. Settings from the environment. Exit codes: 0 published, superseded or skipped, 1 failed,
 * 2 wrong usage or settings, 3 refused by the audit.
 *
 * Started without an account by a worker, it builds what the worker asks for, one after the other, until it is let go.
 */
import { once } from 'node:events';
import type { BuildMessage, BuildRequest } from '../src/run/build/messages.ts';
import { clearSpools } from '../src/run/build/clear-spools.ts';
import { runBuild } from '../src/run/build/run-build.ts';
import { readSettings } from '../src/config.ts';
import { isCrossfootError } from '../src/errors.ts';
import { createLogger, errorFields } from '../src/log.ts';
import { WarmThread } from '../src/parquet/warm-thread.ts';

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

/** What was asked for in the command line, or by messages, until there is nobody to ask. */
async function* requests(): AsyncGenerator<BuildRequest> {
  const [account, night = null] = process.argv.slice(2);
  if (account !== undefined || process.send === undefined) {
    yield { account: account ?? '', night, requested_at: null };
    return;
  }
  const { signal } = stopped;
  while (process.connected) {
    const asked = await once(process, 'message', { signal }).catch(() => null);
    if (asked === null) return;
    yield asked[0] as BuildRequest; // what the parent sends, and nothing else
  }
}

let logger = createLogger('info');
try {
  const settings = readSettings(process.env);
  logger = createLogger(settings.logLevel);
  await clearSpools(settings, logger);
  // Begun before the first build asks for it: it loads while the database is waited for.
  await using thread = new WarmThread();
  for await (const request of requests()) {
    const surroundings = { settings, logger, thread, signal: stopped.signal, tell };
    const exit_code = await runBuild(request, surroundings);
    process.exitCode = exit_code;
    tell({ ended: { exit_code, rss_bytes: process.memoryUsage.rss() } });
  }
} catch (error) {
  logger.error('build.failed', errorFields(error));
  process.exitCode = 1;
  if (isCrossfootError(error)) {
    const { code, message, hint } = error;
    tell({ failed: { code, message, hint } });
    process.exitCode = error.exitCode;
  }
}
if (process.connected) process.disconnect();
