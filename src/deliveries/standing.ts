/** How the newest delivery to each target went, for pages and for `status`. It has no address and no secret. */
import { type InferResult, sql } from 'kysely';
import type { Pool } from 'pg';
import { db, readRows } from '../database/query.ts';

const NEWEST = db
  .selectFrom('ops.snapshot_deliveries')
  .distinctOn(['account_id', 'target_id'])
  .select(['account_id', 'target_id', 'snapshot_id', 'state', 'tries', 'fault', 'delivered_at'])
  .orderBy('account_id')
  .orderBy('target_id')
  .orderBy('seq', 'desc');

/** The newest delivery to a target; `delivered_at`. */
export type Standing = Readonly<InferResult<typeof NEWEST>[number]>;

/** The newest delivery to each target of an account. */
export async function readStandings(service: Pool, account_id: bigint): Promise<readonly Standing[]> {
  return await readRows(service, NEWEST.where('account_id', '=', account_id));
}

/** How the newest deliveries of all accounts went. */
export interface DeliveryStatus {
  readonly targets: number;
  readonly delivered: number;
  /** By ascending account and target, up to the requested number: those that failed at least once. */
  readonly troubles: readonly Omit<Standing, 'delivered_at'>[];
}

/** Reads the status of all deliveries. */
export async function readDeliveryStatus(service: Pool, most: number): Promise<DeliveryStatus> {
  const newest = NEWEST.as('newest');
  const [counts] = await readRows(
    service,
    db
      .selectFrom(newest)
      .select((eb) => [
        eb.cast<number>(eb.fn.countAll(), 'int4').as('targets'),
        eb
          .cast<number>(eb.fn.countAll().filterWhere('state', '=', sql.lit('delivered')), 'int4')
          .as('delivered'),
      ]),
  );
  const troubles = await readRows(
    service,
    db
      .selectFrom(newest)
      .select(['account_id', 'target_id', 'snapshot_id', 'state', 'tries', 'fault'])
      .where('fault', 'is not', null)
      .orderBy('account_id')
      .orderBy('target_id')
      .limit(most),
  );
  return { targets: counts?.targets ?? 0, delivered: counts?.delivered ?? 0, troubles };
}
