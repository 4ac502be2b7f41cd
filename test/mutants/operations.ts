/** What operators hear: metrics of rebuilds and of `start`, retracted snapshots, full disks, and restored ledgers. */
import type { Mutants } from './mutant.ts';

const STATUS = 'src/ops/night-status.ts';
const NIGHT_PAGE = 'src/serve/pages/night-page.ts';
const LEDGER = 'src/snapshot/builder/same-ledger.ts';
const ALERTS = ['test/deploy/alerts.test.ts'];
const METRICS = ['test/ops/queue-metrics.test.ts'];
const FINDINGS = ['test/commands/doctor/findings.test.ts'];
const NEXT = ['test/run/builders/next-command.test.ts'];
const PRUNE = ['test/commands/prune.test.ts'];
const RESTORED = ['test/run/builders/restored-ledger.test.ts'];
const RETRACTED = ['test/run/retraction-told.test.ts'];
const RETRACTED_PAGE = ['test/serve/pages/night-retracted.test.ts'];

export const OPERATIONS: Mutants = {
  'operator-doctor-retracted': {
    rule: 'doctor warns of a retracted newest snapshot (issue 53)',
    file: 'src/commands/doctor/findings.ts',
    find: "if (first === undefined) return fine('no newest snapshot is retracted');",
    replace: "if (first !== null) return fine('no newest snapshot is retracted');",
    caughtBy: FINDINGS,
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
  'operator-ledger-accepted': {
    rule: 'a person can accept a restored ledger (issue 53)',
    file: LEDGER,
    find: 'if (newest === null || accept_ledger) return;',
    replace: 'if (newest === null) return;',
    caughtBy: RESTORED,
  },
  'operator-ledger-crash': {
    rule: 'the transactions that a crash may lose refuse no build (issue 53)',
    file: LEDGER,
    find: 'if (expected - found <= MAX_REUSED_TRANSACTIONS) return;',
    replace: 'if (expected - found < MAX_REUSED_TRANSACTIONS) return;',
    caughtBy: RESTORED,
  },
  'operator-ledger-older': {
    rule: 'a restored ledger publishes nothing before a person accepts it (issue 53)',
    file: 'src/snapshot/builder/read-ledger.ts',
    find: '\n    requireSameLedger(job, newest, moment);',
    replace: '',
    caughtBy: RESTORED,
  },
  'operator-ledger-at-once': {
    rule: 'a restored ledger is refused before its rows are read (issue 53)',
    edits: [
      {
        file: 'src/snapshot/builder/read-ledger.ts',
        find: '\n    requireSameLedger(job, newest, moment);',
        replace: '',
      },
      {
        file: 'src/snapshot/builder/read-ledger.ts',
        find: '    const left_out = await readLeftOut(client, account_id);',
        replace:
          '    const left_out = await readLeftOut(client, account_id);\n    requireSameLedger(job, newest, moment);',
      },
    ],
    caughtBy: RESTORED,
  },
  'operator-night-full-disk': {
    rule: 'the page of the night leads to prune where a disk was full (issue 53)',
    file: 'src/run/server/nights.ts',
    find: 'data: os_code === null ? undefined : { code: os_code }',
    replace: 'data: undefined',
    caughtBy: ['test/run/server/nights.test.ts'],
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
    caughtBy: PRUNE,
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
    find: "return retracted ? 'The newest snapshot is retracted' : HEADINGS[state];",
    replace: 'return HEADINGS[state];',
    caughtBy: RETRACTED_PAGE,
  },
  'operator-retracted-page': {
    rule: 'the page of nights says that the newest snapshot is retracted (issue 53)',
    file: NIGHT_PAGE,
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
};
