/** What the queue does about deliveries whose worker was killed, without the wait for its heartbeats. */
import type { Pool } from 'pg';
import type { BuildQueue } from '../../src/ops/queue.ts';

/** Lets the time pass until every delivery that failed or was lost may be tried again. */
export async function passBackoff(service: Pool): Promise<void> {
  await service.query(`update ops.job set start_after = now() where name = 'delivery' and state = 'retry'`);
}

/** Lets the time pass until the loss of a killed worker is noticed, and its deliveries may be tried again. */
export async function passLoss(service: Pool, builds: Pick<BuildQueue, 'supervise'>): Promise<void> {
  await service.query(
    `update ops.job set heartbeat_on = heartbeat_on - heartbeat_seconds * interval '1 second' - interval '1 second'
     where name = 'delivery' and state = 'active'`,
  );
  await service.query('update ops.queue set monitor_claim_on = null, monitor_on = null');
  await builds.supervise();
  await passBackoff(service);
}
