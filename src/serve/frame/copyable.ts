/** Text to be copied, as a field: there the keyboard selects the whole text without a script. */
import { html } from 'hono/html';
import type { Html } from './site-layout.ts';

/** The field, as high as the text has lines; `name` is its label for screen readers. */
export function copyable(text: string, name: string): Html {
  const lines = text.trimEnd().split('\n').length;
  return html`<textarea
    class="copy"
    readonly
    rows="${lines}"
    wrap="off"
    spellcheck="false"
    aria-label="${name}"
  >
${text.trimEnd()}</textarea>`;
}
