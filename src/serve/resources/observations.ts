import { listObservations } from '../../ledger/lists/observations.ts';
import { OBSERVATION } from '../../tables/records/observation.ts';
import { initiative_id, parameter, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';

const KEY = /^[a-z0-9_.]{1,200}$/;

const metric_key = parameter(
  (key) => (KEY.test(key) ? key : null),
  'the canonical key of a metric: lower-case letters, digits, underscores and dots',
  {
    type: 'string',
    pattern: KEY.source,
    description: 'Only observations of the metric with this canonical key.',
  },
);

/** Readings and baselines, without deleted ones and those of sample initiatives. */
export const observations = defineResource(OBSERVATION, {
  sentence: 'Metric readings and baselines.',
  filters: { updated_since, initiative_id, metric_key },
  read: listObservations,
});
