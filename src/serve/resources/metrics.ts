import { listMetrics } from '../../ledger/lists/metrics.ts';
import { updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';
import { component, integer, text, timestamp, boolean } from '../contract/shapes.ts';
import { shownAs } from '../contract/shown.ts';

const row = component('Metric', 'A metric: something that is measured.', {
  id: integer('The metric.'),
  metric_key: text('Its canonical key.'),
  name: text('Its display name.'),
  description: text('Free text; null when none was given.').nullable(),
  metric_type: text('For example count, duration, percentage, currency; null when not given.').nullable(),
  unit: text('The unit of its readings; null when they have none.').nullable(),
  currency_metric: boolean('True when its readings are money.'),
  active: boolean('False once the metric is no longer read.'),
  created_at: timestamp('First written.'),
  updated_at: timestamp('Last changed; lists are ordered by it.'),
});

/** The metrics of an account. */
export const metrics = defineResource({
  name: 'metrics',
  component: 'Metric',
  sentence: 'Metrics whose readings support value.',
  row,
  filters: { updated_since },
  read: listMetrics,
  show: (metric) => shownAs(row, metric, {}),
});
