import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { listenForMetrics } from '../../../src/serve/metrics/metrics-listener.ts';
import { createMetrics } from '../../../src/serve/metrics/metrics.ts';
import type { StateAges } from '../../../src/serve/metrics/snapshot-ages.ts';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';

const NO_ACCOUNT: StateAges = { accounts: 0, seconds: 0, retracted: 0 };
let ages: () => Promise<Record<'broken' | 'fresh' | 'late' | 'missing', StateAges>>;
const lines: string[] = [];
const metrics = createMetrics({
  pools: { reader: { totalCount: 7, idleCount: 2, waitingCount: 3 } },
  transfers: () => 4,
  damagedFiles: () => 2,
  parts: ['database', 'store'],
  readiness: async () => ['store'],
  others: [],
  snapshotAges: () => ages(),
  quarantined: async () => 2,
});
let listener: Awaited<ReturnType<typeof listenForMetrics>>;
const scrape = async (path = '/metrics') => {
  const response = await fetch(`http://127.0.0.1:${listener.port}${path}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

beforeAll(async () => {
  ages = async () => ({
    fresh: { accounts: 12, seconds: 3_600, retracted: 2 },
    late: { accounts: 1, seconds: 200_000, retracted: 1 },
    missing: NO_ACCOUNT,
    broken: NO_ACCOUNT,
  });
  const logger = createLogger('error', { write: (line) => lines.push(line) });
  listener = await listenForMetrics(metrics, { host: '127.0.0.1', port: 0, logger });
  const { app } = fakeApp({ onAnswer: metrics.observe });
  for (const path of ['/v1/initiatives/1', '/v1/initiatives/2', '/nothing/1', '/nothing/2', '/healthz']) {
    await app.request(path, bearer(TOKENS.unknown));
  }
});
afterAll(() => listener.close());

describe('metrics', () => {
  it('count requests by route and status, and say how long each took', async () => {
    const { status, type, text } = await scrape();
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const told = text.split('\n').filter((line) => line.startsWith('crossfoot_requests_total{'));
    expect(told.toSorted()).toEqual([
      'crossfoot_requests_total{route="/*",status="404"} 2',
      'crossfoot_requests_total{route="/healthz",status="200"} 1',
      'crossfoot_requests_total{route="/v1/initiatives/:id",status="401"} 2',
    ]);
    // The clock of the application moves by five milliseconds a reading.
    expect(text).toContain('crossfoot_request_seconds_bucket{le="0.005",route="/healthz"} 1');
    expect(text).toContain('crossfoot_request_seconds_sum{route="/healthz"} 0.005');
  });

  it('say how full the process is: downloads, database sessions, event loop', async () => {
    const { text } = await scrape();
    expect(text).toContain('crossfoot_open_downloads 4\n');
    expect(text).toContain('crossfoot_database_sessions{role="reader",state="open"} 7\n');
    expect(text).toContain('crossfoot_database_sessions{role="reader",state="idle"} 2\n');
    expect(text).toContain('crossfoot_database_sessions{role="reader",state="waiting"} 3\n');
    expect(text).toContain('crossfoot_damaged_files 2\n');
    expect(text).toContain('crossfoot_part_ready{part="database"} 1\n');
    expect(text).toContain('crossfoot_part_ready{part="store"} 0\n');
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
  });

  it('say how old the newest snapshots are, by state and not by account', async () => {
    const { text } = await scrape();
    expect(text).toContain('crossfoot_accounts{state="fresh"} 12\n');
    expect(text).toContain('crossfoot_accounts{state="broken"} 0\n');
    expect(text).toContain('crossfoot_quarantined_snapshots 2\n');
    expect(text).toContain('crossfoot_retracted_snapshots 3\n');
    expect(text).toContain('crossfoot_snapshot_age_seconds{state="fresh"} 3600\n');
    expect(text).toContain('crossfoot_snapshot_age_seconds{state="late"} 200000\n');
  });

  it('A-41: stand behind one address alone', async () => {
    for (const path of ['/', '/metrics/', '/v1/reporting/latest', '/healthz']) {
      expect((await scrape(path)).status).toBe(404);
    }
  });

  it('are 503 without a word of the inside when something cannot be found out', async () => {
    const before = ages;
    ages = async () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5'));
    const { status, text } = await scrape();
    ages = before;
    expect({ status, text }).toEqual({ status: 503, text: '' });
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['metrics.failed']);
  });
});
