/** What a worker does besides its builds: waits, heartbeats, failures, metrics of the queue, and the page `/night`. */
import type { Mutants } from '../mutant.ts';

const WORKER = 'src/ops/worker.ts';
const LANES = 'src/ops/lanes.ts';
const WAITS = ['test/ops/worker-waits.test.ts'];
const METRICS = ['test/ops/queue-metrics.test.ts'];

export const WORK: Mutants = {
  'metrics-dead-day': {
    rule: 'a dead letter is counted for a day',
    file: 'src/ops/queue-metrics.ts',
    find: "sql<bigint>`now() - interval '1 day'`",
    replace: "sql<bigint>`now() - interval '30 days'`",
    caughtBy: METRICS,
  },
  'metrics-delivery-account': {
    rule: 'a delivery belongs to the event of its own account',
    file: 'src/ops/queue-metrics.ts',
    find: "join.onRef('d.account_id', '=', 'e.account_id').onRef('d.event_id', '=', 'e.id'),",
    replace: "join.onRef('d.event_id', '=', 'e.id'),",
    caughtBy: METRICS,
  },
  'metrics-delivery-days': {
    rule: 'a failed delivery is counted for two days',
    file: 'src/ops/queue-metrics.ts',
    find: "sql<bigint>`now() - interval '2 days'`",
    replace: "sql<bigint>`now() - interval '20 days'`",
    caughtBy: METRICS,
  },
  'night-utc': {
    rule: 'a schedule is in UTC, whatever the zone of the process',
    file: 'src/ops/night.ts',
    find: "const task = createTask(schedule, () => undefined, { timezone: 'UTC' });",
    replace: 'const task = createTask(schedule, () => undefined, {});',
    caughtBy: ['test/ops/night.test.ts'],
  },
  'queue-dead-rules': {
    rule: 'the queue of dead letters gets its rules from the program that opens it',
    file: 'src/ops/job-queue.ts',
    find: 'for (const [queue, rule] of rules) await boss.updateQueue(queue, rule);',
    replace: 'await boss.updateQueue(name, rules.get(name));',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-rules': {
    rule: 'the queue gets its rules from the program that opens it',
    file: 'src/ops/job-queue.ts',
    find: 'for (const [queue, rule] of rules) await boss.updateQueue(queue, rule);',
    replace: 'for (const [queue, rule] of rules) if (queue !== name) await boss.updateQueue(queue, rule);',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'status-rebuild-died': {
    rule: 'a rebuild that died does not count among those that still wait, run or are tried again',
    file: 'src/ops/night-status.ts',
    find: 'rebuilds: queued + building + refused + failed,',
    replace: 'rebuilds: queued + building + refused + failed + status.rebuild_counts.dead,',
    caughtBy: ['test/ops/night-status.test.ts'],
  },
  'worker-attempt': {
    rule: 'the log of a worker counts attempts from 1',
    file: WORKER,
    find: 'attempt: retryCount + 1,',
    replace: 'attempt: retryCount,',
    caughtBy: WAITS,
  },
  'worker-beat-failed': {
    rule: 'a heartbeat that could not be sent does not end the build (fault F-6)',
    file: 'src/ops/beat.ts',
    find: '// A heartbeat that could not be sent does not mean that the job is lost.',
    replace: 'lost.abort(error);',
    caughtBy: WAITS,
  },
  'worker-beat-often': {
    rule: 'a worker sends three heartbeats in the time after which it counts as lost (fault F-37)',
    file: 'src/ops/queue-rules.ts',
    find: 'export const BEAT_MS = (HEARTBEAT_SECONDS * 1000) / 3;',
    replace: 'export const BEAT_MS = HEARTBEAT_SECONDS * 1000;',
    caughtBy: WAITS,
  },
  'worker-beats-on': {
    rule: 'a worker sends further heartbeats after one that could not be sent (fault F-6)',
    file: 'src/ops/beat.ts',
    find: '// A heartbeat that could not be sent does not mean that the job is lost.',
    replace: 'return;',
    caughtBy: WAITS,
  },
  'worker-facts': {
    rule: 'the queue keeps the facts behind a failure apart from its message',
    file: 'src/failure.ts',
    find: 'return { code, message, hint, data: dataInJson(error) };',
    replace: 'return { code, message, hint, data: {} };',
    caughtBy: [...WAITS, 'test/failure.test.ts'],
  },
  'worker-hint': {
    rule: 'the queue keeps the hint of a failure',
    file: 'src/failure.ts',
    find: 'return { code, message, hint, data: dataInJson(error) };',
    replace: 'return { code, message, hint: null, data: dataInJson(error) };',
    caughtBy: [...WAITS, 'test/failure.test.ts'],
  },
  'failure-error-again': {
    rule: 'a process that waits for a build gets the hint and the facts of the error that ended the build',
    file: 'src/failure.ts',
    find: 'return new CrossfootError(known, message, hint === null ? { data } : { hint, data });',
    replace: 'return new CrossfootError(known, message);',
    caughtBy: ['test/failure.test.ts', 'test/run/builders/build-processes.test.ts'],
  },
  'failure-refusals-alone': {
    rule: 'only a build whose figures are refused sends the webhook `snapshot.refused`',
    file: 'src/failure.ts',
    find: 'if (!REFUSAL_CODES.some((each) => each === code)) return null;',
    replace: '',
    caughtBy: ['test/failure.test.ts'],
  },
  'worker-looks-again': {
    rule: 'a worker that finds nothing to do looks again',
    file: LANES,
    find: 'if (await onIdle()) return;',
    replace: 'if ((await onIdle()) || job === null) return;',
    caughtBy: WAITS,
  },
  'worker-stopped-waiting': {
    rule: 'a worker that is stopped while it waits ends without an error',
    file: LANES,
    find: 'await sleep(poll_ms, signal).catch(() => undefined);',
    replace: 'await sleep(poll_ms, signal);',
    caughtBy: WAITS,
  },
  'start-changed-ledger': {
    rule: 'a worker that starts skips the build of an account only if the ledger has not changed since the newest snapshot',
    file: 'src/ops/account-changes.ts',
    find: 'not pg_visible_in_snapshot(xid, ${pg_snapshot}::pg_snapshot)',
    replace: 'xid is null',
    caughtBy: ['test/ops/account-changes.test.ts'],
  },
  'start-restored-ledger': {
    rule: 'a worker that starts skips the build of an account only if this database published the newest snapshot',
    file: 'src/ops/account-changes.ts',
    find: 'if ((await countRows(service, published)) === 0) return false;',
    replace: 'await countRows(service, published);',
    caughtBy: ['test/ops/account-changes.test.ts'],
  },
  'night-told-last-build': {
    rule: 'the page `/night` shows a build that failed after the night went well',
    file: 'src/serve/pages/night-page.ts',
    find: '  return isOld ? undefined : { ...last, trouble: last.trouble };',
    replace: '  return undefined;',
    caughtBy: ['test/serve/pages/night-page.test.ts'],
  },
  'night-told-older-build': {
    rule: 'the page of nights hides a failed build when there is a newer snapshot',
    file: 'src/serve/pages/night-page.ts',
    find: '  return isOld ? undefined : { ...last, trouble: last.trouble };',
    replace: '  return { ...last, trouble: last.trouble };',
    caughtBy: ['test/serve/pages/night-page.test.ts'],
  },
};
