import type { ClientBase } from 'pg';

/** A platform that accounts may connect; the same for every account. */
export interface Platform {
  readonly key: string;
  readonly name: string;
}

/** How a platform is connected. */
export interface PlatformGuide {
  readonly connection_method: string;
  /** Markdown. */
  readonly steps: string;
  readonly credential_location: string | null;
  readonly setup_script: string | null;
  readonly tips: string | null;
  /** The application's page to connect it from, a path. */
  readonly page_path: string;
  readonly source_url: string | null;
  /** The day on which the steps were last held against the source. */
  readonly checked_on: string | null;
}

/** All platforms, by name: some dozens. */
export async function readPlatforms(client: ClientBase): Promise<readonly Platform[]> {
  const { rows } = await client.query<Platform>('select key, name from ledger.platforms order by name, key');
  return rows;
}

/** The setup guide of a platform; null while nobody wrote one. */
export async function findPlatformGuide(client: ClientBase, key: string): Promise<PlatformGuide | null> {
  const { rows } = await client.query<PlatformGuide>(
    `select connection_method, steps, credential_location, setup_script, tips, page_path, source_url, checked_on
     from ledger.platform_guides where platform_key = $1`,
    [key],
  );
  return rows[0] ?? null;
}
