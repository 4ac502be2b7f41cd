import { defineRecord, field } from '../record.ts';
import { created_at } from './shared-fields.ts';

/** A metric: something that is measured. */
export const METRIC = defineRecord({
  name: 'metrics',
  component: 'Metric',
  description: 'A metric: something that is measured.',
  view: 'ledger.metrics',
  fields: {
    id: field('id', 'The metric.'),
    metric_key: field('string', 'Its canonical key.'),
    name: field('string', 'Its display name.'),
    description: field('text?', 'Free text; null when none was given.'),
    metric_type: field('string?', 'For example count, duration, percentage, currency; null when not given.'),
    unit: field('string?', 'The unit of its readings; null when they have none.'),
    currency_metric: field('boolean', 'True when its readings are money.'),
    active: field('boolean', 'False once the metric is no longer read.'),
    created_at,
    updated_at: field('timestamp', 'Last changed; lists are ordered by it.'),
  },
});
