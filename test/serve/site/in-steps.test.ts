import { html } from 'hono/html';
import { expect, it } from 'vitest';
import { inSteps } from '../../../src/serve/site/in-steps.ts';

it('the lines are drawn in order, escaped once, and other requests run between slow lines', async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push('other requests'));
  const page = html`<ul>
    ${inSteps(['<a>', 'b', 'c'], (item) => {
      // As slow as a step: every line is a step of its own.
      for (const until = performance.now() + 5; performance.now() < until;);
      seen.push(item);
      return html`<li>${item}</li>`;
    })}
  </ul>`;
  expect(String(await page)).toMatch(/<ul>\s*<li>&lt;a&gt;<\/li><li>b<\/li><li>c<\/li>\s*<\/ul>/);
  expect(seen).toEqual(['<a>', 'other requests', 'b', 'c']);
});
