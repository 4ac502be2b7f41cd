/** A process that takes a build, says whose it is, and holds it for ever: `node holding-worker.ts <url of cf_service>`. */
import { setInterval } from 'node:timers';
import { openPool } from '../../src/ledger/connect.ts';
import { openBuildQueue } from '../../src/ops/queue.ts';

const service = openPool({
  url: process.argv[2] ?? '',
  role: 'cf_service',
  applicationName: 'holder',
  max: 1,
  onError: () => undefined,
});
const queue = await openBuildQueue({ service, supervise: false, onError: () => undefined });
const build = await queue.take();
process.send?.(String(build?.account_id));
setInterval(() => undefined, 1_000);
