/** Where the words of a page stand on a narrow screen: what no line may break, and what no button may cover. */
import type { Page } from 'playwright-core';

/** Runs in the page. An amount is its sign, its currency and its digits; a block that scrolls shows only what is inside it. */
const LOOK = String.raw`(() => {
  const AMOUNT = /[−+]?\u2060?\$[\d,]+(?:\.\d+)?|[−+]\u2060?\d[\d,.]*/g;
  const DAY = /\b\d{4}-\d\d-\d\d\b/g;
  const found = [];
  // The content of a closed block has a box, too, but the page does not show it.
  const shown = (words) => [...document.querySelectorAll(words)].filter((each) => each.checkVisibility());
  const buttons = shown('button.copies').map((button) => [button, button.getBoundingClientRect()]);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const cover = (name, box) => {
    for (const [button, area] of buttons) {
      if (area.width > 0 && meet(area, box)) found.push('Copy covers "' + name.trim().slice(0, 40) + '"');
    }
  };
  for (const field of shown('textarea, pre')) cover(field.textContent, field.getBoundingClientRect());
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const boxesOf = (start, end) => {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      return [...range.getClientRects()].filter(({ width }) => width > 1);
    };
    if (node.parentElement.closest('button, script, textarea, pre') !== null || !node.parentElement.checkVisibility()) continue;
    // Running text of the documentation breaks days where it must.
    const days = node.parentElement.closest('article, code') === null ? node.data.matchAll(DAY) : [];
    for (const { index, 0: amount } of [...node.data.matchAll(AMOUNT), ...days]) {
      const lines = new Set(boxesOf(index, index + amount.length).map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push('a line breaks inside "' + amount + '" of "' + node.data.trim().slice(0, 60) + '"');
    }
    if (node.data.trim() !== '') for (const box of boxesOf(0, node.length)) cover(node.data, box);
  }
  return found;
})()`;

/** What a line breaks or a button covers in the page as it stands. */
export async function crowdedText(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(LOOK)) as string[]; // as the script returns it
}
