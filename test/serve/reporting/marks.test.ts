import { afterAll, beforeAll, expect, it } from 'vitest';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { clockedStore, type ClockedStore } from '../../store/clocked-store.ts';
import { aBuild, ACCOUNT, DAY, HOUR, MIDNIGHT, publishNow } from '../../snapshot/builder/build-harness.ts';
import { flipStored, markTools, scrubNow } from '../../snapshot/keep/scrub-harness.ts';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';

const OLDER = '20260301T000000Z';
const NEWER = '20260302T000000Z';
const BASE = 'https://api.example.com/v1/reporting/snapshots';
const clock = { now: MIDNIGHT + DAY + HOUR };
let store: ClockedStore;

beforeAll(async () => {
  store = clockedStore(clock);
  await publishNow(store, aBuild('older', MIDNIGHT));
  await publishNow(store, aBuild('newer', MIDNIGHT + DAY));
  const tools = markTools(store, clock);
  const wanted = { account_id: ACCOUNT, by: 'test', now: clock.now };
  await pin({ ...wanted, snapshot_id: OLDER, name: 'close-2026-02', until: MIDNIGHT + 40n * DAY }, tools);
  await retract({ ...wanted, snapshot_id: OLDER, reason: 'Größer als möglich.', replaced_by: NEWER }, tools);
  await retract({ ...wanted, snapshot_id: NEWER, reason: 'A bill twice.', replaced_by: null }, tools);
  flipStored(store.objects, /20260301T.*costs\.parquet$/);
  clock.now = MIDNIGHT + 8n * DAY;
  await scrubNow(store, clock);
});
afterAll(() => store.objects.clear());

/** A request to a server that has just begun; what it answers is held to the contract. */
async function get(path: string, method = 'GET'): Promise<Response> {
  const snapshots = createReader({ store, now: () => clock.now, onFault: () => undefined });
  const init = { ...bearer(TOKENS.personal), method };
  return await fakeApp({ snapshots }).app.request(`/v1/reporting/${path}`, init);
}

const MARKS = {
  expires_at: '2026-04-10T00:00:00.000000Z', // 1 March and 40 days
  pins: [{ name: 'close-2026-02', at: '2026-03-02T01:00:00.000000Z', until: '2026-04-10T00:00:00.000000Z' }],
  retraction: { reason: 'Größer als möglich.', at: '2026-03-02T01:00:00.000000Z', replaced_by: NEWER },
  quarantine: { at: '2026-03-09T00:00:00.000000Z', files: ['costs.parquet'] },
};

it('stand in the list and in the manifest', async () => {
  expect(await (await get('snapshots')).json()).toMatchObject({
    data: [
      { snapshot_id: NEWER, pins: [], quarantine: null },
      { snapshot_id: OLDER, ...MARKS },
    ],
  });
  expect(await (await get(`snapshots/${OLDER}`)).json()).toMatchObject({ snapshot_id: OLDER, ...MARKS });
});

it('say in the headers of manifest and file that the snapshot was retracted, and what replaces it', async () => {
  for (const path of [`snapshots/${OLDER}`, `snapshots/${OLDER}/snapshot.parquet`]) {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('x-snapshot-retracted')).toBe('2026-03-02T01:00:00.000000Z');
    expect(headers.get('link')).toBe(`<${BASE}/${NEWER}>; rel="successor-version"`);
  }
  expect(await (await get(`snapshots/${OLDER}/snapshot.parquet`)).text()).toBe('snapshot of older');
});

it('let caches keep no file of a retracted snapshot without asking again', async () => {
  const files = await Promise.all(
    ['snapshot.parquet', 'SHA256SUMS', 'files/audit.json'].map((name) =>
      get(`snapshots/${OLDER}/${name}`, 'HEAD'),
    ),
  );
  for (const { status, headers } of files) {
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache, no-transform']);
  }
});

it('a retraction leaves latest where it is, shows itself, and links to no replacement if there is none', async () => {
  const latest = await get('latest');
  expect(await latest.json()).toMatchObject({ snapshot_id: NEWER, retraction: { reason: 'A bill twice.' } });
  expect(latest.headers.get('x-snapshot-retracted')).toBe('2026-03-02T01:00:00.000000Z');
  expect(latest.headers.get('link')).toBeNull();
  expect((await get('latest/costs.parquet')).status).toBe(200);
});

it('refuse a damaged file with 503, and no other', async () => {
  expect((await get(`snapshots/${OLDER}/costs.parquet`)).status).toBe(503);
  expect((await get(`snapshots/${OLDER}/snapshot.parquet`)).status).toBe(200);
});
