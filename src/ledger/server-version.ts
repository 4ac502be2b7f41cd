/** The version of the PostgreSQL server, for the manifest and for `doctor`. */
import type { Client } from 'pg';
import { readStatement } from '../database/columns.ts';

/** The supported major versions: the database tests run on all of them. */
export const SUPPORTED_VERSIONS: readonly number[] = [16, 17, 18];

/** The version as the server shows it, such as `17.10`. */
export async function readServerVersion(client: Client): Promise<string> {
  const version = {
    name: 'PostgreSQL',
    text: 'show server_version',
    columns: { server_version: 'text' },
  } as const;
  const rows = await readStatement(client, version);
  return rows[0]?.server_version ?? 'unknown';
}
