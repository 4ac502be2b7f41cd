/** What operators hear: metrics of rebuilds and of `start`, retracted snapshots, and full disks. */
import type { Mutants } from './mutant.ts';

const STATUS = 'src/ops/night-status.ts';
const NIGHT_PAGE = 'src/serve/pages/night-page.ts';
const ALERTS = ['test/deploy/alerts.test.ts'];
const METRICS = ['test/ops/queue-metrics.test.ts'];
const FINDINGS = ['test/commands/doctor/findings.test.ts'];
const NIGHT_TEST = ['test/serve/pages/night-pending.test.ts'];
const NEXT = ['test/run/builders/next-command.test.ts'];
const BUILDS = ['test/commands/doctor/account-builds.test.ts'];
const PRUNE = ['test/commands/prune.test.ts'];
const RETRACTED = ['test/run/retraction-told.test.ts'];
const RETRACTED_PAGE = ['test/serve/pages/night-retracted.test.ts'];

export const OPERATIONS: Mutants = {
  'operator-doctor-retracted': {
    rule: 'doctor warns of a retracted newest snapshot (issue 53)',
    file: 'src/commands/doctor/findings.ts',
    find: "if (retracted.length === 0) return fine('no newest snapshot is retracted');",
    replace: "if (retracted.length >= 0) return fine('no newest snapshot is retracted');",
    caughtBy: FINDINGS,
  },
  'operator-doctor-builds': {
    rule: 'doctor fails over a last build that the store refused (issue 53)',
    file: 'src/commands/doctor/account-builds.ts',
    find: "outcome: isRefused ? 'failed' : 'warning',",
    replace: "outcome: 'warning',",
    caughtBy: BUILDS,
  },
  'operator-doctor-builds-newer': {
    rule: 'doctor tells no failed build whose account has a newer snapshot (issue 53)',
    file: 'src/commands/doctor/account-builds.ts',
    find: 'if (head !== null && secondOfSnapshotId(head) > last.began_at) continue;',
    replace: '',
    caughtBy: BUILDS,
  },
  'operator-doctor-folders': {
    rule: 'doctor finds a folder of an account that refuses writes (issue 53)',
    file: 'src/commands/doctor/account-builds.ts',
    find: 'await access(path, constants.W_OK | constants.X_OK);',
    replace: 'await access(path, constants.X_OK);',
    caughtBy: BUILDS,
  },
  'operator-folder-rights': {
    rule: 'the next command after a refused write names the owner and rights of the folder (issue 53)',
    file: 'src/run/builders/next-command.ts',
    find: 'if (folder !== null) return folder;',
    replace: '',
    caughtBy: NEXT,
  },
  'operator-full-disk-code': {
    rule: 'a self-test that had no space states the code of the full disk (issue 53)',
    file: 'src/store/self-test.ts',
    find: "...(ours && 'code' in cause.data ? { code: cause.data['code'] } : {})",
    replace: '',
    caughtBy: ['test/store/self-test.test.ts'],
  },
  'operator-full-disk-next': {
    rule: 'the next command after a full disk frees space (issue 53)',
    file: 'src/run/builders/next-command.ts',
    find: "if (FULL_DISK_CODES.has(String(failure?.data?.['code']))) return FULL_DISK;",
    replace: '',
    caughtBy: NEXT,
  },
  'operator-full-disk-spool': {
    rule: 'doctor fails on a full disk also where no account has a snapshot (issue 53)',
    file: 'src/commands/doctor/findings.ts',
    find: "outcome: free_bytes < Math.max(largest_bytes, FULL_SPOOL_BYTES) ? 'failed' : 'warning',",
    replace: "outcome: free_bytes < largest_bytes ? 'failed' : 'warning',",
    caughtBy: FINDINGS,
  },
  'operator-night-full-disk': {
    rule: 'the page of the night leads to prune where a disk was full (issue 53)',
    file: 'src/run/server/nights.ts',
    find: 'data: os_code === null ? undefined : { code: os_code, step }',
    replace: 'data: undefined',
    caughtBy: ['test/run/server/nights.test.ts'],
  },
  'operator-pending-damaged': {
    rule: 'the page of nights does not call a night good whose snapshot is damaged (issue 53)',
    file: NIGHT_PAGE,
    find: "if (fault === 'damaged') return 'The newest snapshot is damaged';",
    replace: '',
    caughtBy: NIGHT_TEST,
  },
  'operator-pending-heading': {
    rule: 'the page of nights says that a build is running (issue 53)',
    file: NIGHT_PAGE,
    find: "return pending?.state === 'building' ? 'A build is running' : 'The last build failed';",
    replace: "return 'The last build failed';",
    caughtBy: NIGHT_TEST,
  },
  'operator-pending-next': {
    rule: 'no build is advised beside a build that waits or runs (issue 53)',
    file: 'src/run/builders/next-command.ts',
    find: '  if (pending !== null) {',
    replace: '  if (pending !== null && pending.tries < 0) {',
    caughtBy: NEXT,
  },
  'operator-pending-mended': {
    rule: 'no build is advised to mend a snapshot while one waits or runs (issue 53)',
    file: 'src/next-step.ts',
    find: '  if (pending !== null) return nextLook(pending);',
    replace: '',
    caughtBy: FINDINGS,
  },
  'operator-pending-try': {
    rule: 'a retry that waits has the number of the next attempt (issue 53)',
    file: 'src/ops/pending-builds.ts',
    find: "retry_count + case when state = 'retry' then 2 else 1 end as tries",
    replace: 'retry_count + 1 as tries',
    caughtBy: ['test/ops/pending-builds.test.ts'],
  },
  'operator-pending-running': {
    rule: 'a running build comes before a waiting build (issue 53)',
    file: 'src/ops/pending-builds.ts',
    find: "order by account_id, state = 'active' desc, start_after",
    replace: 'order by account_id, tries desc, start_after',
    caughtBy: ['test/ops/pending-builds.test.ts'],
  },
  'operator-prune-kept': {
    rule: 'prune says what stays, so that a person knows what else can go (issue 53)',
    file: 'src/commands/actions/prune.ts',
    find: '\n  for (const line of keptLines(kept)) context.say(line);',
    replace: '',
    caughtBy: PRUNE,
  },
  'operator-prune-next': {
    rule: 'the next time at which a snapshot may go is in the future (issue 53)',
    file: 'src/snapshot/keep/removals.ts',
    find: 'next_at: earliest(times.filter((time) => time > now)),',
    replace: 'next_at: earliest(times),',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'operator-prune-unpublished': {
    rule: 'prune names the folder of a build that was stopped (issue 53)',
    file: 'src/commands/actions/prune.ts',
    find: '      .slice(0, MAX_UNPUBLISHED)',
    replace: '      .slice(MAX_UNPUBLISHED)',
    caughtBy: PRUNE,
  },
  'operator-verify-retracted': {
    rule: 'verify says that a snapshot is retracted (issue 53)',
    file: 'src/commands/actions/verify.ts',
    find: '  if (retraction !== null) context.say(retractedLine(report, retraction));',
    replace: '',
    caughtBy: ['test/commands/terminal/verify-by-pin.test.ts'],
  },
  'operator-rebuild-dead-day': {
    rule: 'a rebuild without a retry is counted for a day (issue 53)',
    file: STATUS,
    find: "(state <> 'dead' or completed_on > statement_timestamp() - interval '1 day')",
    replace: "(state <> 'dead' or completed_on > statement_timestamp() - interval '30 days')",
    caughtBy: METRICS,
  },
  'operator-rebuild-refused': {
    rule: 'a refused rebuild raises a metric (issue 53)',
    file: STATUS,
    find: "unnest(array['queued', 'building', 'refused', 'failed', 'dead'])",
    replace: "unnest(array['queued', 'building', 'failed', 'dead'])",
    caughtBy: METRICS,
  },
  'operator-retracted-heading': {
    rule: 'the page of nights does not call a night good whose snapshot was retracted (issue 53)',
    file: NIGHT_PAGE,
    find: "return fault === 'retracted' ? 'The newest snapshot is retracted' : HEADINGS[state];",
    replace: 'return HEADINGS[state];',
    caughtBy: RETRACTED_PAGE,
  },
  'operator-retracted-page': {
    rule: 'the page of nights says that the newest snapshot is retracted (issue 53)',
    file: 'src/serve/pages/night-newest.ts',
    find: "if (latest === null || latest.retraction === null) return '';",
    replace: "if (latest === null || latest.retraction !== undefined) return '';",
    caughtBy: RETRACTED_PAGE,
  },
  'operator-retracted-told': {
    rule: 'status and why say that the newest snapshot is retracted (issue 53)',
    file: 'src/commands/terminal/newest-snapshots.ts',
    find: 'retracted_newest: retraction && { snapshot_id, ...retraction },',
    replace: 'retracted_newest: null,',
    caughtBy: RETRACTED,
  },
  'operator-start-clock': {
    rule: 'a process that serves and builds tells the clock of the store (issue 53)',
    file: 'src/run/server/metrics.ts',
    find: 'worker === null\n',
    replace: 'worker !== undefined\n',
    caughtBy: ALERTS,
  },
  'operator-start-metrics': {
    rule: 'a process that serves and builds has the metrics of its worker (issue 53)',
    file: 'src/run/server/metrics.ts',
    find: '\n      ...(worker ?? []),',
    replace: '',
    caughtBy: ALERTS,
  },
  'operator-doctor-builds-several': {
    rule: 'doctor fails over a build that the store refused, also beside a build that failed over something else',
    file: 'src/commands/doctor/account-builds.ts',
    find: "failed.some(({ failure: { code } }) => code.startsWith('store_'))",
    replace: "failed.every(({ failure: { code } }) => code.startsWith('store_'))",
    caughtBy: BUILDS,
  },
  'operator-prune-several': {
    rule: 'prune fails if one of several accounts was not pruned to its end',
    file: 'src/commands/actions/prune.ts',
    find: 'if (faults === 0) return;',
    replace: 'if (faults < accounts) return;',
    caughtBy: PRUNE,
  },
  'operator-why-older': {
    rule: 'why advises for an older build what its own end says, not what the queue says of the last build',
    file: 'src/commands/actions/why.ts',
    find: "fates[index] ?? 'died', index === 0 ? beside : {});",
    replace: "fates[index] ?? 'died', beside);",
    caughtBy: ['test/run/pending-told.test.ts'],
  },
  'operator-build-worst': {
    rule: 'the exit code of a build of all accounts tells an audit refusal before other failures',
    file: 'src/commands/actions/build.ts',
    find: 'b.exitCode - a.exitCode',
    replace: 'a.exitCode - b.exitCode',
    caughtBy: ['test/commands/external.sweep.test.ts'],
  },
  'operator-status-rebuild': {
    rule: 'status tells the retry of a rebuild that failed, also where the newest snapshot is sound',
    file: 'src/commands/actions/status.ts',
    find: '...[...status.troubles, ...status.rebuild_troubles].map(',
    replace: '...status.troubles.map(',
    caughtBy: ['test/run/pending-told.test.ts'],
  },
  'build-most-serious': {
    rule: 'build of several accounts ends as its most serious failure does: a refusal of the audit before any other',
    file: 'src/commands/actions/build.ts',
    find: 'toSorted((a, b) => b.exitCode - a.exitCode)',
    replace: 'toSorted((a, b) => a.exitCode - b.exitCode)',
    caughtBy: ['test/run/builders/most-serious.sweep.test.ts'],
  },
};
