/** The queue, the nights, and their status. */
import type { Mutants } from '../mutant.ts';

export const QUEUE: Mutants = {
  'hand-build-unnoted': {
    rule: 'a build by hand counts as the build of its night (issue 48)',
    file: 'src/ops/account-changes.ts',
    find: '    id: nightJobId(account_id, night),',
    replace: '    id: rebuildJobId(account_id + 1n),',
    caughtBy: ['test/ops/account-changes.test.ts'],
  },
  'hand-build-takes-held-job': {
    rule: 'a build by hand does not settle the job of a worker (issue 48)',
    file: 'src/ops/account-changes.ts',
    find: "      conflict.columns(['name', 'id']).doUpdateSet(done).where('ops.job.state', '<>', 'active'),",
    replace: "      conflict.columns(['name', 'id']).doUpdateSet(done),",
    caughtBy: ['test/ops/account-changes.test.ts'],
  },
  'night-cancelled': {
    rule: 'a night that was cancelled is not told',
    file: 'src/ops/account-nights.ts',
    find: "from ops.job where name = $1 and id = any($2::uuid[]) and state <> 'cancelled'",
    replace: 'from ops.job where name = $1 and id = any($2::uuid[])',
    caughtBy: ['test/run/server/nights.test.ts'],
  },
  'night-dead-code': {
    rule: 'a night that is given up on tells its code',
    file: 'src/ops/account-nights.ts',
    find: "case when state in ('refused', 'failed', 'dead') then coalesce(output ->> 'code', 'unforeseen') end as code,",
    replace:
      "case when state in ('refused', 'failed') then coalesce(output ->> 'code', 'unforeseen') end as code,",
    caughtBy: ['test/run/server/nights.test.ts'],
  },
  'night-eight-years': {
    rule: 'a schedule of 29 February finds its night across 2100',
    file: 'src/ops/night.ts',
    find: 'const FARTHEST_DAYS = 366 * 8;',
    replace: 'const FARTHEST_DAYS = 366 * 4;',
    caughtBy: ['test/ops/night.test.ts'],
  },
  'night-jitter': {
    rule: 'the jitter of the settings is in seconds',
    file: 'src/run/worker/queue-night.ts',
    find: 'jitter_ms: settings.jitterSeconds * 1000,',
    replace: 'jitter_ms: settings.jitterSeconds,',
    caughtBy: ['test/run/worker/queue-night.test.ts'],
  },
  'night-missed': {
    rule: 'a night that was missed while the host slept is queued',
    file: 'src/run/worker/queue-night.ts',
    find: "\n  task.on('execution:missed', queue);",
    replace: '',
    caughtBy: ['test/run/worker/queue-night.test.ts'],
  },
  'night-of-database': {
    rule: "the night is that of the database's clock: a machine that is ahead waits for it",
    file: 'src/run/worker/queue-night.ts',
    find: 'await keeper.sleep(expected.due_ms - now_ms, keeper.signal);',
    replace: `return { night: expected, now_ms };
    await keeper.sleep(expected.due_ms - now_ms, keeper.signal);`,
    caughtBy: ['test/run/worker/queue-night.test.ts'],
  },
  'night-step-stopped': {
    rule: 'a step of the night that was stopped is no failure',
    file: 'src/run/worker/night-steps.ts',
    find: '      if (context.signal.aborted) return;',
    replace: '',
    caughtBy: ['test/run/worker/queue-night.test.ts'],
  },
  'night-stopped': {
    rule: 'a night is not tried again once the program is told to stop',
    file: 'src/run/worker/queue-night.ts',
    find: 'while (!signal.aborted) {',
    replace: 'for (;;) {',
    caughtBy: ['test/run/worker/queue-night.test.ts'],
  },
  'queue-account-id': {
    rule: 'each account has a job of its own (fault F-36)',
    file: 'src/ops/job-id.ts',
    find: 'return idOf(`night ${account_id} ${night}`);',
    replace: 'return idOf(`night ${night}`);',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-dead-letters': {
    rule: 'a build that failed every time is laid among the dead letters (fault F-37)',
    file: 'src/ops/queue-rules.ts',
    find: '\n  deadLetter: DEAD_QUEUE,',
    replace: '',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-derived-id': {
    rule: 'a night is queued once, by one of all workers (fault F-36)',
    file: 'src/ops/job-id.ts',
    find: "const hex = createHash('sha256').update(`crossfoot ${text}`).digest('hex');",
    replace:
      "const hex = createHash('sha256').update(`crossfoot ${text} ${performance.now()}`).digest('hex');",
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-given-back-held': {
    rule: 'only a build that is held can be given back',
    file: 'src/ops/queue-statements.ts',
    find: "    .where('name', '=', queue)\n    .where('state', '=', 'active');",
    replace: "    .where('name', '=', queue);",
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-given-back': {
    rule: 'who lost a build cannot give it back (fault F-37)',
    file: 'src/ops/queue-statements.ts',
    find: ".where('retry_count', '=', retryCount)",
    replace: ".where('retry_count', '>=', retryCount * 0)",
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-granted-first': {
    rule: 'a try for a lost worker is granted before the build is handed out',
    file: 'src/ops/queue.ts',
    find: 'if (lost.safeParse(output).success) await forgiveLoss(service, id);',
    replace: 'if (lost.safeParse(output).success) void forgiveLoss(service, id);',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-hung-build': {
    rule: 'a build that hangs is ended after four hours',
    file: 'src/ops/queue-rules.ts',
    find: 'expireInSeconds: 4 * 3600,',
    replace: 'expireInSeconds: 20 * 3600,',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-lost-claim': {
    rule: 'a build that belongs to another worker is ended (fault F-37)',
    file: 'src/ops/beat.ts',
    find: "\n        lost.abort(new Error('its job no longer belongs to this worker'));",
    replace: '',
    caughtBy: ['test/ops/worker.test.ts'],
  },
  'queue-lost-settles': {
    rule: 'who lost a build leaves it to its new holder (fault F-37)',
    file: 'src/ops/worker.ts',
    find: `if (lost.signal.aborted) {
      logger.warn('job.lost');
    } else if (signal.aborted) {`,
    replace: 'if (signal.aborted) {',
    caughtBy: ['test/ops/worker.test.ts'],
  },
  'queue-most-tries': {
    rule: 'a build that takes every worker along ends too (fault F-37)',
    file: 'src/ops/queue-rules.ts',
    find: 'export const MAX_RETRIES = 20;',
    replace: 'export const MAX_RETRIES = 200;',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-night-id': {
    rule: 'each night has a job of its own (fault F-36)',
    file: 'src/ops/job-id.ts',
    find: 'return idOf(`night ${account_id} ${night}`);',
    replace: 'return idOf(`night ${account_id} ${night.slice(0, 4)}`);',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-payload': {
    rule: 'a queued build holds the id of an account and nothing else (attack A-39)',
    file: 'src/ops/queue.ts',
    find: 'data: z.strictObject({ account_id: z.int().min(1).transform(BigInt) }),',
    replace: 'data: z.object({ account_id: z.int().min(1).transform(BigInt) }),',
    caughtBy: ['test/ops/queue.test.ts', 'test/ops/queue-refusals.test.ts'],
  },
  'queue-pending': {
    rule: 'a build that is held is pending, too',
    file: 'src/ops/queue-statements.ts',
    find: ".where('state', '<=', 'active')",
    replace: ".where('state', '<', 'active')",
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-remembered': {
    rule: 'a night that was built is remembered for 30 days',
    file: 'src/ops/queue-rules.ts',
    find: 'deleteAfterSeconds: 30 * DAY_SECONDS,',
    replace: 'deleteAfterSeconds: 1 * DAY_SECONDS,',
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-settled-by-try': {
    rule: 'who lost a build cannot settle it for its new holder (fault F-37)',
    file: 'src/ops/job-queue.ts',
    find: `function attemptOf({ id, retryCount }: Attempt): Attempt {
  return { id, retryCount };`,
    replace: `function attemptOf({ id }: Attempt): { id: string } {
  return { id };`,
    caughtBy: ['test/ops/queue.test.ts'],
  },
  'queue-words': {
    rule: 'the queue keeps our own words alone (attack A-42)',
    file: 'src/ops/worker.ts',
    find: "message: `Unexpected error (${classes}); the worker's log has the details.`,",
    replace: 'message: `Unexpected error (${String(error)})`,',
    caughtBy: ['test/ops/worker.test.ts'],
  },
  'status-cancelled': {
    rule: 'a cancelled build counts as none',
    file: 'src/ops/night-status.ts',
    find: "      and state <> 'cancelled' and jsonb_typeof(data -> 'account_id') = 'number'",
    replace: "      and jsonb_typeof(data -> 'account_id') = 'number'",
    caughtBy: ['test/ops/night-status.test.ts'],
  },
  'status-lost-rows': {
    rule: 'status tells a table that lost rows as refused, not as failed',
    file: 'src/ops/night-status.ts',
    find: "when output ->> 'code' in (${REFUSAL_CODES.map((code) => `'${code}'`).join(', ')}) then 'refused'",
    replace:
      "when output ->> 'code' in (${REFUSAL_CODES.slice(0, -1).map((code) => `'${code}'`).join(', ')}) then 'refused'",
    caughtBy: ['test/ops/night-status.test.ts'],
  },
  'status-rebuild-runs': {
    rule: 'a rebuild that runs is counted, too',
    file: 'src/ops/night-status.ts',
    find: "(select count(*)::int from ops.job where name = $2 and singleton_key is null and state <= 'active') as rebuilds,",
    replace:
      "(select count(*)::int from ops.job where name = $2 and singleton_key is null and state < 'active') as rebuilds,",
    caughtBy: ['test/ops/night-status.test.ts'],
  },
};
