/** The queue of a test's own database, as the product's role; its clocks can be moved, so that no test waits. */
import type { Pool } from 'pg';
import { type BuildQueue, openBuildQueue } from '../../src/ops/queue.ts';
import type { Night } from '../../src/ops/night.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

export const NIGHT: Night = { day: '2026-07-15', due_ms: Date.parse('2026-07-15T02:00:00Z') };

export interface TestQueue extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly service: Pool;
  readonly queue: BuildQueue;
  /** Another opening of the same queue, as another process has it; closed with the first. */
  reopen(): Promise<BuildQueue>;
  /** Queues the night for these accounts, due long ago. */
  enqueue(accounts: readonly bigint[], night?: Night): Promise<readonly bigint[]>;
  /** The jobs, by account and night. */
  jobs(): Promise<readonly StoredJob[]>;
  /** Lets the time pass until every build that failed may be tried again. */
  passBackoff(): Promise<void>;
  /** Lets the time pass until each heartbeat is overdue, and lets the supervisor look. */
  passHeartbeat(): Promise<void>;
}

export interface StoredJob {
  readonly queue: string;
  readonly account: number;
  readonly night: string | null;
  readonly state: string;
  readonly tries: number;
  readonly output: unknown;
}

function fail(error: Error): never {
  throw error;
}

export async function openTestQueue(): Promise<TestQueue> {
  const database = await createDatabase('template_ledger');
  const service = database.pool('cf_service');
  const opened: BuildQueue[] = [];
  const reopen = async (): Promise<BuildQueue> => {
    const queue = await openBuildQueue({ service, supervise: false, onError: fail });
    opened.push(queue);
    return queue;
  };
  const queue = await reopen();
  return {
    database,
    service,
    queue,
    reopen,
    enqueue: (accounts, night = NIGHT) =>
      queue.enqueueNight({ night, accounts, jitter_ms: 0, now_ms: NIGHT.due_ms + 1 }),
    async jobs() {
      const { rows } = await service.query<StoredJob>(
        `select name as queue, (data ->> 'account_id')::int as account, singleton_key as night, state::text,
           retry_count as tries, coalesce(output, source_output) as output
         from ops.job order by 1, 2, 3`,
      );
      return rows;
    },
    async passBackoff() {
      await service.query(`update ops.job set start_after = now() where state = 'retry'`);
    },
    async passHeartbeat() {
      await service.query(
        `update ops.job set heartbeat_on = heartbeat_on - heartbeat_seconds * interval '1 second' - interval '1 second'
         where state = 'active'`,
      );
      await service.query('update ops.queue set monitor_claim_on = null, monitor_on = null');
      await queue.supervise();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((each) => each.close()));
      await database.drop();
    },
  };
}
