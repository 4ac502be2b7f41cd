import type { ClientBase } from 'pg';
import { type PageQuestion, type Place, readPage, when } from './keyset.ts';

/** The states of a connection: failing, or stopped by someone, or at work. */
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

/** A connection as the read API serves it: credentials, settings and error texts are not even in the view. */
export interface IntegrationRow extends Place {
  readonly platform: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly status: (typeof CONNECTION_STATUSES)[number];
  readonly auth_type: (typeof AUTH_TYPES)[number] | null;
  readonly last_sync_status: string | null;
  readonly last_synced_at: bigint | null;
  readonly reauth_required_at: bigint | null;
  readonly external_account_id: string | null;
  readonly external_account_name: string | null;
  readonly primary_source_categories: string[];
  readonly metric_categories: string[];
  readonly simulated: boolean;
  readonly connected_by_id: bigint | null;
  readonly connected_by_name: string | null;
  readonly created_at: bigint;
}

export interface IntegrationFilters {
  readonly platform?: string | undefined;
  readonly status?: IntegrationRow['status'] | undefined;
}

const INTEGRATIONS = {
  view: 'reporting.connections',
  columns: `id, platform, name, description, status, auth_type, last_sync_status, last_synced_at, reauth_required_at,
    external_account_id, external_account_name, primary_source_categories, metric_categories, simulated,
    connected_by_id, connected_by_name, created_at, updated_at`,
};

/** A page of connections to outside platforms, oldest change first. */
export async function listIntegrations(
  client: ClientBase,
  page: PageQuestion,
  { platform, status }: IntegrationFilters,
): Promise<readonly IntegrationRow[]> {
  return await readPage<IntegrationRow>(client, INTEGRATIONS, page, [
    ...when(platform, 'platform = ?'),
    ...when(status, 'status = ?'),
  ]);
}
