import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { OBSERVATION } from '../../tables/records/observation.ts';
import { type Condition, equalTo, type PageQuestion, readPage, when } from './keyset.ts';
import { selectRecord } from './select-record.ts';

const OBSERVATIONS = selectRecord(OBSERVATION).where((eb) => eb.and([eb.ref('kept'), eb.not('is_sample')]));

/** An observation as the read API serves it. */
export type ObservationRow = InferResult<typeof OBSERVATIONS>[number];

/** A page of observations, oldest change first; without deleted ones and those of sample initiatives. */
export async function listObservations(
  client: ClientBase,
  page: PageQuestion,
  {
    initiative_id,
    metric_key,
  }: { readonly initiative_id?: bigint | undefined; readonly metric_key?: string | undefined },
): Promise<readonly ObservationRow[]> {
  return await readPage(client, OBSERVATIONS, page, [
    ...equalTo({ initiative_id }),
    // Find the metric's id first: the index in the order of changes has the id, not the key.
    ...when(
      metric_key,
      (key): Condition =>
        sql`metric_id = (select m.id from ledger.metrics m where m.account_id = ${page.account_id} and m.metric_key = ${key})`,
    ),
  ]);
}
