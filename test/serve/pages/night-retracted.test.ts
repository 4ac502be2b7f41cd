/** The page of nights while the newest snapshot is retracted. */
import { expect, it } from 'vitest';
import type { OwnNight } from '../../../src/serve/pages/own-nights.ts';
import { instantOf } from '../../support/instant-of.ts';
import { EARLIER, fakeApp, FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { openBrowser } from './browser.ts';

const PUBLISHED: OwnNight = { night: '2026-11-17', state: 'published', tries: 1, trouble: null };
const next = { command: 'npx --no crossfoot build --account 7', why: 'once the rows are right' };
const REFUSED: OwnNight = {
  night: '2026-11-20',
  state: 'refused',
  tries: 3,
  trouble: { code: 'audit_refused', explanation: 'off', cents_off: 1, since: '2026-11-20', next },
};

it('the page says that the newest snapshot is retracted, when, why, and that readers still get it', async () => {
  const snapshots = new FakeSnapshots();
  const latest = await snapshots.latest(7n);
  if (latest === null) throw new Error('the account has no snapshot');
  const at = instantOf('2026-11-20T09:15:00.000000Z');
  const pageOf = async (replaced_by: string | null, nights: readonly OwnNight[]): Promise<string> => {
    const retraction = { reason: 'KES was read as USD', at, replaced_by };
    Object.assign(snapshots, { latest: async () => ({ ...latest, retraction }) });
    const browser = openBrowser(fakeApp({ ownNights: async () => nights, snapshots }).app);
    await browser.signIn(TOKENS.personal);
    return (await browser.page('/night')).replaceAll(/\s+/g, ' ');
  };
  for (const nights of [[PUBLISHED], []]) {
    const page = await pageOf(EARLIER, nights);
    expect(page).toContain(
      `Newest snapshot <a href="snapshots/${LATEST}">${LATEST}</a> retracted</strong> on`,
    );
    expect(page).toContain('2026-11-20 09:15 UTC</time>: KES was read as USD.');
    expect(page).toContain(`Read <a href="snapshots/${EARLIER}">${EARLIER}</a> instead.`);
    expect(page).toContain('It is still served as the newest, marked as retracted,');
    expect(page).toMatch(/<textarea[^>]*readonly[^>]*>\s*npx --no crossfoot enqueue --account 7</);
    expect(page).not.toContain('Last night went well');
    expect(page).not.toContain('Nothing is left to do.');
  }
  const page = await pageOf(null, [PUBLISHED]);
  expect(page).toContain('<h1>The newest snapshot is retracted</h1>');
  expect(page).toContain('Left to do: <a href="#retracted">build a new snapshot</a>.');
  expect(page).not.toContain(' instead.');
  expect(await pageOf(null, [REFUSED])).toContain('<h1>Last night was refused</h1>');
});
