/** A signed-in reader whom another site leads here: the cookie comes with the second request, and the first one changes nothing. */
import { describe, expect, it } from 'vitest';
import { routed } from '../../../src/serve/frame/define-page.ts';
import { SIGN_IN_PAGES } from '../../../src/serve/connect/routes.ts';
import { PAGES } from '../../../src/serve/page-routes.ts';
import { AUTHORIZE_PATH } from '../../../src/serve/connect/addresses.ts';
import { type AppParts } from '../../../src/serve/app.ts';
import { CONSENT_ADDRESS, FAKE_SIGN_IN } from '../connect/fake-sign-in.ts';
import { fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { openBrowser, ORIGIN } from '../pages/browser.ts';
import { addressOf } from '../route-addresses.ts';

const inAccount = (async () => 'One') as AppParts['inAccount'];
const { app } = fakeApp({ signIn: FAKE_SIGN_IN, inAccount });
const signedIn = openBrowser(app);
await signedIn.signIn(TOKENS.personal);

/** What a browser says of a click on another site. */
const LED = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const ask = (path: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
  app.request(path, { method, headers: { origin: 'https://elsewhere.example', ...headers } });

const addresses = [...PAGES, ...SIGN_IN_PAGES]
  .filter(({ access }) => access === 'sign-in')
  .map(({ path }) =>
    path === AUTHORIZE_PATH ? CONSENT_ADDRESS : addressOf(routed(path), LATEST, { table: 'costs' }),
  );

/** Where the page leads on to, from the top. */
async function ledOnTo(path: string): Promise<string> {
  const answer = await ask(path, LED);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const address = answer.headers.get('refresh')?.replace(/^0;url=/, '') ?? '';
  const { origin, pathname, search } = new URL(address, ORIGIN + path);
  expect([origin, pathname]).toEqual([ORIGIN, '/']);
  return pathname + search;
}

it.each(addresses)('%s opens for the signed-in reader, whom no form asks again', async (path) => {
  const next = await ledOnTo(path);
  const answer = await signedIn.send(next, { headers: { 'sec-fetch-site': 'same-origin' } });
  const there = new URL(answer.headers.get('location') ?? 'nowhere:', ORIGIN);
  expect([answer.status, there.pathname + there.search]).toEqual([303, path]);
});

it.each(addresses)('%s leads the signed-out reader to the form, and never in a circle', async (path) => {
  const next = await ledOnTo(path);
  // Also in a browser that takes the second request for one of the other site.
  const form = await ask(next, LED);
  expect([form.status, form.headers.get('refresh')]).toEqual([200, null]);
  expect(await form.text()).toContain('<h1>Sign in</h1>');
});

describe('A-47: a request of another site without a tab of its own', () => {
  it.each([
    ['a frame', { ...LED, 'sec-fetch-dest': 'iframe' }, CONSENT_ADDRESS, 'GET'],
    ['an embedded object', { ...LED, 'sec-fetch-dest': 'object' }, CONSENT_ADDRESS, 'GET'],
    ['a script', { ...LED, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, CONSENT_ADDRESS, 'GET'],
    ['a request of a page', { ...LED, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, '/night', 'GET'],
    ['a form', LED, AUTHORIZE_PATH, 'POST'],
    ['a request of a program', {}, CONSENT_ADDRESS, 'GET'],
  ])('is led to the sign-in: %s', async (_, headers, path, method) => {
    const answer = await ask(path, headers, method);
    expect([answer.status, answer.headers.get('refresh')]).toEqual([303, null]);
  });
});

it('a reader with a session of a browser that sends its cookie gets the page at once', async () => {
  const answer = await signedIn.send(CONSENT_ADDRESS, { headers: LED });
  expect([answer.status, answer.headers.get('refresh')]).toEqual([200, null]);
  expect(await answer.text()).toContain('<h1>Connect Helper?</h1>');
});
