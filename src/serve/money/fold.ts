/** A box before a long list. On a narrow screen the list shows its first lines until the box is ticked. */
import { html } from 'hono/html';
import { shownCount } from '../../format.ts';
import type { Html } from '../frame/site-layout.ts';

/** The lines that a narrow screen shows of a folded list; the style has the same number. */
const FOLDED_LINES = 6;

/** The box, in words such as `Show all 12 quarters`; nothing before a list that is short anyhow. */
export function foldBox(lines: number, what: string): Html | '' {
  if (lines <= FOLDED_LINES) return '';
  return html`<label class="fold"><input type="checkbox" /> Show all ${shownCount(lines)} ${what}</label>`;
}
