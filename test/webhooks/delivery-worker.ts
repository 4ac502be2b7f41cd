/** A worker that delivers what is due until it is killed: `node delivery-worker.ts <url of cf_service>`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../../src/ledger/connect.ts';
import { createLogger } from '../../src/log.ts';
import { openWebhookQueue } from '../../src/webhooks/queue.ts';
import { deliver } from '../../src/webhooks/deliver.ts';
import { allowAddresses } from '../../src/webhooks/allowed-addresses.ts';

const service = openPool({
  url: process.argv[2] ?? '',
  role: 'cf_service',
  applicationName: 'deliverer',
  max: 1,
  onError: () => undefined,
});
await deliver({
  queue: await openWebhookQueue({ service, onError: () => undefined }),
  service,
  lanes: 1,
  allowed: allowAddresses(['127.0.0.0/8']),
  mail: null,
  sender: 'crossfoot/test',
  now: () => BigInt(Date.now()) * 1_000n,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
  signal: new AbortController().signal,
  logger: createLogger('silent'),
  onAttempt: () => undefined,
  onIdle: () => false,
});
