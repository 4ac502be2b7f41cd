/** The address of a webhook in a list. */
import type { WebhookForm } from './names.ts';

/**
 * A channel of Slack or Teams takes messages from everybody who has its address, so that address is a secret: its host is shown.
 * Of other addresses the query is left out, which may hold a key.
 */
export function shownAddress(address: string, form: WebhookForm): string {
  if (form === 'email') return address;
  const { origin, pathname, search } = new URL(address);
  if (form !== 'json') return `${origin}/…`;
  return search === '' ? address : `${origin}${pathname}?…`;
}
