import { BASELINE_METHODS, listObservations } from '../../ledger/lists/observations.ts';
import { initiative_id, parameter, updated_since } from '../contract/queries.ts';
import { defineResource } from '../live/resource.ts';
import {
  component,
  day,
  integer,
  number,
  oneOfThese,
  source,
  text,
  timestamp,
  boolean,
} from '../contract/shapes.ts';
import { shownAs, shownSource } from '../contract/shown.ts';

const row = component('Observation', 'A reading of a metric, or a baseline.', {
  id: integer('The observation.'),
  metric_id: integer('The metric that was observed.').nullable(),
  metric_key: text('The canonical key of that metric.').nullable(),
  initiative_id: integer(
    'The initiative it belongs to; null when it belongs to the whole account.',
  ).nullable(),
  value: number("In the metric's unit; money in `currency`.").nullable(),
  currency: text('The ISO 4217 currency of a money reading; null otherwise.').nullable(),
  role: oneOfThese(['reading', 'baseline'], 'A reading, or a baseline to compare readings with.').nullable(),
  baseline_method: oneOfThese(
    BASELINE_METHODS,
    '`history`, `time_study` (measured); `without_ai_sample` (reconstructed); `benchmark`, `estimate` (estimates); null for a reading.',
  ).nullable(),
  observed_at: timestamp('When it was observed; null when only a period is known.').nullable(),
  period_start: day('The first day it describes; null when it has no period.').nullable(),
  period_end: day('The last day it describes; null when it has none.').nullable(),
  is_estimated: boolean('True when the observation was marked as an estimate.'),
  sample_size: integer('The number of measured cases; null when not recorded.').nullable(),
  quality_score: number('0 to 100; null when not assessed.').nullable(),
  source,
  created_at: timestamp('First written.'),
  updated_at: timestamp('The last change; lists are ordered by it.'),
});

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
export const observations = defineResource({
  name: 'observations',
  component: 'Observation',
  sentence: 'Metric readings and baselines.',
  row,
  filters: { updated_since, initiative_id, metric_key },
  read: listObservations,
  show: (observation) => shownAs(row, observation, { source: shownSource(observation) }),
});
