/** The scrub that runs after each night: what it tells the log, and whom it has built anew, in the real queue. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AFTER_NIGHT } from '../../../src/run/worker/night-steps.ts';
import { CLOCK } from '../../../src/run/machine.ts';
import { readSettings } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import { pin, pinEnd } from '../../../src/snapshot/keep/pins.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { openTestQueue, type TestQueue } from '../../ops/queue-harness.ts';
import { aBuild, ACCOUNT, DAY, publishNow } from '../../snapshot/builder/build-harness.ts';
import { marking } from '../../snapshot/keep/prune-harness.ts';
import { flipBit } from '../../commands/published-folder.ts';

const NOW = CLOCK.now();
/** Both were last read so long ago that they are due, and neither has expired. */
const [EARLIER, NEWEST] = [NOW - 9n * DAY, NOW - DAY];

let queue: TestQueue;
let root: string;
beforeEach(async () => {
  queue = await openTestQueue();
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-scrub-'));
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  for (const moment of [EARLIER, NEWEST]) await publishNow(store, aBuild(String(moment), moment));
  const pinned = { account_id: ACCOUNT, snapshot_id: snapshotIdOf(EARLIER), name: 'close-2026-10' };
  const { by, newNonce } = marking();
  await pin({ ...pinned, until: pinEnd(NOW), by, now: NOW }, { store, clock: CLOCK, newNonce });
});
afterEach(async () => {
  await queue[Symbol.asyncDispose]();
  await fs.rm(root, { recursive: true });
});

async function damage(moment: bigint): Promise<void> {
  const { nonce } = aBuild(String(moment), moment);
  await flipBit(join(root, `objects/v1/a/${ACCOUNT}/s/${snapshotIdOf(moment)}-${nonce}/costs.parquet`));
}

/** Runs the step, and gives the lines of the log without their times. */
async function scrub(): Promise<readonly unknown[]> {
  const lines: string[] = [];
  const ledgerUrl = queue.database.url('cf_reader');
  await AFTER_NIGHT.find(({ name }) => name === 'scrub')?.run({
    settings: readSettings({ DATA_DIR: root }),
    databases: { ledgerUrl, ownerUrl: null, embedded: false },
    session: queue,
    logger: createLogger('info', { write: (line) => lines.push(line) }),
    signal: new AbortController().signal,
  });
  return lines.map((line) => ({ ...(JSON.parse(line) as object), time: '' }));
}

const line = (level: string, event: string, fields: object) => ({ level, event, time: '', ...fields });

it('an account whose newest snapshot is damaged is built anew before all nights', async () => {
  await damage(NEWEST);
  expect(await scrub()).toEqual([
    line('error', 'snapshot.quarantined', {
      account: '7',
      snapshot: snapshotIdOf(NEWEST),
      file: 'costs.parquet',
    }),
    line('info', 'scrub.completed', {
      rows: 2,
      bytes: expect.any(Number),
      found: '1 damaged, 0 left for later',
    }),
    line('info', 'rebuild.queued', { rows: 1 }),
  ]);
  expect(await queue.queue.take()).toMatchObject({ account_id: ACCOUNT, night: null });
});

it('the scrub logs damage in an earlier snapshot and the affected pin, and queues no rebuild', async () => {
  await damage(EARLIER);
  const fields = { account: '7', snapshot: snapshotIdOf(EARLIER) };
  expect(await scrub()).toMatchObject([
    line('error', 'snapshot.quarantined', { ...fields, file: 'costs.parquet' }),
    line('error', 'pin.lost', { ...fields, step: 'close-2026-10' }),
    { event: 'scrub.completed', found: '1 damaged, 0 left for later' },
  ]);
  expect(await queue.jobs()).toEqual([]);
});

it('the scrub says that all is well, and that a damaged snapshot was restored', async () => {
  await damage(EARLIER);
  await scrub();
  await damage(EARLIER); // the same bit again
  expect(await scrub()).toMatchObject([
    line('info', 'snapshot.restored', { account: '7', snapshot: snapshotIdOf(EARLIER) }),
    { event: 'scrub.completed', rows: 1, found: '0 damaged, 0 left for later' },
  ]);
  expect(await queue.jobs()).toEqual([]);
});
