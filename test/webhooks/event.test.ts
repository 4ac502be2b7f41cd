import { describe, expect, it } from 'vitest';
import { LEFT_OUT } from './webhook-harness.ts';
import { bodyOf, messageIdOf, type WebhookEvent } from '../../src/webhooks/event.ts';

const AT = 1_784_080_000_000_001n; // 2026-07-15T01:46:40.000001Z
const SINCE = AT - 86_400_000_000n;
const BASE = 'https://figures.example/v1';
const snapshot = { account_id: 7n, snapshot_id: '20260715T020101Z', night: '2026-07-15' };
const night = { account_id: 7n, night: '2026-07-15' };

const EVENTS: readonly (readonly [event: WebhookEvent, data: unknown])[] = [
  [
    { type: 'snapshot.published', ...snapshot },
    { ...snapshot, account_id: 7, left_out: LEFT_OUT, url: `${BASE}/reporting/snapshots/20260715T020101Z` },
  ],
  [
    { type: 'snapshot.stale', ...snapshot },
    { ...snapshot, account_id: 7, url: `${BASE}/reporting/snapshots/20260715T020101Z` },
  ],
  [
    { type: 'snapshot.late', ...snapshot },
    { ...snapshot, account_id: 7, url: `${BASE}/reporting/snapshots/20260715T020101Z` },
  ],
  [
    { type: 'snapshot.retracted', ...snapshot, replaced_by: '20260716T020101Z' },
    {
      ...snapshot,
      account_id: 7,
      replaced_by: '20260716T020101Z',
      url: `${BASE}/reporting/snapshots/20260715T020101Z`,
    },
  ],
  [
    { type: 'snapshot.damaged', ...snapshot, files: ['costs.parquet'], mark: 3 },
    {
      ...snapshot,
      account_id: 7,
      files: ['costs.parquet'],
      url: `${BASE}/reporting/snapshots/20260715T020101Z`,
    },
  ],
  [
    { type: 'snapshot.refused', ...night, check: '42-check-amounts', cents_off: 100 },
    {
      ...night,
      account_id: 7,
      check: '42-check-amounts',
      cents_off: 100,
      since: '2026-07-14T01:46:40.000001Z',
      url: `${BASE}/reporting/latest`,
    },
  ],
  [
    { type: 'snapshot.failed', ...night, job_id: 'a job', code: 'ledger_locked' },
    { ...night, account_id: 7, code: 'ledger_locked', url: `${BASE}/reporting/latest` },
  ],
];

describe('a body', () => {
  it.each(EVENTS)('says what happened, to what, and where to look: $0.type', (event, data) => {
    expect(
      JSON.parse(bodyOf(event, { at: AT, since: SINCE, left_out: LEFT_OUT, changes: null, baseUrl: BASE })),
    ).toEqual({
      type: event.type,
      timestamp: '2026-07-15T01:46:40.000001Z',
      data,
    });
  });
});

describe('an id', () => {
  it('is equal for equal events, and different for different events', () => {
    const ids = EVENTS.map(([event]) => messageIdOf(event));
    expect(ids).toEqual(EVENTS.map(([event]) => messageIdOf({ ...event })));
    const others: readonly WebhookEvent[] = [
      { type: 'snapshot.published', ...snapshot, account_id: 8n },
      { type: 'snapshot.published', ...snapshot, snapshot_id: '20260715T020102Z' },
      // Damage after a restoration is new damage.
      { type: 'snapshot.damaged', ...snapshot, files: ['costs.parquet'], mark: 5 },
      { type: 'snapshot.refused', ...night, check: '12-check-keys', cents_off: null },
      { type: 'snapshot.refused', ...night, night: '2026-07-16', check: '42-check-amounts', cents_off: 1 },
      { type: 'snapshot.failed', ...night, job_id: 'another job', code: 'ledger_locked' },
    ];
    const all = [...ids, ...others.map(messageIdOf)];
    expect(new Set(all).size).toBe(all.length);
    // Of such characters and of such a length that it fits into any header and any key.
    for (const id of all) expect(id).toMatch(/^msg_[\w-]{43}$/);
  });

  it('does not depend on which night a snapshot is said to be of, nor by how much a check is off', () => {
    const [published, refused] = [EVENTS[0]?.[0], EVENTS[5]?.[0]];
    expect(published?.type === 'snapshot.published' && messageIdOf({ ...published, night: null })).toBe(
      published && messageIdOf(published),
    );
    expect(refused?.type === 'snapshot.refused' && messageIdOf({ ...refused, cents_off: 5 })).toBe(
      refused && messageIdOf(refused),
    );
  });
});
