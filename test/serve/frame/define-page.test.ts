/** What follows from the declaration of a page, at every page of the application. */
import { html } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { definePage, routed } from '../../../src/serve/frame/define-page.ts';
import { AUTHORIZE_PATH } from '../../../src/serve/connect/addresses.ts';
import { SIGN_IN_PAGES } from '../../../src/serve/connect/routes.ts';
import { PAGES } from '../../../src/serve/page-routes.ts';
import { CONSENT_ADDRESS, FAKE_SIGN_IN } from '../connect/fake-sign-in.ts';
import { type AppParts } from '../../../src/serve/app.ts';
import { fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';
import { addressOf } from '../route-addresses.ts';

// What is read of the ledger here is the account's name alone.
const inAccount = (async () => 'One') as AppParts['inAccount'];
const { app } = fakeApp({ signIn: FAKE_SIGN_IN, inAccount });
const [signedIn, signedOut] = [openBrowser(app), openBrowser(app)];
await signedIn.signIn(TOKENS.personal);

const EVERY_PAGE = [...PAGES, ...SIGN_IN_PAGES];
const cases = EVERY_PAGE.map(({ path, access, query }) => {
  const address =
    path === AUTHORIZE_PATH ? CONSENT_ADDRESS : addressOf(routed(path), LATEST, { table: 'costs' });
  return [path, { access, query, address }] as const;
});
const ownCases = cases.filter(([, { access }]) => access === 'sign-in');

it('the pages have each path once, with a sentence for the reference of routes', () => {
  const paths = EVERY_PAGE.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(EVERY_PAGE.filter(({ says }) => !/^[A-Z].*\.$/.test(says))).toEqual([]);
  expect(ownCases.length).toBeGreaterThan(15);
});

it('a page that does not say who may read it is an error of types', () => {
  const declared = { path: '/x', title: 'X', here: null, query: [], says: 'X.' } as const;
  // @ts-expect-error -- its policy, session and cache header follow from `access`
  expect(definePage({ ...declared, body: () => () => ({ body: html`` }) }).path).toBe('/x');
});

it('unknown addresses below the pages of an account have their policy, and no cache stores them', async () => {
  const folders = new Set(ownCases.flatMap(([path]) => /^\/\w+\/(?=\{|\w+\/)/.exec(path) ?? []));
  expect([...folders]).toEqual(['/initiatives/', '/snapshots/']);
  for (const folder of folders) {
    for (const browser of [signedIn, signedOut]) {
      const { status, headers } = await browser.send(`${folder}1/unknown`);
      expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    }
  }
});

describe.each(cases)('the page %s', (_, { access, address, query }) => {
  it('has a policy that no page may frame, and a root that leads to the top', async () => {
    const answer = await signedIn.send(address);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; .*frame-ancestors 'none'$/,
    );
    const page = await answer.text();
    if (!page.startsWith('<!doctype')) return;
    const [, css = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
    expect(new URL(css, `http://top${address}`).pathname).toBe('/docs/site.css');
    const [, signOut] = /<form method="post" action="([^"]+)"/.exec(page) ?? [];
    expect(
      access === 'public' || new URL(signOut ?? '', `http://top${address}`).pathname === '/sign-out',
    ).toBe(true);
  });

  it('refuses a parameter that it does not declare', async () => {
    if (query === null) return;
    const answer = await signedIn.send(`${address}?undeclared=1`);
    expect([
      answer.status,
      (await answer.text()).includes('&quot;undeclared&quot;') || access === 'public',
    ]).toEqual([400, true]);
  });
});

describe.each(ownCases)('the page %s of an account', (path, { address }) => {
  it('is stored by no cache, for any token and any method', async () => {
    for (const browser of [signedIn, signedOut]) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await browser.send(address, { method });
        expect([method, answer.headers.get('cache-control')]).toEqual([method, 'no-store']);
        expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'");
      }
    }
  });

  it('leads a reader without a session to the sign-in, which leads back; at the top it is the sign-in', async () => {
    const answer = await signedOut.send(address);
    const to = new URL(answer.headers.get('location') ?? '', `http://top${address}`);
    const isForm = (await answer.text()).includes('name="token"');
    expect([answer.status, to.pathname, to.searchParams.get('to'), isForm]).toEqual(
      path === '/' ? [200, '/', null, true] : [303, '/', address.slice(1), false],
    );
  });
});
