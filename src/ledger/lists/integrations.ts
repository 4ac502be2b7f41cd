import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { db } from '../../database/query.ts';
import { type PageQuestion, readPage, when } from './keyset.ts';

/** The states of a connection to an outside platform. */
export const CONNECTION_STATUSES = ['active', 'paused', 'error', 'disconnected'] as const;

export const AUTH_TYPES = [
  'oauth',
  'api_key',
  'basic',
  'webhook',
  'github_app',
  'service_account',
  'file_upload',
] as const;

const INTEGRATIONS = db
  .selectFrom('reporting.connections')
  .select(['id', 'platform', 'name', 'description', 'status', 'auth_type', 'last_sync_status'])
  .select(['last_synced_at', 'reauth_required_at', 'external_account_id', 'external_account_name'])
  .select(['primary_source_categories', 'metric_categories', 'simulated', 'connected_by_id'])
  .select(['connected_by_name', 'created_at', 'updated_at']);

/** A connection as the read API serves it. The view has no credentials, settings or error texts. */
export type IntegrationRow = InferResult<typeof INTEGRATIONS>[number];

export interface IntegrationFilters {
  readonly platform?: string | undefined;
  readonly status?: IntegrationRow['status'] | undefined;
}

/** A page of connections to outside platforms, oldest change first. */
export async function listIntegrations(
  client: ClientBase,
  page: PageQuestion,
  { platform, status }: IntegrationFilters,
): Promise<readonly IntegrationRow[]> {
  const wanted = INTEGRATIONS.where((eb) =>
    eb.and([
      ...when(platform, (key) => eb('platform', '=', key)),
      ...when(status, (one) => eb('status', '=', one)),
    ]),
  );
  return await readPage(client, wanted, page);
}
