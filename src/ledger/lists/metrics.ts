import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { METRIC } from '../../tables/records/metric.ts';
import { type PageQuestion, readPage } from './keyset.ts';
import { selectRecord } from './select-record.ts';

const METRICS = selectRecord(METRIC);

/** A metric as the read API serves it. */
export type MetricRow = InferResult<typeof METRICS>[number];

/** A page of metrics, oldest change first. */
export async function listMetrics(client: ClientBase, page: PageQuestion): Promise<readonly MetricRow[]> {
  return await readPage(client, METRICS, page);
}
