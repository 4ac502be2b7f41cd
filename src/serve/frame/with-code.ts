import { html } from 'hono/html';

/** The text, with parts between backticks as code. */
export function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
