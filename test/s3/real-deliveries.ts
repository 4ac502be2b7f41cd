/** Deliveries into a real bucket: whole, in order, replaced on a condition, and deleted when no longer kept. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeliverOptions } from '../../src/deliveries/deliver.ts';
import { probeTarget } from '../../src/deliveries/probe-target.ts';
import { DELIVERED_KEY } from '../../src/store/object-key.ts';
import { openS3Store } from '../../src/store/s3.ts';
import type { ReplacingStore } from '../../src/store/store.ts';
import { PACE } from '../../src/run/surroundings.ts';
import { FILES, idOf, openTestDeliveries, type TestDeliveries } from '../deliveries/delivery-harness.ts';
import { freshSettings } from './settings.ts';

const CAP_BYTES = 100_000;
let deliveries: TestDeliveries;
let target: ReplacingStore;
beforeAll(async () => {
  deliveries = await openTestDeliveries();
  const { bucket, objectStore } = freshSettings();
  target = openS3Store({ ...bucket, location: objectStore, keys: DELIVERED_KEY });
});
afterAll(() => deliveries[Symbol.asyncDispose]());

const options = (): Partial<DeliverOptions> => ({ openTarget: async () => target, pace: PACE });
const textOf = async (key: string): Promise<string> =>
  Buffer.from((await target.readSmall(key, CAP_BYTES)) ?? []).toString();

test('a real bucket keeps what a delivery needs of a target', async () => {
  expect(await probeTarget(target, randomUUID)).toBe(true);
});

test('a delivery into a real bucket is whole, moves latest.json on, and never back', async () => {
  const { account } = await deliveries.found('unused', 2);
  for (const night of [1, 2]) {
    await deliveries.publish(account, night);
    await deliveries.find();
  }
  // The newer night first: its job is taken back from the queue's end.
  await deliveries.service.query(
    `update ops.job set start_after = now() + interval '1 hour' where name = 'delivery' and state = 'created'
     and data ->> 'delivery_id' = (select min(id)::text from ops.snapshot_deliveries)`,
  );
  await deliveries.deliver(options());
  expect(await textOf('latest.json')).toContain(`"snapshot_id": "${idOf(2)}"`);
  await deliveries.service.query(`update ops.job set start_after = now() where name = 'delivery'`);
  await deliveries.deliver(options());
  expect(await deliveries.states(account)).toEqual([1, 2].map((night) => `${idOf(night)} delivered 1`));
  expect(await textOf('latest.json')).toContain(`"snapshot_id": "${idOf(2)}"`);
  for (const night of [1, 2]) {
    expect(await textOf(`snapshots/${idOf(night)}/costs.parquet`)).toBe(`costs of ${account} ${night}`);
  }
  await deliveries.publish(account, 3);
  await deliveries.find();
  await deliveries.deliver(options());
  expect(await deliveries.faults(account)).toEqual([]);
  const there = await Promise.all(
    [1, 2, 3].map(async (night) => {
      const stats = await Promise.all(FILES.map((file) => target.stat(`snapshots/${idOf(night)}/${file}`)));
      return stats.filter((stat) => stat !== null).length;
    }),
  );
  expect(there).toEqual([0, FILES.length, FILES.length]);
  expect(await textOf('latest.json')).toContain(`"snapshot_id": "${idOf(3)}"`);
});
