/** The exact figures of a point of a chart in Chromium: below the pointer, by arrow keys, and by touch. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServedHarness, type ServedHarness } from './served-harness.ts';
import { openBrowser, openPage, type WatchedPage } from './watched-page.ts';

let served: ServedHarness;
let origin: string;
let browser: Browser;
let watched: WatchedPage;
beforeAll(async () => {
  served = await openServedHarness();
  await served.harness.build({ store: served.store });
  origin = await served.serve();
  browser = await openBrowser();
  watched = await openPage(browser, origin);
  await watched.show('light', 'desktop');
  await watched.signIn(await served.issue(1n));
});
afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

describe('a point of a drawing', () => {
  it.each([
    ['/', '#months', 'Cumulative net'],
    ['/initiatives/101', '#plan', 'Net so far'],
    ['/initiatives/101', '#budget', 'Spent to date'],
  ])(
    'on %s in %s shows its exact figures below the pointer and by arrow keys',
    async (path, head, column) => {
      const { page } = watched;
      await page.goto(`${origin}${path}`);
      const section = page.locator('section').filter({ has: page.locator(head) });
      const drawing = section.locator('svg[data-points]:visible');
      const [rows, points] = [await rowsBehind(section), await pointsOf(drawing)];
      expect([rows.length > 1, points.length]).toEqual([true, rows.length]);
      expect(rows[0]).toContain(` ${column} `);
      await drawing.scrollIntoViewIfNeeded(); // A pointer outside the window reaches no element.
      const { x = 0, y = 0, width = 0 } = (await drawing.boundingBox()) ?? {};
      const across = Number(await drawing.getAttribute('data-width'));
      for (const index of [0, Math.floor(rows.length / 2), rows.length - 1]) {
        await page.mouse.move(x + ((points[index] ?? 0) * width) / across, y + 60);
        expect(await shownTip(section)).toBe(rows[index]);
      }
      await page.mouse.move(x - 40, y + 60);
      expect(await section.locator('.tip').isVisible()).toBe(false);
      // The key that leads to the drawing from what follows it: of months, a link stands between both.
      await section.locator('summary').first().focus();
      for (let back = 0; back < 3 && !(await section.locator('.tip').isVisible()); back += 1)
        await page.keyboard.press('Shift+Tab');
      expect(await shownTip(section)).toBe(rows.at(-1));
      await page.keyboard.press('ArrowLeft');
      expect(await shownTip(section)).toBe(rows.at(-2));
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      expect(await shownTip(section)).toBe(rows.at(-1));
      expect(await watched.examine()).toEqual([]);
      await watched.show('light', 'desktop');
      await page.keyboard.press('Escape');
      expect(await section.locator('.tip').isVisible()).toBe(false);
      expect(watched.faults()).toEqual([]);
    },
  );

  it('is the month whose bar stands below the pointer', async () => {
    const { page } = watched;
    await page.goto(`${origin}/`);
    const section = page.locator('section').filter({ has: page.locator('#months') });
    const bars = section.locator('svg.chart.wide rect.bar-cost:not(.soft)');
    await bars.first().scrollIntoViewIfNeeded();
    const boxes = (await Promise.all((await bars.all()).map((bar) => bar.boundingBox()))).map(
      (box) => box ?? { x: 0, y: 0, width: 0, height: 0 },
    );
    const [tallest] = boxes.toSorted((a, b) => b.height - a.height);
    const costs = (await rowsBehind(section)).map((row) => / Cost (\S+)/.exec(row)?.[1] ?? '');
    const [most] = costs.toSorted((a, b) => centsOf(b) - centsOf(a));
    await page.mouse.move((tallest?.x ?? 0) + (tallest?.width ?? 0) / 2, (tallest?.y ?? 0) + 2);
    expect(await shownTip(section)).toContain(` Cost ${most} `);
  });

  it('keeps its figures after a finger is lifted, until another place is touched', async () => {
    const { page } = watched;
    await page.goto(`${origin}/`);
    const section = page.locator('section').filter({ has: page.locator('#months') });
    const drawing = section.locator('svg[data-points]:visible');
    const touch = { pointerType: 'touch', clientX: ((await drawing.boundingBox())?.x ?? 0) + 74 };
    await drawing.dispatchEvent('pointerdown', touch);
    await drawing.dispatchEvent('pointerleave', touch);
    expect(await shownTip(section)).toBe((await rowsBehind(section))[0]);
    await drawing.dispatchEvent('blur');
    expect(await section.locator('.tip').isVisible()).toBe(false);
  });
});

/** Each row of the table behind a drawing, as its point says it. */
async function rowsBehind(section: Locator): Promise<readonly string[]> {
  const rows = section.locator('tr[data-point]');
  return await Promise.all(
    (await rows.all()).map(async (row) => {
      const cells = await row.locator('td[data-column]').all();
      const words = await Promise.all(
        cells.map(async (cell) => [await cell.getAttribute('data-column'), await cell.textContent()]),
      );
      return plain([await row.locator('th').textContent(), ...words.flat()].join(' '));
    }),
  );
}

async function pointsOf(drawing: Locator): Promise<readonly number[]> {
  return ((await drawing.getAttribute('data-points')) ?? '').split(' ').map(Number);
}

async function shownTip(section: Locator): Promise<string> {
  const tip = section.locator('.tip');
  await tip.waitFor();
  return plain(await tip.innerText());
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function centsOf(dollars: string): number {
  return Number(dollars.replaceAll(/[$,.]/g, '').replace('−', '-'));
}
