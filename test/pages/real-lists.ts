/**
 * A company of three hundred initiatives and three years, walked through in Chromium as a person does: search, filter, pages,
 * sums, budgets that are over, all of it on a narrow screen and on paper.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedAccount } from '../../tools/seed/seed-account.ts';
import { faultsOnPaper } from './printed-page.ts';
import { openServedHarness, type ServedHarness } from './served-harness.ts';
import { openBrowser, openPage, takePicture, type WatchedPage } from './watched-page.ts';

const SEEN = resolve(import.meta.dirname, '../.tmp/pages');
/** From ten thousand rows on, the seed analyzes its tables; without that, a build of them takes minutes. */
const COMPANY = { rows: 10_000, initiatives: 300, years: 3, inputs: 0, seed: 300n };
/** A page of a list has fifty lines. */
const PAGE_LINES = 50;
/** On a narrow screen a list is folded: this page was 64,443 pixels long before. */
const MAX_PIXELS = 4_000;

let served: ServedHarness;
let origin: string;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
beforeAll(async () => {
  mkdirSync(SEEN, { recursive: true });
  served = await openServedHarness();
  const { harness, store } = served;
  const owner = await harness.database.client('cf_owner');
  const account_id = await seedAccount(owner, COMPANY, () => undefined);
  await harness.build({ store, account_id });
  origin = await served.serve();
  browser = await openBrowser();
  watched = await openPage(browser, origin);
  ({ page } = watched);
  await watched.signIn(await served.issue(account_id));
  await watched.show('light', 'desktop');
});
afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

function plain(text: string): string {
  return text.replaceAll('\u{2060}', '').replaceAll(/\s+/g, ' ').trim();
}

async function textsOf(selector: string): Promise<readonly string[]> {
  return (await page.locator(selector).allInnerTexts()).map(plain);
}

const LINES = 'table.ranking tbody tr:not(.sum)';

/** The lines of all pages of the list at this address, and the sums below each page. */
async function walk(path: string) {
  await page.goto(`${origin}${path}`);
  const pages: (readonly string[])[] = [];
  const sums = new Set<string>();
  const next = page.locator('.pager a[rel=next]');
  for (;;) {
    pages.push(await textsOf(LINES));
    for (const sum of await textsOf('table.ranking tr.sum')) sums.add(sum);
    if ((await next.count()) === 0) return { pages, lines: pages.flat(), sums: [...sums] };
    await next.click();
  }
}

/** What the form finds: the sentence about it, and the lines of the first page. */
async function find(path: string, words: string) {
  await page.goto(`${origin}${path}`);
  await page.getByRole('searchbox').fill(words);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: words }).waitFor();
  return { sentence: plain(await page.getByRole('status').first().innerText()), lines: await textsOf(LINES) };
}

function centsOf(amount: string | undefined): number {
  return Number((amount ?? '').replaceAll(/[$,.]/g, '').replace('−', '-'));
}

describe('the list of initiatives', () => {
  it('has fifty lines on a page, each initiative once, and the sums of all of them on every page', async () => {
    const { pages, lines, sums } = await walk('/initiatives?by=cost&window=all');
    expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(pages.slice(0, -1).map(() => PAGE_LINES));
    expect([lines.length > 250, new Set(lines).size === lines.length]).toEqual([true, true]);
    const costs = lines.map((line) => centsOf(/−?\$[\d,.]+ (−?\$[\d,.]+)/.exec(line)?.[1]));
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    await page.goto(`${origin}/`);
    const [cost = ''] = (await textsOf('.statement.second .amount')).slice(0, 1);
    expect(sums).toHaveLength(1);
    expect([sums[0]?.startsWith(`All ${lines.length} initiatives`), sums[0]?.includes(cost)]).toEqual([
      true,
      true,
    ]);
    expect(costs.reduce((sum, each) => sum + each, 0)).toBe(centsOf(cost));
  });

  it('finds titles, owners and departments, and says how many it found', async () => {
    const { sentence, lines } = await find('/initiatives?by=cost', 'initiative 211');
    expect(sentence).toContain('1 of ');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('Initiative 211');
    await page.getByRole('link', { name: 'Show all initiatives' }).click();
    expect(await page.locator(LINES).count()).toBe(PAGE_LINES);
    const department = await find('/initiatives', 'department 3');
    // Each word stands in one of the texts, not all in the same.
    expect(department.lines.length).toBeGreaterThan(1);
    expect(department.lines.filter((line) => !/Department/.test(line) || !line.includes('3'))).toEqual([]);
    expect((await find('/initiatives', 'nobody has this')).lines).toEqual([]);
  });
});

describe('the list of budgets', () => {
  it('begins with those that are over, and its tab has them alone', async () => {
    const { lines, sums } = await walk('/budgets');
    const over = lines.map((line) => line.includes(' over: '));
    const count = over.filter(Boolean).length;
    expect([lines.length > PAGE_LINES, count > 0, count < lines.length]).toEqual([true, true, true]);
    expect(over).toEqual(over.toSorted((a, b) => Number(b) - Number(a)));
    // Amounts of two currencies are never added up.
    expect(sums.length).toBeGreaterThan(1);
    await page.goto(`${origin}/budgets`);
    await page.getByRole('link', { name: `Over: ${count}` }).click();
    const alone = await walk(new URL(page.url()).pathname + new URL(page.url()).search);
    expect(alone.lines).toEqual(lines.slice(0, count));
  });

  it('finds initiatives and owners', async () => {
    const { lines } = await find('/budgets', 'initiative 101');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.includes('Initiative 101'))).toBe(true);
  });
});

it('rows are filtered by an amount as people write it, and by a title that is known', async () => {
  await page.goto(`${origin}/snapshots/newest/tables/costs`);
  const [all = ''] = await textsOf('.lead b');
  await page.getByLabel('Column of the new filter').selectOption({ label: 'Dollars' });
  await page.getByLabel('How to compare').selectOption({ label: 'from' });
  await page.getByLabel('Value of the new filter').fill('$1,000.00');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.waitForURL('**usd_amount_cents_from=100000**');
  const amounts = await textsOf('table.rows tbody tr:not(.sum) td[data-column="Dollars"]');
  expect(amounts.length).toBe(PAGE_LINES);
  expect(amounts.filter((amount) => centsOf(amount) < 100_000)).toEqual([]);
  await page.getByLabel('Column of the new filter').selectOption({ label: 'Initiative' });
  await page.getByLabel('How to compare').selectOption({ label: 'is' });
  await page.getByLabel('Value of the new filter').fill('initiative 1');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.waitForURL('**initiative_id=1**');
  const [few = ''] = await textsOf('.lead b');
  expect(few).toMatch(/^[\d,]+ of [\d,]+ rows?$/);
  expect(`${/of (.*)$/.exec(few)?.[1]}`).toBe(all);
});

describe('pages of this company', () => {
  it.each([
    ['/', 'large-overview'],
    ['/initiatives', 'large-initiatives'],
    ['/initiatives?page=4&q=initiative', 'large-initiatives-found'],
    ['/initiatives/1', 'large-initiative'],
    ['/budgets', 'large-budgets'],
    ['/budgets?state=over', 'large-budgets-over'],
    ['/ai-spend', 'large-ai-spend'],
    ['/snapshots/newest/tables/costs?usd_amount_cents_from=100000', 'large-rows'],
  ])('%s fits every screen and paper, and is accessible', async (path, name) => {
    await page.goto(`${origin}${path}`);
    expect([await watched.examine(), await faultsOnPaper(page, join(SEEN, `${name}.pdf`))]).toEqual([[], []]);
    for (const look of ['light', 'dark'] as const) {
      for (const screen of ['desktop', 'phone'] as const) {
        await watched.show(look, screen);
        const [width, shown] = (await page.evaluate(
          '[document.documentElement.scrollWidth, innerWidth]',
        )) as readonly number[]; // as the page measures itself
        expect(width).toBeLessThanOrEqual(shown ?? 0);
        await takePicture(page, join(SEEN, `${name}-${look}-${screen}.png`));
      }
    }
    expect(watched.faults()).toEqual([]);
  });

  it('a list of them is short on a narrow screen', async () => {
    await watched.show('light', 'phone');
    for (const path of ['/initiatives', '/budgets']) {
      await page.goto(`${origin}${path}`);
      expect(Number(await page.evaluate('document.documentElement.scrollHeight'))).toBeLessThan(MAX_PIXELS);
    }
  });
});
