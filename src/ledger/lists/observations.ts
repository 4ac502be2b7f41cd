import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db } from '../../database/query.ts';
import type { Database } from '../../database/schema.ts';
import { type PageQuestion, readPage, when } from './keyset.ts';

export const BASELINE_METHODS = [
  'history',
  'time_study',
  'without_ai_sample',
  'benchmark',
  'estimate',
] as const;

type SourceType = Exclude<Database['reporting.observations']['source_type'], 'time_study'>;

const OBSERVATIONS = db
  .selectFrom('reporting.observations')
  .select(['id', 'metric_id', 'metric_key', 'initiative_id', 'value', 'currency', 'role', 'baseline_method'])
  .select(['observed_at', 'period_start', 'period_end', 'is_estimated', 'sample_size', 'quality_score'])
  .select((eb) => {
    const source = eb.ref('source_type');
    return sql<SourceType>`case when ${source} = 'time_study' then 'calculated' else ${source} end`.as(
      'source_type',
    );
  })
  .select(['source_ref', 'connection_id', 'created_at', 'updated_at'])
  .where((eb) => eb.and([eb.ref('kept'), eb.not('is_sample')]));

/** An observation as the read API serves it. */
export type ObservationRow = InferResult<typeof OBSERVATIONS>[number];

export interface ObservationFilters {
  readonly initiative_id?: bigint | undefined;
  readonly metric_key?: string | undefined;
}

/** A page of observations, oldest change first; without deleted ones and those of sample initiatives. */
export async function listObservations(
  client: ClientBase,
  page: PageQuestion,
  { initiative_id, metric_key }: ObservationFilters,
): Promise<readonly ObservationRow[]> {
  const wanted = OBSERVATIONS.where((eb) =>
    eb.and([
      ...when(initiative_id, (id) => eb('initiative_id', '=', id)),
      // Find the metric's id first: the index in the order of changes has the id, not the key.
      ...when(metric_key, (key) =>
        eb(
          'metric_id',
          '=',
          eb
            .selectFrom('ledger.metrics as m')
            .select('m.id')
            .where('m.account_id', '=', page.account_id)
            .where('m.metric_key', '=', key),
        ),
      ),
    ]),
  );
  return await readPage(client, wanted, page);
}
