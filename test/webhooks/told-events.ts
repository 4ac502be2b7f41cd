/** Every event as it is told: the JSON of the message, the sentence that was written by hand, the page and the command. */
import { bodyOf, type Circumstances, type WebhookEvent } from '../../src/webhooks/event.ts';
import type { NightChanges } from '../../src/webhooks/night-changes.ts';
import { LEFT_OUT } from './webhook-harness.ts';

const AT = 1_784_080_000_000_001n; // 2026-07-15T01:46:40.000001Z
const DAY = 86_400_000_000n;
const BASE = 'https://figures.example/shop/v1';
export const snapshot = { account_id: 7n, snapshot_id: '20260715T020101Z', night: '2026-07-15' };
const night = { account_id: 7n, night: '2026-07-15' };
export const SNAPSHOT_PAGE = 'https://figures.example/shop/snapshots/20260715T020101Z';
export const NIGHT_PAGE = 'https://figures.example/shop/night';

export const written = (event: WebhookEvent, more: Partial<Circumstances> = {}): string =>
  bodyOf(event, { at: AT, since: AT, left_out: LEFT_OUT, changes: null, baseUrl: BASE, ...more });

export const damaged = (file: string): string =>
  written({ type: 'snapshot.damaged', ...snapshot, files: [file], mark: 3 });

export const PUBLISHED = written({ type: 'snapshot.published', ...snapshot });
export const REFUSED: WebhookEvent = {
  type: 'snapshot.refused',
  ...night,
  check: '42-check-amounts',
  cents_off: 123_456,
};

export const PASSED = {
  initiative_id: 103,
  part: null,
  currency: null,
  budget_cents: null,
  actual_cents: null,
};

export const CHANGES: NightChanges = {
  compared_with: '20260714T020101Z',
  totals: [
    { figure: 'cash_value_cents', before_cents: 100_000, after_cents: 110_050 },
    { figure: 'freed_capacity_cents', before_cents: 0, after_cents: -500 },
  ],
  budgets: [
    { initiative_id: 101, part: 'CapEx', currency: 'EUR', budget_cents: 100_000, actual_cents: 120_000 },
    PASSED,
  ],
};

export const SENTENCES: readonly (readonly [
  title: string,
  body: string,
  sentence: string,
  link: string,
  next: string,
])[] = [
  [
    'a published snapshot, with what no total has',
    PUBLISHED,
    'Snapshot 20260715T020101Z of account 7 passed its audit and can be read. 1 cost in EUR (EUR 600.00) has no dollar figure and is in no total.',
    SNAPSHOT_PAGE,
    'rates import https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
  ],
  [
    'a published snapshot whose totals have all',
    written({ type: 'snapshot.published', ...snapshot }, { left_out: null }),
    'Snapshot 20260715T020101Z of account 7 passed its audit and can be read.',
    SNAPSHOT_PAGE,
    'snapshots --account 7',
  ],
  [
    'a first refusal',
    written(REFUSED),
    'The audit refused the snapshot of account 7 for the night of 2026-07-15 by 42-check-amounts, off by USD 1,234.56; the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a refusal that is not about an amount, of a check that refuses since the day before',
    written({ ...REFUSED, cents_off: null }, { since: AT - DAY }),
    'The audit refused the snapshot of account 7 for the night of 2026-07-15 by 42-check-amounts since 2026-07-14 01:46 UTC; the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a refusal about an amount, of a check that refuses since the day before',
    written(REFUSED, { since: AT - DAY }),
    'The audit refused the snapshot of account 7 for the night of 2026-07-15 by 42-check-amounts, off by USD 1,234.56 since 2026-07-14 01:46 UTC; the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a failed build of a night',
    written({ type: 'snapshot.failed', ...night, job_id: 'a job', code: 'ledger_locked' }),
    'The build of account 7 for the night of 2026-07-15 failed at its last try as of 2026-07-15 01:46 UTC (ledger_locked); the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a failed rebuild, which is of no night',
    written({ type: 'snapshot.failed', account_id: 7n, night: null, job_id: 'a job', code: 'ledger_locked' }),
    'The build of account 7 failed at its last try as of 2026-07-15 01:46 UTC (ledger_locked); the snapshot before stays served.',
    NIGHT_PAGE,
    'why --account 7',
  ],
  [
    'a late night',
    written({ type: 'snapshot.late', ...snapshot }),
    'The newest snapshot of account 7 is more than 26 hours old: 20260715T020101Z, made 2026-07-15 02:01 UTC.',
    SNAPSHOT_PAGE,
    'why --account 7',
  ],
  [
    'a stale snapshot',
    written({ type: 'snapshot.stale', ...snapshot }),
    'The newest snapshot of account 7 is more than 36 hours old: 20260715T020101Z, made 2026-07-15 02:01 UTC.',
    SNAPSHOT_PAGE,
    'why --account 7',
  ],
  [
    'a retracted snapshot with a replacement',
    written({ type: 'snapshot.retracted', ...snapshot, replaced_by: '20260716T020101Z' }),
    'Snapshot 20260715T020101Z of account 7 was retracted as of 2026-07-15 01:46 UTC and must no longer be used; use 20260716T020101Z instead.',
    SNAPSHOT_PAGE,
    'snapshots --account 7',
  ],
  [
    'a retracted snapshot without a replacement',
    written({ type: 'snapshot.retracted', ...snapshot, replaced_by: null }),
    'Snapshot 20260715T020101Z of account 7 was retracted as of 2026-07-15 01:46 UTC and must no longer be used; nothing replaces it yet.',
    SNAPSHOT_PAGE,
    'snapshots --account 7',
  ],
  [
    'one damaged file',
    written({ type: 'snapshot.damaged', ...snapshot, files: ['costs.parquet'], mark: 3 }),
    'Snapshot 20260715T020101Z of account 7 was found damaged at 2026-07-15 01:46 UTC: costs.parquet does not hold what was audited, and is refused until it is restored.',
    SNAPSHOT_PAGE,
    'enqueue --account 7',
  ],
  [
    'three damaged files',
    written({ type: 'snapshot.damaged', ...snapshot, files: ['costs.parquet', 'a', 'b'], mark: 3 }),
    'Snapshot 20260715T020101Z of account 7 was found damaged at 2026-07-15 01:46 UTC: costs.parquet and 2 more do not hold what was audited, and are refused until they are restored.',
    SNAPSHOT_PAGE,
    'enqueue --account 7',
  ],
  [
    'totals that moved',
    written({ type: 'totals.moved', ...snapshot }, { changes: CHANGES }),
    'Totals of account 7 moved since 2026-07-14 02:01 UTC, in snapshot 20260715T020101Z: cash value from USD 1,000.00 to USD 1,100.50, freed capacity from USD 0.00 to USD −5.00.',
    `${SNAPSHOT_PAGE}/changes?from=20260714T020101Z`,
    'diff 20260714T020101Z 20260715T020101Z --account 7',
  ],
  [
    'budgets that were passed',
    written({ type: 'budget.passed', ...snapshot }, { changes: CHANGES }),
    'Initiative 101 of account 7 passed its CapEx budget since 2026-07-14 02:01 UTC: EUR 1,200.00 spent of EUR 1,000.00. Initiative 103 of account 7 passed its budget since 2026-07-14 02:01 UTC.',
    `${SNAPSHOT_PAGE}/changes?from=20260714T020101Z`,
    'diff 20260714T020101Z 20260715T020101Z --table budget_vs_actual --account 7',
  ],
  [
    'a delivered snapshot',
    written({ type: 'snapshot.delivered', ...snapshot, target_id: 3n, reason: null }),
    'Snapshot 20260715T020101Z of account 7 was delivered whole to target 3.',
    SNAPSHOT_PAGE,
    'deliver list --account 7',
  ],
  [
    'a snapshot that could not be delivered',
    written({ type: 'snapshot.undelivered', ...snapshot, target_id: 3n, reason: 'target: refused (403).' }),
    'Snapshot 20260715T020101Z of account 7 could not be delivered to target 3 until 2026-07-15 01:46 UTC: target: refused (403).',
    SNAPSHOT_PAGE,
    'deliver test 3 --account 7',
  ],
];
