/** Every page in Chromium, over fourteen nights of the fixture company that the real program serves. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { readArticles } from '../fixtures/article-claims.ts';
import { focusedNow, pressUntil } from './keyboard.ts';
import { faultsOnPaper } from './printed-page.ts';
import { type ServedFortnight, serveFortnight } from './served-fortnight.ts';
import { openBrowser, openPage, takePicture, type WatchedPage } from './watched-page.ts';

const SEEN = resolve(import.meta.dirname, '../.tmp/pages');
/** Where the pictures of the README and of the articles go, when they are to be renewed. */
const KEPT = process.env['SCREENSHOTS'];
/** Which they are, and how many pixels of each from the top. */
const PICTURED: Readonly<Record<string, number>> = {
  overview: 1180,
  initiative: 1500,
  changes: 1000,
  rows: 900,
  night: 900,
  snapshot: 1120,
};

/** What may be looked at without a token, by the name of its picture if it has one. */
const PUBLIC: Readonly<Record<string, string>> = {
  '/': 'sign-in',
  '/docs': 'docs',
  '/docs/api': 'api',
  '/docs/api/figures': 'api-figures',
  '/docs/api/reporting': '',
  '/docs/none': '',
  '/docs/roi': 'article',
  '/docs/search?q=locked': 'search',
  '/tables': 'tables',
  '/tables/costs': 'table',
  '/tables/none': '',
};
const ALIKE = [
  ...TABLES.map(({ name }) => `/tables/${name}`),
  ...(['articles', 'reference'] as const).flatMap((folder) =>
    readArticles(folder).map(({ slug }) => `/docs/${slug}`),
  ),
].filter((path) => !(path in PUBLIC));

/** What an account sees of itself; a snapshot goes by what became of it. */
const OWN: Readonly<Record<string, string>> = {
  '/': 'overview',
  '/initiatives': 'initiatives',
  '/initiatives/101': 'initiative',
  '/budgets': 'budgets',
  '/ai-spend': 'ai-spend',
  '/snapshots/newest/tables/costs': 'rows',
  '/night': 'night',
  '/authorize?client': 'consent',
  '/clients': 'clients',
  '/snapshots/newest': 'snapshot',
  '/snapshots/newest/changes': 'changes',
  '/snapshots/newest/prove': 'prove',
  '/snapshots/retracted': 'retracted',
  '/snapshots/pinned': 'pinned',
  '/?snapshot=2026-10-close': 'pinned-overview',
  '/initiatives?snapshot=2026-10-close': 'pinned-initiatives',
  '/budgets?snapshot=2026-10-close': 'pinned-budgets',
  '/ai-spend?snapshot=2026-10-close': 'pinned-ai-spend',
  '/snapshots/2026-10-close/changes': 'pinned-changes',
  '/snapshots/2026-10-close/tables/costs': 'pinned-rows',
  '/snapshots/damaged': 'damaged',
  '/snapshots/20200101T000000Z': 'refused',
};

let served: ServedFortnight;
let browser: Browser;
beforeAll(async () => {
  mkdirSync(SEEN, { recursive: true });
  served = await serveFortnight();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

async function visit({ page }: WatchedPage, path: string): Promise<void> {
  const wanted = path.replace('/authorize?client', served.consent);
  const named = wanted.replace(/newest|retracted|pinned|damaged/, (name) => served.snapshots[name] ?? name);
  await page.goto(`${served.origin}${named}`);
}

/** The whole page in every look, of which a person is the judge. */
async function picture(watched: WatchedPage, name: string): Promise<void> {
  for (const look of ['light', 'dark'] as const) {
    for (const screen of ['desktop', 'phone'] as const) {
      await watched.show(look, screen);
      await takePicture(watched.page, join(SEEN, `${name}-${look}-${screen}.png`));
    }
  }
}

/** The top of the page in every look, for the documentation. */
async function keptPictures(watched: WatchedPage, name: string, height: number): Promise<void> {
  for (const look of ['light', 'dark'] as const) {
    for (const [screen, width] of [
      ['desktop', 1280],
      ['phone', 390],
    ] as const) {
      await watched.show(look, screen);
      const path = join(KEPT ?? SEEN, `${name}-${width}-${look}.png`);
      await takePicture(watched.page, path, { clip: { x: 0, y: 0, width, height } });
    }
  }
}

/** What is wrong with it, for the checker or the console, and whom else it asked for anything. */
async function faultsOf(watched: WatchedPage, path: string, name: string): Promise<readonly string[]> {
  await visit(watched, path);
  const found = await watched.examine();
  if (name !== '') await picture(watched, name);
  return [...found, ...watched.faults()];
}

describe('without a token', () => {
  let watched: WatchedPage;
  beforeAll(async () => {
    watched = await openPage(browser, served.origin);
  });

  it.each(Object.entries(PUBLIC))('%s can be read by everybody', async (path, name) => {
    expect(await faultsOf(watched, path, name)).toEqual([]);
  });

  it.each(ALIKE)('%s can be read by everybody', async (path) => {
    await visit(watched, path);
    expect([...(await watched.skim()), ...watched.faults()]).toEqual([]);
  });

  it.each(Object.keys(OWN).slice(1))('%s leads to where one signs in', async (path) => {
    await visit(watched, path);
    expect(new URL(watched.page.url()).pathname).toBe('/');
    expect(await watched.page.getByLabel('Access token').isVisible()).toBe(true);
  });

  it('a wrong token is refused, and the page says so', async () => {
    await visit(watched, '/');
    await watched.page.getByLabel('Access token').fill('cf_pat_wrong');
    await watched.page.getByRole('button', { name: 'Sign in' }).click();
    await watched.page.getByRole('alert').waitFor();
    expect(await watched.examine()).toEqual([]);
    await picture(watched, 'sign-in-refused');
    expect(watched.faults()).toEqual([]);
  });
});

describe('signed in', () => {
  let watched: WatchedPage;
  beforeAll(async () => {
    watched = await openPage(browser, served.origin);
    await watched.signIn(served.token);
  });

  it.each(Object.entries(OWN))('%s can be read by its account, also on paper', async (path, name) => {
    expect(await faultsOf(watched, path, name)).toEqual([]);
    expect(await faultsOnPaper(watched.page, join(SEEN, `${name}.pdf`))).toEqual([]);
    const height = PICTURED[name];
    if (KEPT !== undefined && height !== undefined) await keptPictures(watched, name, height);
  });

  it('no script can read the cookie, and no other site gets it', async () => {
    const [cookie] = await watched.page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  });
});

it('an account without a snapshot is told how far it has come', async () => {
  const watched = await openPage(browser, served.origin);
  await watched.signIn(served.emptyToken);
  expect(await faultsOf(watched, '/', 'snapshots-none')).toEqual([]);
  expect(await faultsOf(watched, '/night', 'night-none')).toEqual([]);
});

it('an example is copied by its button', async () => {
  const watched = await openPage(browser, served.origin);
  const { page } = watched;
  await watched.show('light', 'desktop');
  await page.goto(`${served.origin}/docs/start`);
  const block = page.locator('.with-copy').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(copied).toBe((await block.locator('pre').innerText()).trimEnd());
});

it('without JavaScript every page says the same, and only buttons to copy are missing', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${served.origin}/`);
  await page.getByLabel('Access token').fill(served.token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(await page.locator('svg.chart.wide').first().isVisible()).toBe(true);
  expect(await page.locator('button.copies').count()).toBe(0);
  await context.close();
});

it('the keyboard alone signs in, reaches a snapshot, copies how to read it, and signs out', async () => {
  const watched = await openPage(browser, served.origin);
  const { page } = watched;
  await page.goto(`${served.origin}/`);
  expect(await focusedNow(page)).toBe('Access token'); // the field has the focus on arrival
  await page.keyboard.type(served.token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await pressUntil(page, 'Tab', served.snapshots.newest);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/snapshots/${served.snapshots.newest}`);
  await pressUntil(page, 'Tab', 'Polars');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+C');
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(copied.split('\n').slice(0, 2)).toEqual([
    'import io, os, urllib.request',
    `url = "${served.origin}/v1/reporting/snapshots/${served.snapshots.newest}/costs.parquet"`,
  ]);
  expect(copied.split('\n').at(-1)).toBe('print(polars.read_parquet(file))');
  await pressUntil(page, 'Shift+Tab', 'Sign out');
  await page.keyboard.press('Enter');
  await page.getByLabel('Access token').waitFor();
  expect(watched.faults()).toEqual([]);
});
