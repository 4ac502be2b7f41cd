import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readFirst, readRows } from '../../database/query.ts';

const PLATFORMS = db.selectFrom('ledger.platforms').select(['key', 'name']).orderBy('name').orderBy('key');

const GUIDES = db
  .selectFrom('ledger.platform_guides')
  .select(['connection_method', 'steps', 'credential_location', 'setup_script', 'tips', 'page_path'])
  .select(['source_url', 'checked_on']);

/** A platform that accounts may connect; the same for every account. */
export type Platform = InferResult<typeof PLATFORMS>[number];

/**
 * How to connect a platform: `steps` is Markdown, `page_path` is the page of the application that connects it, and
 * `checked_on` is the day on which the steps were last compared with the source.
 */
export type PlatformGuide = InferResult<typeof GUIDES>[number];

/** All platforms, a few dozen, ordered by name. */
export async function readPlatforms(client: ClientBase): Promise<readonly Platform[]> {
  return await readRows(client, PLATFORMS);
}

/** The setup guide of a platform; null if it has none. */
export async function findPlatformGuide(client: ClientBase, key: string): Promise<PlatformGuide | null> {
  return await readFirst(client, GUIDES.where('platform_key', '=', key));
}
