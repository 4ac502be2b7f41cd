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
 * How a platform is connected: its `steps` are Markdown, `page_path` is the application's page to connect it from, and on
 * `checked_on` the steps were last held against the source.
 */
export type PlatformGuide = InferResult<typeof GUIDES>[number];

/** All platforms, by name: some dozens. */
export async function readPlatforms(client: ClientBase): Promise<readonly Platform[]> {
  return await readRows(client, PLATFORMS);
}

/** The setup guide of a platform; null while nobody wrote one. */
export async function findPlatformGuide(client: ClientBase, key: string): Promise<PlatformGuide | null> {
  return await readFirst(client, GUIDES.where('platform_key', '=', key));
}
