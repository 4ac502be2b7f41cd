/**
 * A worker that delivers what is due, until nothing is or until it is killed:
 * `node worker-process.ts <url of cf_service> <endpoint of the bucket> <folder of the object store> <lanes>`.
 */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliverSnapshots } from '../../src/deliveries/deliver.ts';
import { openDeliveryQueue } from '../../src/deliveries/queue.ts';
import { openPool } from '../../src/ledger/connect.ts';
import { createLogger } from '../../src/log.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { AT_ONCE } from '../store/bucket-harness.ts';
import { openTestTarget } from './test-target.ts';

const [url = '', endpoint = '', root = '', lanes = ''] = process.argv.slice(2);
const service = openPool({
  url,
  role: 'cf_service',
  applicationName: 'worker to be killed',
  max: Number(lanes) + 2,
  onError: () => undefined,
});
const store = await openFolderStore({ fs, root, randomUuid: randomUUID });
const queue = await openDeliveryQueue({ service, onError: () => undefined });
await deliverSnapshots({
  queue,
  service,
  store,
  logOf: (account) => readLog(store, account),
  lanes: Number(lanes),
  enqueueEvent: async () => undefined,
  openTarget: async ({ address }) => openTestTarget(address, endpoint),
  clock: AT_ONCE,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
  signal: new AbortController().signal,
  logger: createLogger('silent'),
  onIdle: () => true,
});
await queue.close();
await service.end();
