/** A comparison that waited too long for those of others: every surface says so in words, and when to try again. */
import { beforeEach, expect, it } from 'vitest';
import { cacheFeeds } from '../../src/diff/feed-cache.ts';
import { CrossfootError } from '../../src/errors.ts';
import { EARLIER, fakeApp, LATEST, TOKENS } from './fake-parts.ts';
import { openBrowser } from './pages/browser.ts';

const WORDS = 'This comparison waited 15 s for the comparisons before it; try again in some seconds.';
const waited = (): Promise<never> => Promise.reject(new CrossfootError('comparison_waited', WORDS));
const authorization = `Bearer ${TOKENS.personal}`;

let app: ReturnType<typeof fakeApp>['app'];
beforeEach(() => {
  ({ app } = fakeApp({
    diffs: { use: waited, close: async () => undefined },
    feeds: cacheFeeds(waited),
  }));
});

it.each([
  `/v1/reporting/diff/${EARLIER}/${LATEST}`,
  `/delta-sharing/shares/crossfoot/schemas/reporting/tables/costs/changes?startingVersion=1`,
])('%s answers 503 with the words and Retry-After', async (path) => {
  const answer = await app.request(path, { headers: { authorization } });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await answer.text()).toContain(WORDS);
});

it.each([`changes?from=${EARLIER}`, `changes.csv?from=${EARLIER}`])(
  'the page %s answers 503 with the words and Retry-After',
  async (page) => {
    const browser = openBrowser(app);
    await browser.signIn(TOKENS.personal);
    const answer = await browser.send(`/snapshots/${LATEST}/${page}`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await answer.text()).toContain(WORDS);
  },
);
