/** The page of nights while a build waits or runs, and while a file of the newest snapshot is damaged. */
import { expect, it } from 'vitest';
import type { NightContext, OwnBuild, OwnNight } from '../../../src/serve/pages/own-nights.ts';
import { instantOf } from '../../support/instant-of.ts';
import { EARLIER, fakeApp, FakeSnapshots, TOKENS } from '../fake-parts.ts';
import { openBrowser } from './browser.ts';

const PUBLISHED: OwnNight = { night: '2026-11-17', state: 'published', tries: 1, trouble: null };
const next = { command: 'npx --no crossfoot why --account 7', why: 'once the rows are right' };
const FAILED: OwnBuild = {
  began_at: instantOf('2026-11-20T15:33:00.000000Z'),
  ended_at: instantOf('2026-11-20T15:34:00.000000Z'),
  started_by: 'queue',
  outcome: 'failed',
  snapshot_id: null,
  code: 'audit_refused',
  trouble: { code: 'audit_refused', explanation: 'costs: one cent is missing', next },
  tables_at: null,
  audited_at: null,
  tables: [],
};

/** The page of nights after a good night. */
const pageOfContext = async (context: NightContext): Promise<string> => {
  const browser = openBrowser(
    fakeApp({ ownNights: async () => [PUBLISHED], nightContext: async () => context }).app,
  );
  await browser.signIn(TOKENS.personal);
  return (await browser.page('/night')).replaceAll(/\s+/g, ' ');
};

it('the page says that a build runs or follows, and does not call the last failure the newest state', async () => {
  const around = { builds: [FAILED], next_at: null, deliveries: [] };
  const at = instantOf('2026-11-20T15:35:10.000000Z');
  const pending = { account_id: 7n, state: 'building', at, tries: 2, max_tries: 6, untaken: false } as const;
  const running = await pageOfContext({ ...around, pending });
  expect(running).toContain('<h1>A build is running</h1>');
  expect(running).toContain('A build is running since 2026-11-20 15:35 UTC, try 2 of 6.');
  const waits = { ...pending, state: 'retry' } as const;
  const waiting = await pageOfContext({ ...around, pending: waits });
  expect(waiting).toContain('<h1>The last build failed</h1>');
  expect(waiting).toContain('A retry follows at about 2026-11-20 15:35 UTC, try 2 of 6.');
  const overdue = await pageOfContext({ ...around, pending: { ...waits, untaken: true } });
  expect(overdue).toContain(
    'A retry was due at about 2026-11-20 15:35 UTC, try 2 of 6; no worker takes it: start a worker, or read the log of the running one: npx --no crossfoot work.',
  );
});

it('the page calls no night good while a file of the newest snapshot is damaged, and offers the rebuild first', async () => {
  const snapshots = new FakeSnapshots();
  const [newest, ...others] = await snapshots.list(7n);
  if (newest === undefined) throw new Error('the account has no snapshot');
  const quarantine = { at: instantOf('2026-11-20T09:15:00.000000Z'), files: ['costs.parquet'] };
  const pageOf = async (...listed: readonly (typeof newest)[]): Promise<string> => {
    Object.assign(snapshots, { list: async () => listed });
    const browser = openBrowser(fakeApp({ ownNights: async () => [PUBLISHED], snapshots }).app);
    await browser.signIn(TOKENS.personal);
    return (await browser.page('/night')).replaceAll(/\s+/g, ' ');
  };
  const page = await pageOf({ ...newest, quarantine }, ...others);
  expect(page).toContain('<h1>The newest snapshot is damaged</h1>');
  expect(page).toContain('Left to do: <a href="#damaged">build a new snapshot</a>.');
  expect(page).toMatch(/<textarea[^>]*readonly[^>]*>\s*npx --no crossfoot enqueue --account 7</);
  expect(page).toContain('costs.parquet');
  // An older snapshot is restored: a new snapshot does not mend it.
  const older = await pageOf(newest, { ...newest, snapshot_id: EARLIER, quarantine });
  expect(older).toContain('<h1>Last night went well</h1>');
  expect(older).toContain('Left to do: <a href="#damaged">restore the damaged files</a>.');
  expect(older).not.toContain('crossfoot enqueue');
});
