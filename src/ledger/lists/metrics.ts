import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { db } from '../../database/query.ts';
import { type PageQuestion, readPage } from './keyset.ts';

const METRICS = db
  .selectFrom('ledger.metrics')
  .select(['id', 'metric_key', 'name', 'description', 'metric_type', 'unit', 'currency_metric', 'active'])
  .select(['created_at', 'updated_at']);

/** A metric as the read API serves it. */
export type MetricRow = InferResult<typeof METRICS>[number];

/** A page of metrics, oldest change first. */
export async function listMetrics(client: ClientBase, page: PageQuestion): Promise<readonly MetricRow[]> {
  return await readPage(client, METRICS, page);
}
