/** Text that is there to be copied: a field, because only there do keys and fingers select all of it without a script. */
import { html } from 'hono/html';
import type { Html } from '../site/site-layout.ts';

/** As many lines high as it has; `name` is what it is called aloud. */
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
