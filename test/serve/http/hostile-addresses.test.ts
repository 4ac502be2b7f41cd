/** No page redirects to another site, and no header breaks, whatever is in an address. */
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { attachment, redirectWithin } from '../../../src/serve/http/header-values.ts';
import { fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';

const HOSTILE = [
  '//evil.example',
  '///evil.example',
  'https:evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '\\\\evil.example',
  '/\\evil.example',
  '..//evil.example',
  '../../../../..//evil.example',
  'a\nb',
  'a\r\nset-cookie: x=y',
  'a\u0000b',
  'a\u2028b',
  '\u202Eevil',
  '"; filename="x.exe',
  'é',
  '%',
  '%2F%2Fevil.example',
  '@evil.example',
  '?',
  '#',
  'x'.repeat(6_000),
];
/** Parameters that a page puts into an address that it redirects to. */
const PARAMETERS = ['snapshot', 'show_column', 'add_column', 'add_value', 'columns', 'from', 'to', 'x'];
const SITE = 'https://site.example';

/** True for an address that a browser at this page resolves within the site, over http and over https. */
function staysHere(location: string, path: string): boolean {
  return [SITE, SITE.replace('https', 'http')].every((origin) => {
    const resolved = URL.canParse(location, origin + path) ? new URL(location, origin + path) : null;
    return resolved?.origin === origin;
  });
}

const { app } = fakeApp();
const pages = [
  ...new Set(app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path)),
].filter((path) => !/^\/(?:v1|mcp|delta-sharing|healthz|readyz)/.test(path));

const sound = (name: string): string => (name === 'snapshot_id' ? LATEST : 'costs');

/** The addresses of a page with a hostile text in each of its parameters. */
function addressesOf(page: string): readonly string[] {
  const names = [...page.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const inPath = names.flatMap((hostile) =>
    HOSTILE.map((text) =>
      page.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, (all, name: string) => {
        const ending = /\.\w+(?=\}$)/.exec(all)?.[0] ?? '';
        return (name === hostile ? encodeURIComponent(text) : sound(name)) + ending;
      }),
    ),
  );
  const plain = page.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, (_, name: string) => sound(name));
  const inQuery = PARAMETERS.flatMap((name) =>
    HOSTILE.map((text) => `${plain}?${name}=${encodeURIComponent(text)}`),
  );
  const both = inPath.flatMap((path) => [path, `${path}?show_column=x`, `${path}?snapshot=x`]);
  return [...both, ...inQuery, `${plain}?x=\\\\evil.example|^`];
}

it('the list of pages has parameters to try', () => {
  expect(pages).toContain('/snapshots/:snapshot_id/tables/:table');
  expect(pages.length).toBeGreaterThan(10);
});

it.each(pages)('%s leads no reader off the site and fails at no address', async (page) => {
  const browser = openBrowser(app);
  await browser.signIn(TOKENS.personal);
  const faults: string[] = [];
  for (const [number, path] of addressesOf(page).entries()) {
    // Every third as a stranger, who is led to the sign-in.
    const { status, headers, body } = await (number % 3 === 0 ? app.request(path) : browser.send(path));
    await body?.cancel();
    const location = headers.get('location');
    if (status === 500 || (location !== null && !staysHere(location, path)))
      faults.push(`${path.slice(0, 200)} answers ${status} ${location}`);
  }
  expect(faults).toEqual([]);
});

it.each(HOSTILE)('a redirect never leads to %j', async (text) => {
  const only = new Hono();
  only.onError((error) => new Response('', { status: error instanceof CrossfootError ? error.status : 500 }));
  only.get('/', (c) => redirectWithin(c, text, 303));
  const { status, headers } = await only.request('/');
  const location = headers.get('location');
  expect(location === null ? status : staysHere(location, '/') && 400).toBe(400);
  expect(new Response('', { headers: attachment(text) }).headers.get('content-disposition')).toMatch(
    /^attachment; filename="[\w.-]*"$/,
  );
});
