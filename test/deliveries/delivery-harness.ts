/** Deliveries over the real queue of a test's own database, from a store in memory to the scripted S3 or to a folder. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { deliverSnapshots, type DeliverOptions } from '../../src/deliveries/deliver.ts';
import { findDueDeliveries } from '../../src/deliveries/find-due.ts';
import { type DeliveryQueue, openDeliveryQueue } from '../../src/deliveries/queue.ts';
import type { DueDelivery } from '../../src/deliveries/records.ts';
import { addTarget } from '../../src/deliveries/targets.ts';
import { createLogger } from '../../src/log.ts';
import { openBuildQueue } from '../../src/ops/queue.ts';
import type { AuditedBuild } from '../../src/snapshot/builder/publish.ts';
import { SIGNATURE_FILES } from '../../src/snapshot/format/signature-files.ts';
import type { WebhookEvent } from '../../src/webhooks/event.ts';
import { readMarks } from '../../src/snapshot/read/read-marks.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import type { ReplacingStore, Store } from '../../src/store/store.ts';
import { TABLES } from '../../src/tables/all.ts';
import { aBuild, DAY, MIDNIGHT, publishNow } from '../snapshot/builder/build-harness.ts';
import { aSignedBuild, signedStore } from '../snapshot/builder/signed-build.ts';
import { AT_ONCE } from '../store/bucket-harness.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';
import { passBackoff, passLoss } from './lost-worker.ts';
import { openTestTarget } from './test-target.ts';

/** The files of a snapshot in the order in which they are delivered. */
export const FILES: readonly string[] = [
  ...TABLES.map(({ name }) => `${name}.parquet`),
  ...SIGNATURE_FILES,
  'manifest.json',
];

/** The moment and the id of the n-th night: 2026-03-01 is the first. */
export const momentOf = (night: number): bigint => MIDNIGHT + BigInt(night - 1) * DAY;
export const idOf = (night: number): string => `202603${String(night).padStart(2, '0')}T000000Z`;

export interface TestDeliveries extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly service: Pool;
  readonly owner: Client;
  readonly queue: DeliveryQueue;
  readonly s3: ScriptedS3;
  /** What is published. */
  readonly store: Store & { readonly objects: Map<string, Uint8Array> };
  /** An account with a target below this prefix of the scripted bucket. */
  found(prefix: string, keep?: number): Promise<{ readonly account: bigint; readonly target: bigint }>;
  /** Publishes the n-th night of an account. */
  publish(account: bigint, night: number): Promise<void>;
  /** Searches for what is due. */
  find(): Promise<void>;
  /** Delivers what is due, and stops. */
  deliver(options?: Partial<DeliverOptions>): Promise<void>;
  /** Lets the time pass until every delivery that failed may be tried again. */
  passBackoff(): Promise<void>;
  /** Lets the time pass until the loss of a killed worker is noticed, and its deliveries may be tried again. */
  passLoss(): Promise<void>;
  /** The deliveries of an account in the order of their nights, as `snapshot state tries`. */
  states(account: bigint): Promise<readonly string[]>;
  /** Why the last attempts of an account failed. */
  faults(account: bigint): Promise<readonly string[]>;
  /** The keys that were created or replaced since the last look, below a prefix. */
  written(prefix: string): readonly string[];
  /** The text of an object of the bucket; null without one. */
  object(key: string): string | null;
  /** The events since the last look. */
  told(): readonly WebhookEvent[];
  /** What was logged since the last look. */
  logged(): readonly string[];
}

export async function openTestDeliveries(): Promise<TestDeliveries> {
  const database = await createDatabase('template_ledger');
  const s3 = await startScriptedS3();
  const service = database.pool('cf_service');
  const owner = await database.client('cf_owner');
  const queue = await openDeliveryQueue({ service, onError: fail });
  const builds = await openBuildQueue({ service, supervise: false, onError: fail });
  const clock = { now: MIDNIGHT };
  const store = signedStore(clock);
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  let looked = 0;
  const events: WebhookEvent[] = [];
  const marksOf = (account: bigint) => readMarks(store, account);
  const logOf = (account: bigint) => readLog(store, account);
  const openTarget = async ({ address }: DueDelivery): Promise<ReplacingStore> =>
    openTestTarget(address, s3.endpoint);
  return {
    database,
    service,
    owner,
    queue,
    s3,
    store,
    async found(prefix, keep) {
      const { account } = await foundAccount(owner);
      const address = `s3://${BUCKET}/${prefix}`;
      const target = await addTarget(owner, account, {
        address,
        endpoint: null,
        region: null,
        sealed: 'sealed',
        keep: keep ?? null,
      });
      return { account, target };
    },
    async publish(account, night) {
      const at = momentOf(night);
      clock.now = at;
      await publishNow(store, nightOf(account, night));
    },
    find: async () => {
      const { rows } = await owner.query<{ id: bigint }>('select id from ledger.accounts');
      const readAccounts = async () => rows.map(({ id }) => id);
      await findDueDeliveries({ service, queue, readAccounts, logOf, marksOf, logger });
    },
    deliver: (options) =>
      deliverSnapshots({
        queue,
        service,
        store,
        logOf,
        lanes: 1,
        enqueueEvent: async (event) => void events.push(event),
        openTarget,
        clock: AT_ONCE,
        sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
        signal: new AbortController().signal,
        logger,
        onIdle: () => true,
        ...options,
      }),
    passBackoff: () => passBackoff(service),
    passLoss: () => passLoss(service, builds),
    async states(account) {
      const { rows } = await service.query<{ line: string }>(
        `select concat_ws(' ', snapshot_id, state, tries) as line from ops.snapshot_deliveries
         where account_id = $1 order by seq, id`,
        [account],
      );
      return rows.map(({ line }) => line);
    },
    async faults(account) {
      const { rows } = await service.query<{ fault: string }>(
        'select fault from ops.snapshot_deliveries where account_id = $1 and fault is not null order by seq',
        [account],
      );
      return rows.map(({ fault }) => fault);
    },
    written(prefix) {
      const asked = s3.asked
        .slice(looked)
        .filter(({ method, key }) => method === 'PUT' && key.startsWith(prefix));
      looked = s3.asked.length;
      return asked.map(({ key }) => key.slice(prefix.length + 1));
    },
    object: (key) => s3.bucket.objects.get(key)?.body.toString() ?? null,
    told: () => events.splice(0),
    logged: () => lines.splice(0),
    async [Symbol.asyncDispose]() {
      await Promise.all([queue.close(), builds.close()]);
      await s3[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}

/** A signed build with all fourteen tables, each with bytes of its own. */
function nightOf(account_id: bigint, night: number): AuditedBuild {
  const label = `${account_id} ${night}`;
  const at = momentOf(night);
  const tables = new Map(TABLES.map(({ name }) => [name, Buffer.from(`${name} of ${label}`)]));
  const { tables: filled } = aBuild(label, at, tables);
  return {
    ...aSignedBuild(label, at),
    account_id,
    tables: filled,
    night: `2026-03-${String(night).padStart(2, '0')}`,
  };
}

function fail(error: Error): never {
  throw error;
}
