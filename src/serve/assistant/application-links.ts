/** Addresses of pages of the customer's application. */
import type { ClientBase } from 'pg';
import { readApplicationUrl } from '../../ledger/lists/application-url.ts';
import { text } from '../contract/shapes.ts';

/** The output field that links to a page. */
export const app_url = text(
  'The page of the application that shows this; null when no application is named.',
).nullable();

/**
 * Returns a function that turns a path into its address in the account's application; null without an application or a
 * path.
 */
export async function readLinks(
  client: ClientBase,
  account_id: bigint,
): Promise<(path: string | null) => string | null> {
  const url = await readApplicationUrl(client, account_id);
  return (path) => (url === null || path === null ? null : url + path);
}
