import type { ClientBase } from 'pg';
import { type PageQuestion, type Place, readPage } from './keyset.ts';

/** A metric as the read API serves it. */
export interface MetricRow extends Place {
  readonly metric_key: string;
  readonly name: string;
  readonly description: string | null;
  readonly metric_type: string | null;
  readonly unit: string | null;
  readonly currency_metric: boolean;
  readonly active: boolean;
  readonly created_at: bigint;
}

const METRICS = {
  view: 'ledger.metrics',
  columns: `id, metric_key, name, description, metric_type, unit, currency_metric, active, created_at, updated_at`,
};

/** A page of metrics, oldest change first. */
export async function listMetrics(client: ClientBase, page: PageQuestion): Promise<readonly MetricRow[]> {
  return await readPage<MetricRow>(client, METRICS, page);
}
