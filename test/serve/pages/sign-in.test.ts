import { describe, expect, it } from 'vitest';
import { createSessions } from '../../../src/serve/frame/sessions.ts';
import { tokenDigest } from '../../../src/serve/auth/token.ts';
import { EXPIRED, fakeApp, LATEST, NOW, SESSIONS, TOKENS } from '../fake-parts.ts';
import { formTokenIn, openBrowser, ORIGIN } from './browser.ts';

const SECOND = 1_000_000n;

/** The cookie of a session that may have ended or never begun. */
function cookieOf(token: string, expires_at: bigint, sessions = SESSIONS): string {
  return `__Host-crossfoot=${sessions.seal({ token_sha256: tokenDigest(token), expires_at })}`;
}

describe('the sign-in', () => {
  it.each(['personal', 'reporting'] as const)('shows the snapshots to a %s token', async (kind) => {
    const browser = openBrowser();
    expect(await browser.page('/')).toContain('<h1>Sign in</h1>');
    const answer = await browser.signIn(` ${TOKENS[kind]}\n`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, './']);
    expect(await browser.page('/')).toContain(`href="snapshots/${LATEST}"`);
  });

  it('keeps a cookie that no script reads, no other site sends, and that ends after twelve hours', async () => {
    const answer = await openBrowser().signIn(TOKENS.personal);
    const [cookie = ''] = answer.headers.getSetCookie();
    const [pair = '', ...attributes] = cookie.split('; ');
    // 12 × 60 × 60 seconds.
    expect(attributes.toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=43200',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ]);
    expect(pair).toMatch(/^__Host-crossfoot=[\w-]+$/);
    const sealed = pair.split('=')[1] ?? '';
    expect(Buffer.from(sealed, 'base64url').includes(tokenDigest(TOKENS.personal))).toBe(false);
    expect(SESSIONS.open(sealed)?.expires_at).toBe(NOW + 43_200n * SECOND);
  });

  it('asks for no https of a machine that serves itself', async () => {
    const { app } = fakeApp({ baseUrl: () => 'http://127.0.0.1:8787/v1' });
    const browser = openBrowser(app);
    const token = { token: TOKENS.personal };
    // Either name of the machine will do: it is the host that was asked.
    const headers = { origin: 'http://localhost:8787', host: 'localhost:8787' };
    const answer = await browser.post('/sign-in', token, headers);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^crossfoot=(?!.*Secure)/);
    expect(await browser.page('/')).toContain('<h1>What was spent, what came back, what moved</h1>');
  });

  it.each([TOKENS.unknown, 'a word', `${TOKENS.personal}x`])('refuses a token like "%s"', async (token) => {
    const answer = await openBrowser().signIn(token);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    const shown = await answer.text();
    expect(shown).toContain('unknown, expired or no longer valid');
    expect(shown).toContain('role="alert"');
    expect(shown).not.toContain(token);
  });

  it('refuses a plan without API access', async () => {
    const answer = await openBrowser().signIn(TOKENS.withoutApi);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(await answer.text()).toContain('does not include API access');
  });

  it('counts a wrong token as many requests, as the API does', async () => {
    const { app } = fakeApp({ limits: { address: 30, token: 30 } });
    const browser = openBrowser(app);
    // 20 for each: two spend more than 30, and the third is not looked at.
    const statuses = [];
    for (let tries = 0; tries < 3; tries += 1) statuses.push((await browser.signIn('wrong')).status);
    expect(statuses).toEqual([401, 401, 429]);
  });
});

it('the page of the sign-in says what Crossfoot is, and leads to pages that need no sign-in alone', async () => {
  const shown = await openBrowser().page('/');
  expect(shown).toContain('what a company’s AI initiatives cost and what they bring in');
  const [, site = ''] = /aria-label="Site">(.*?)<\/nav>/s.exec(shown) ?? [];
  expect([...site.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual(['tables', 'docs', 'docs/api']);
});

describe('a form', () => {
  // Ours: the origin of the public address, and the requested host with the scheme of the public address.
  it.each([
    ['https://h/v1', 'h', 'https://h', 303],
    ['https://h/v1', 'h', 'http://h', 403],
    ['https://h/v1', 'h:80', 'http://h', 403],
    ['https://h/v1', 'h:443', 'https://h', 303],
    ['https://h/v1', 'h:8443', 'https://h:8443', 303],
    ['https://h/v1', 'h:8443', 'http://h:8443', 403],
    ['https://h/v1', 'other', 'https://other', 303],
    ['https://h/v1', 'other', 'http://other', 403],
    ['https://h/v1', 'other', 'https://evil', 403],
    ['https://h:8443/v1', 'h', 'https://h:8443', 303],
    ['https://h:8443/v1', 'h:8443', 'https://h', 403],
    ['http://h:8080/v1', 'h:8080', 'http://h:8080', 303],
    ['http://h:8080/v1', 'h:8080', 'https://h:8080', 403],
    ['http://h/v1', 'h', 'http://h:81', 403],
  ])('of %s, sent to %s from %s, gets %s', async (baseUrl, host, origin, status) => {
    const browser = openBrowser(fakeApp({ baseUrl: () => baseUrl }).app);
    const answer = await browser.post('/sign-in', { token: TOKENS.personal }, { origin, host });
    expect(answer.status).toBe(status);
    expect(answer.headers.getSetCookie()).toHaveLength(status === 303 ? 1 : 0);
  });

  it.each([
    ['another site', { origin: 'https://elsewhere.example' }],
    ['a page that hides where it is', { origin: 'null' }],
    ['the same host by another scheme and port', { origin: 'http://api.example.com:8080' }],
  ])('is refused when it comes from %s', async (_, headers) => {
    const browser = openBrowser();
    for (const path of ['/sign-in', '/sign-out']) {
      const answer = await browser.post(path, { token: TOKENS.personal }, headers);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
  });

  it('is refused without an Origin header', async () => {
    const init = { method: 'POST', body: new URLSearchParams({ token: TOKENS.personal }) };
    expect((await openBrowser().send('/sign-in', init)).status).toBe(403);
  });

  it('is refused when it is not a form, or too long', async () => {
    const browser = openBrowser();
    const headers = { 'content-type': 'text/plain' };
    expect((await browser.post('/sign-in', { token: TOKENS.personal }, headers)).status).toBe(400);
    expect((await browser.post('/sign-in', { token: 'x'.repeat(5_000) })).status).toBe(400);
  });
});

describe('the sign-out', () => {
  it('forgets the session', async () => {
    const browser = openBrowser();
    await browser.signIn(TOKENS.personal);
    const form_token = formTokenIn(await browser.page('/'));
    const answer = await browser.post('/sign-out', { form_token });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, './']);
    expect(browser.cookie()).toBe('');
    expect(await browser.page('/')).toContain('<h1>Sign in</h1>');
  });

  it('ends the session also for a copy of its cookie, and no other session of that token', async () => {
    const { app } = fakeApp();
    const [browser, thief] = [openBrowser(app), openBrowser(app)];
    await browser.signIn(TOKENS.personal);
    thief.setCookie(browser.cookie());
    const other = cookieOf(TOKENS.personal, NOW + SECOND);
    expect(await thief.page('/')).toContain('<h1>What was spent, what came back, what moved</h1>');
    await browser.post('/sign-out', { form_token: formTokenIn(await browser.page('/')) });
    expect(await thief.page('/')).toContain('<h1>Sign in</h1>');
    thief.setCookie(other);
    expect(await thief.page('/')).toContain('<h1>What was spent, what came back, what moved</h1>');
  });

  it('is unavailable, and the browser keeps its session, while the session cannot be ended', async () => {
    const endedSessions = { has: async () => false, end: () => Promise.reject(new Error('at 10.0.0.1')) };
    const browser = openBrowser(fakeApp({ endedSessions }).app);
    await browser.signIn(TOKENS.personal);
    const form_token = formTokenIn(await browser.page('/'));
    const answer = await browser.post('/sign-out', { form_token });
    expect([answer.status, (await answer.text()).includes('10.0.0.1')]).toEqual([503, false]);
    expect(browser.cookie()).not.toBe('');
  });

  it('needs the token of the very session', async () => {
    const [browser, other] = [openBrowser(), openBrowser()];
    await browser.signIn(TOKENS.personal);
    await other.signIn(TOKENS.other);
    const theirs = { form_token: formTokenIn(await other.page('/')) };
    for (const form of [{}, { form_token: '' }, { form_token: 'x' }, theirs]) {
      expect((await browser.post('/sign-out', form)).status).toBe(403);
    }
    expect(browser.cookie()).not.toBe('');
  });

  it('is possible from every page of a session', async () => {
    const browser = openBrowser();
    await browser.signIn(TOKENS.personal);
    const tokens = [];
    for (const path of [
      '/',
      `/snapshots/${LATEST}`,
      `/snapshots/${LATEST}/changes`,
      `/snapshots/${EXPIRED}`,
    ]) {
      tokens.push(formTokenIn(await browser.page(path)));
    }
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).toMatch(/^[\w-]{43}$/);
  });
});

/** The top, as a browser with this cookie sees it. */
async function page(cookie: string, replaced: Parameters<typeof fakeApp>[0] = {}): Promise<string> {
  const browser = openBrowser(fakeApp(replaced).app);
  browser.setCookie(cookie);
  return await browser.page('/');
}

describe('a session', () => {
  it('lasts until its end and not beyond', async () => {
    expect(await page(cookieOf(TOKENS.personal, NOW + 1n))).toContain(
      '<h1>What was spent, what came back, what moved</h1>',
    );
    expect(await page(cookieOf(TOKENS.personal, NOW))).toContain('<h1>Sign in</h1>');
  });

  it('ends with its token', async () => {
    const cookie = cookieOf(TOKENS.personal, NOW + SECOND);
    expect(await page(cookie, { findHolder: async () => null })).toContain('<h1>Sign in</h1>');
  });

  it('opens with a key that was put behind a new one, and with no other', async () => {
    const old = 'the key of last year, 32 characters and more';
    const cookie = cookieOf(TOKENS.personal, NOW + SECOND, createSessions([old]));
    const sessions = createSessions(['the key of this year, 32 characters and more', old]);
    expect(await page(cookie, { sessions })).toContain('<h1>What was spent, what came back, what moved</h1>');
    expect(await page(cookie)).toContain('<h1>Sign in</h1>');
    expect(await page(`${cookieOf(TOKENS.personal, NOW + SECOND).slice(0, -2)}AA`)).toContain('Sign in</h1>');
  });

  it('gives no access to the API, and a bearer token gives none to the pages', async () => {
    const browser = openBrowser();
    await browser.signIn(TOKENS.personal);
    expect((await browser.send('/v1/reporting/latest')).status).toBe(401);
    const headers = { authorization: `Bearer ${TOKENS.personal}` };
    const answer = await openBrowser().send(`/snapshots/${LATEST}`, { headers });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `../?to=snapshots%2F${LATEST}`]);
  });

  it('is unavailable, not over, while its token cannot be looked up', async () => {
    const { app } = fakeApp({ findHolder: () => Promise.reject(new Error('at 10.0.0.1')) });
    const browser = openBrowser(app);
    browser.setCookie(cookieOf(TOKENS.personal, NOW + SECOND));
    const answer = await browser.send('/');
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('10.0.0.1');
  });

  it('is answered with 503 while the database cannot say whether it was ended', async () => {
    const endedSessions = { has: () => Promise.reject(new Error('at 10.0.0.1')), end: async () => {} };
    const browser = openBrowser(fakeApp({ endedSessions }).app);
    browser.setCookie(cookieOf(TOKENS.personal, NOW + SECOND));
    expect((await browser.send('/')).status).toBe(503);
  });

  it('leads a signed-out reader to the top, from any page below a path', async () => {
    for (const [path, up] of [
      ['/sign-in', '/below/'],
      [`/snapshots/${LATEST}`, '/below/'],
      [`/snapshots/${LATEST}/changes`, '/below/'],
    ] as const) {
      const answer = await openBrowser().send(path);
      const location = answer.headers.get('location') ?? '';
      expect([answer.status, new URL(location, `${ORIGIN}/below${path}`).pathname]).toEqual([303, up]);
    }
  });
});
