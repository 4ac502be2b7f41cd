/** Webhooks over the real queue of a test's own database, to a real receiver; and the moving of its clocks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { addWebhook } from '../../src/webhooks/endpoints.ts';
import { createLogger } from '../../src/log.ts';
import { openBuildQueue } from '../../src/ops/queue.ts';
import { openWebhookQueue, type WebhookQueue } from '../../src/webhooks/queue.ts';
import { deliver, type DeliverOptions } from '../../src/webhooks/deliver.ts';
import type { WebhookEvent } from '../../src/webhooks/event.ts';
import type { NightChanges } from '../../src/webhooks/night-changes.ts';
import { allowAddresses } from '../../src/webhooks/allowed-addresses.ts';
import { makeSecret } from '../../src/webhooks/signature.ts';
import { createEnqueueEvent, type EnqueueEvent } from '../../src/webhooks/enqueue-event.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { openReceiver, type Receiver } from './receiver.ts';

/** What a test's secrets are, by one byte. */
export const secretOf = (byte: number): string => makeSecret(Buffer.alloc(32, byte));
/** An answer that does not come in this time does not come: the receiver is on this machine, which may be busy. */
const PATIENCE_MS = 500 * Number(process.env['CROSSFOOT_TEST_PATIENCE'] ?? 1);
const BEGINNING = 1_784_080_000_000_000n; // 2026-07-15T01:46:40Z

export interface TestTelling extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly service: Pool;
  readonly owner: Client;
  readonly queue: WebhookQueue;
  readonly receiver: Receiver;
  readonly enqueueEvent: EnqueueEvent;
  /** The snapshots whose manifest was asked what is in no total, as `<account> <snapshot>`. */
  readonly asked: readonly string[];
  /** What changed since the snapshot before, by `<account> <snapshot>`. */
  readonly changes: Map<string, NightChanges>;
  /** The clock of whatever tells and delivers. */
  readonly clock: { now: bigint };
  /** What was logged since the last look, as JSON lines. */
  logged(): readonly Record<string, unknown>[];
  /** An account with a webhook to each of these paths. */
  found(
    ...paths: readonly string[]
  ): Promise<{ readonly account: bigint; readonly webhooks: readonly bigint[] }>;
  /** Delivers what is due, and stops. */
  deliver(options?: Partial<DeliverOptions>): Promise<void>;
  /** Lets the time pass until every delivery that failed may be tried again. */
  passBackoff(): Promise<void>;
  /** Lets the time pass until the holder of a delivery must be gone, and lets the supervisor of a worker look. */
  passLoss(): Promise<void>;
  /** The deliveries of an account in the order of their events, as `state tries answer`. */
  log(account: bigint): Promise<readonly string[]>;
}

/** What every snapshot of these tests leaves out. */
export const LEFT_OUT = { cost: [{ currency: 'EUR', amount_cents: 60_000, entries: 1 }], value: [] };

/** A published snapshot, one a second. */
export function published(account_id: bigint, second: number): WebhookEvent {
  const snapshot_id = `20260715T0201${String(second).padStart(2, '0')}Z`;
  return { type: 'snapshot.published', account_id, snapshot_id, night: '2026-07-15' };
}

function fail(error: Error): never {
  throw error;
}

export async function openTestTelling(): Promise<TestTelling> {
  const database = await createDatabase('template_ledger');
  const receiver = await openReceiver();
  const service = database.pool('cf_service');
  const owner = await database.client('cf_owner');
  const queue = await openWebhookQueue({ service, onError: fail });
  // What a worker has open beside it, which looks after both.
  const builds = await openBuildQueue({ service, supervise: false, onError: fail });
  const lines: string[] = [];
  const asked: string[] = [];
  const changes = new Map<string, NightChanges>();
  const clock = { now: BEGINNING };
  const now = (): bigint => clock.now;
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  return {
    database,
    service,
    owner,
    queue,
    receiver,
    clock,
    enqueueEvent: createEnqueueEvent({
      service,
      queue,
      leftOutOf: async (account_id, snapshot_id) => {
        asked.push(`${account_id} ${snapshot_id}`);
        return LEFT_OUT;
      },
      changesOf: async (account_id, snapshot_id) => changes.get(`${account_id} ${snapshot_id}`) ?? null,
      baseUrl: 'https://figures.example/v1',
      now,
      logger,
    }),
    asked,
    changes,
    logged: () => lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>),
    async found(...paths) {
      const { account } = await foundAccount(owner);
      const webhooks: bigint[] = [];
      for (const [index, path] of paths.entries()) {
        const url = receiver.address(path);
        webhooks.push(await addWebhook(owner, account, { url, secret: secretOf(index + 1) }));
      }
      return { account, webhooks };
    },
    deliver: (options) =>
      deliver({
        queue,
        service,
        lanes: 1,
        allowed: allowAddresses(['127.0.0.0/8']),
        mail: null,
        timeout_ms: PATIENCE_MS,
        sender: 'crossfoot/test',
        now,
        sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
        signal: new AbortController().signal,
        logger,
        onAttempt: () => undefined,
        onIdle: () => true,
        ...options,
      }),
    async passBackoff() {
      await service.query(
        `update ops.job set start_after = now() where name = 'webhook' and state = 'retry'`,
      );
    },
    async passLoss() {
      await service.query(
        `update ops.job set started_on = started_on - interval '2 minutes' where state = 'active'`,
      );
      await service.query('update ops.queue set monitor_claim_on = null, monitor_on = null');
      await builds.supervise();
      await service.query(
        `update ops.job set start_after = now() where name = 'webhook' and state = 'retry'`,
      );
    },
    async log(account) {
      const { rows } = await service.query<{ line: string }>(
        `select concat_ws(' ', d.state, d.tries, coalesce(d.status::text, d.fault)) as line
         from ops.deliveries d where d.account_id = $1 order by d.event_id, d.id`,
        [account],
      );
      return rows.map(({ line }) => line);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([queue.close(), builds.close()]);
      await receiver[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}
