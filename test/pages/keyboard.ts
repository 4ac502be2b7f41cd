/** Going through a page as people do who use no pointer. */
import type { Page } from 'playwright-core';

/** No page has more places to stop at. */
const MAX_STOPS = 200;
/** What is read aloud of the element that has the focus, or its text. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const label = element?.labels?.[0]?.textContent ?? element?.getAttribute('aria-label');
  return (label ?? element?.textContent ?? '').trim();
})()`;
/** The focus must be visible. */
const IS_SHOWN = `getComputedStyle(document.activeElement).outlineStyle !== 'none'`;

/** What has the focus, as it is read aloud; it must be shown. */
export async function focusedNow(page: Page): Promise<string> {
  const focused = String(await page.evaluate(FOCUSED));
  if (focused !== '' && !(await page.evaluate(IS_SHOWN))) throw new Error(`${focused} is not outlined`);
  return focused;
}

/** Presses the key until the focus stands on what is called so; every stop on the way must be shown. */
export async function pressUntil(page: Page, key: 'Tab' | 'Shift+Tab', name: string): Promise<void> {
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await page.keyboard.press(key);
    if ((await focusedNow(page)) === name) return;
  }
  throw new Error(`${name} was not reached by ${MAX_STOPS} times ${key}`);
}
