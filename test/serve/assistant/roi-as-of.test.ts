/** `get_roi_summary` as of a snapshot: the figures of the API as of it, without the ledger. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { retract } from '../../../src/snapshot/keep/retract.ts';
import { DAY, clockAt, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { noLedger } from '../fake-ledger.ts';
import { bearer, fakeApp } from '../fake-parts.ts';
import { tokenOf } from '../live/live-company.ts';
import { type Asking, askingOf } from './questions.ts';

const ID = '20260715T020000Z';

const unused = () => Promise.reject(new Error('unused'));

let harness: BuildHarness;
let asking: Asking;
/** The same of a server that answers from snapshots. */
let unnamed: Asking;
beforeAll(async () => {
  harness = await openBuildHarness();
  const store = memoryStore(new Map());
  await harness.build({ store });
  const wanted = { account_id: 1n, snapshot_id: ID, by: 'test', now: AT };
  const tools = { store, clock: clockAt(AT), newNonce: () => 'a'.repeat(32) };
  await pin({ ...wanted, name: 'september-close', until: AT + 100n * DAY }, tools);
  await retract(
    { ...wanted, reason: 'a wrong rate', replaced_by: null },
    { ...tools, newNonce: () => 'b'.repeat(32) },
  );
  const over = (readApi: 'live' | 'snapshots'): Asking => {
    const { app } = fakeApp({
      readApi,
      snapshots: readerAt(store, () => AT),
      inAccount: noLedger,
      authenticate: async (token) => ({
        token_id: 1n,
        account_id: token === tokenOf(1) ? 1n : 2n,
        user_id: 1n,
        kind: 'personal',
        api_access: true,
        reporting_enabled: true,
      }),
    });
    return askingOf({ database: harness.database, app, ask: unused, close: async () => {} });
  };
  [asking, unnamed] = [over('live'), over('snapshots')];
});
afterAll(() => harness.close());

it('the summary states the figures of /roi as of the snapshot, its moment, its pages and its retraction', async () => {
  for (const query of [
    '',
    'window=fy2026-q1',
    'window=1yr&initiative_id=101',
    'from=2025-02&through=2026-01',
  ]) {
    const asked = Object.fromEntries(new URLSearchParams(query));
    const input = { ...asked, ...('initiative_id' in asked && { initiative_id: 101 }) };
    const path = `/v1/roi?${query}&snapshot_id=${ID}`;
    const api = (await (await asking.company.app.request(path, bearer(tokenOf(1)))).json()) as object;
    for (const snapshot of [ID, 'latest', 'september-close']) {
      const { structured, text } = await asking.call('get_roi_summary', { ...input, snapshot });
      expect(structured).toMatchObject(api);
      expect(structured).toMatchObject({ as_of: '2026-07-15', retracted_at: '2026-07-15T02:00:00.123456Z' });
      expect(text).toContain(`From the snapshot ${ID} of 2026-07-15T02:00:00.123456Z`);
      expect(text).toContain('RETRACTED');
      expect(String(structured?.['app_url'])).toMatch(
        'initiative_id' in asked ? /^https?:\/\/[^/]+.*\/initiatives\/101$/ : /^https?:\/\/[^/]+.*\/roi$/,
      );
    }
    expect((await unnamed.call('get_roi_summary', input)).structured).toMatchObject(api);
  }
});

async function refused(input: Record<string, unknown>, account_id = 1) {
  return await asking.call('get_roi_summary', { snapshot: ID, ...input }, account_id);
}

it('the summary refuses an unknown snapshot, an initiative and an account without snapshots, and names the next step', async () => {
  expect(await refused({ snapshot: '20200101T000000Z' })).toMatchObject({
    isError: true,
    text: 'No readable snapshot has that id or pin name; list_snapshots shows which can be named.',
  });
  expect(await refused({ initiative_id: 999_999 })).toMatchObject({ isError: true });
  expect(await refused({}, 2)).toMatchObject({ isError: true });
  expect((await refused({ window: 'q3' })).text).toContain('On 2026-07-15');
});
