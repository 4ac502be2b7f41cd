import { listMetrics } from '../../ledger/lists/metrics.ts';
import { METRIC } from '../../tables/records/metric.ts';
import { updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';

/** The metrics of an account. */
export const metrics = defineResource(METRIC, {
  sentence: 'Metrics whose readings support value.',
  filters: { updated_since },
  read: listMetrics,
});
