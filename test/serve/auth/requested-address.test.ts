/** The address that a signed-out reader requested, through sign-in as a browser without scripts does it. */
import { describe, expect, it } from 'vitest';
import { ownAddress } from '../../../src/serve/auth/requested-address.ts';
import { fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { openBrowser, ORIGIN } from '../pages/browser.ts';

/** Where a browser lands that opens the path below a proxy's path, is redirected to sign-in, and signs in there. */
async function landingOf(path: string, tokens: readonly string[] = [TOKENS.personal]): Promise<string> {
  const below = `${ORIGIN}/below`;
  const browser = openBrowser(fakeApp().app);
  let at = new URL(below + path);
  let answer = await browser.send(path);
  const follow = (): void => {
    at = new URL(answer.headers.get('location') ?? 'nowhere:', at);
  };
  if (answer.status === 303) {
    follow();
    answer = await browser.send(at.pathname.slice('/below'.length) + at.search);
  }
  for (const token of tokens) {
    const [, form = ''] = /<form class="sign-in"(.*?)<\/form>/s.exec(await answer.text()) ?? [];
    const fields = [...form.matchAll(/<input[^>]*\sname="(\w+)"[^>]*\svalue="([^"]*)"/gs)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')] as const,
    );
    at = new URL(/action="([^"]*)"/.exec(form)?.[1] ?? 'nowhere:', at);
    answer = await browser.post(at.pathname.slice('/below'.length), { ...Object.fromEntries(fields), token });
  }
  expect(answer.status).toBe(303);
  follow();
  return at.href.slice(below.length);
}

describe('the requested address', () => {
  it.each([
    '/',
    '/night',
    `/?snapshot=${LATEST}&window=year`,
    `/snapshots/${LATEST}`,
    `/snapshots/${LATEST}/tables/costs?vendor_name=A%26B+%C3%BC&sort=-usd_amount_cents&columns=a%2Cb`,
    `/snapshots/${LATEST}/changes?window=fy2026`,
  ])('is where a reader is after sign-in: %s', async (path) => {
    expect(await landingOf(path)).toBe(path);
  });

  it('is kept when the first token is wrong', async () => {
    expect(await landingOf('/night', [TOKENS.unknown, TOKENS.personal])).toBe('/night');
  });

  it('is left out when it is longer than a form may be', async () => {
    expect(await landingOf(`/changes?from=${'a'.repeat(2_900)}`)).toMatch(/^\/changes\?from=a{2900}$/);
    expect(await landingOf(`/changes?from=${'a'.repeat(3_001)}`)).toBe('/');
  });

  it('is where the sign-in page leads who has signed in meanwhile', async () => {
    const browser = openBrowser();
    await browser.signIn(TOKENS.personal);
    const answer = await browser.send('/?to=night%3Fa%3Db');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, './night?a=b']);
    expect((await browser.send('/?to=%2F%2Felsewhere.example')).headers.get('location')).toBe('./');
  });
});

/** Addresses of other servers in every spelling that a browser might follow, and addresses that are no path. */
const FOREIGN = [
  'https://elsewhere.example/',
  'https:elsewhere.example',
  '//elsewhere.example',
  '///elsewhere.example',
  '/night',
  String.raw`\\elsewhere.example`,
  String.raw`/\elsewhere.example`,
  String.raw`night\..\x`,
  'javascript:alert(1)',
  'data:text/html,x',
  'user@elsewhere.example',
  './/elsewhere.example',
  '../night',
  'snapshots/../../night',
  'snapshots//night',
  'snapshots/%2e%2e/night',
  'night\r\nset-cookie: a=b',
  'night\n',
  '\tnight',
  'night\u0000',
  ' night',
  'night#part',
  'night?a=b\r\nc',
  'night?"><script>',
  'nïght',
];

describe('an address that is no path of this server', () => {
  it.each(FOREIGN)('is refused: %j', async (text) => {
    expect(ownAddress(text)).toBeNull();
    const browser = openBrowser();
    expect(await browser.page(`/?to=${encodeURIComponent(text)}`)).not.toContain('name="to"');
    const answer = await browser.post('/sign-in', { token: TOKENS.personal, to: text });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, './']);
  });
});

it('the sign-in page has the focus in its field, and marks no page of the navigation as current', async () => {
  const page = await openBrowser().page('/');
  expect(page).toMatch(/<input\s+id="token"[^>]*\sautofocus\s/);
  expect(page).not.toContain('aria-current');
});
