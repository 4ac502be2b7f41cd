import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { INTEGRATION } from '../../tables/records/integration.ts';
import { equalTo, type PageQuestion, readPage } from './keyset.ts';
import { selectRecord } from './select-record.ts';

const INTEGRATIONS = selectRecord(INTEGRATION);

/** A connection as the read API serves it. The view has no credentials, settings or error texts. */
export type IntegrationRow = InferResult<typeof INTEGRATIONS>[number];

/** A page of connections to outside platforms, oldest change first. */
export async function listIntegrations(
  client: ClientBase,
  page: PageQuestion,
  {
    platform,
    status,
  }: { readonly platform?: string | undefined; readonly status?: IntegrationRow['status'] | undefined },
): Promise<readonly IntegrationRow[]> {
  return await readPage(client, INTEGRATIONS, page, equalTo({ platform, status }));
}
