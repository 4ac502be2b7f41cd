/** A page on paper, as Chromium lays it out on A4: what is cut off, broken or left of the screen; and the sheets themselves. */
import type { Page } from 'playwright-core';

/** A4 has 210 mm, less 12 mm at each side, in pixels of a 96th of an inch. */
const A4 = { width: 703, height: 1018 };

/** Runs in the page. Text that only a screen reader gets stands outside at the left. */
const LOOK = String.raw`(() => {
  const found = [];
  const shown = (words) => [...document.querySelectorAll(words)].filter((each) => each.checkVisibility());
  const named = (each) => each.tagName.toLowerCase() + '.' + each.className;
  for (const each of shown('header, .tabs, button, select, input, .pager a')) found.push(named(each) + ' is on paper');
  for (const table of shown('table')) {
    const { display } = getComputedStyle(table);
    const head = table.querySelector(':scope > thead');
    if (display !== 'table') found.push(named(table) + ' is cards');
    if (head !== null && getComputedStyle(head).display !== 'table-header-group') found.push(named(table) + ' has no head');
  }
  for (const each of shown('.statement, .facts, figure, tr, .quarters')) {
    if (getComputedStyle(each).breakInside !== 'avoid') found.push(named(each) + ' may break');
  }
  for (const key of shown('.key')) {
    if (getComputedStyle(key, '::before').printColorAdjust !== 'exact') found.push('a key has no colour');
  }
  for (const each of shown('main *')) {
    const { overflowX } = getComputedStyle(each);
    const clips = overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1;
    if (clips && each.namespaceURI.endsWith('xhtml') && each.tagName !== 'TEXTAREA') found.push(named(each) + ' cuts off');
  }
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    if (node.data.trim() === '' || !node.parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const column = node.parentElement.closest('.figure')?.getBoundingClientRect().right ?? innerWidth;
    for (const { right } of range.getClientRects()) {
      if (right > column + 1) found.push('past the edge: "' + node.data.trim().slice(0, 40) + '"');
    }
  }
  return found;
})()`;

/** What is wrong with the page on paper; `path` is where its sheets go as a PDF. */
export async function faultsOnPaper(page: Page, path: string): Promise<readonly string[]> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize(A4);
  const found = (await page.evaluate(LOOK)) as string[]; // as the script returns it
  await page.emulateMedia({ media: null });
  await page.pdf({ format: 'A4', preferCSSPageSize: true, path });
  return found;
}
