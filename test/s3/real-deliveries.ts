/** Deliveries into a real bucket: whole, in order, replaced on a condition, and deleted when no longer kept. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { DeliverOptions } from '../../src/deliveries/deliver.ts';
import { probeTarget } from '../../src/deliveries/probe-target.ts';
import { DELIVERED_KEY } from '../../src/store/object-key.ts';
import { openS3Store } from '../../src/store/s3.ts';
import type { ReplacingStore } from '../../src/store/store.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { FILES, idOf, openTestDeliveries, type TestDeliveries } from '../deliveries/delivery-harness.ts';
import { freshSettings } from './settings.ts';

const CAP_BYTES = 100_000;
let deliveries: TestDeliveries;
let target: ReplacingStore;
beforeAll(async () => {
  deliveries = await openTestDeliveries();
  target = freshTarget();
});
afterAll(() => deliveries[Symbol.asyncDispose]());

/** A target below a prefix of its own, which is empty therefore. */
function freshTarget(): ReplacingStore {
  const { bucket, objectStore } = freshSettings();
  return openS3Store({ ...bucket, location: objectStore, keys: DELIVERED_KEY });
}
const into = (store: ReplacingStore): Partial<DeliverOptions> => ({
  openTarget: async () => store,
  clock: CLOCK,
});
const bytesIn = async (store: ReplacingStore, key: string): Promise<Buffer> =>
  Buffer.from((await store.readSmall(key, CAP_BYTES)) ?? []);
const textOf = async (key: string): Promise<string> => (await bytesIn(target, key)).toString();
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const named = z.object({
  manifest_sha256: z.string(),
  tables: z.array(z.object({ file: z.string(), sha256: z.string() })),
});

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
  await deliveries.deliver(into(target));
  expect(await textOf('latest.json')).toContain(`"snapshot_id": "${idOf(2)}"`);
  await deliveries.service.query(`update ops.job set start_after = now() where name = 'delivery'`);
  await deliveries.deliver(into(target));
  expect(await deliveries.states(account)).toEqual([1, 2].map((night) => `${idOf(night)} delivered 1`));
  expect(await textOf('latest.json')).toContain(`"snapshot_id": "${idOf(2)}"`);
  for (const night of [1, 2]) {
    expect(await textOf(`snapshots/${idOf(night)}/costs.parquet`)).toBe(`costs of ${account} ${night}`);
  }
  await deliveries.publish(account, 3);
  await deliveries.find();
  await deliveries.deliver(into(target));
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

test('a delivery into a real bucket has the digests that were published, and latest.json names them', async () => {
  const own = freshTarget();
  const { account } = await deliveries.found('digests');
  await deliveries.publish(account, 1);
  await deliveries.find();
  await deliveries.deliver(into(own));
  expect(await deliveries.states(account)).toEqual([`${idOf(1)} delivered 1`]);
  const published = FILES.map((file) => {
    const found = [...deliveries.store.objects].find(
      ([key]) => key.startsWith(`v1/a/${account}/s/`) && key.endsWith(`/${file}`),
    );
    return [file, sha256(found?.[1] ?? new Uint8Array())] as const;
  });
  const delivered = await Promise.all(
    FILES.map(async (file) => [file, sha256(await bytesIn(own, `snapshots/${idOf(1)}/${file}`))] as const),
  );
  expect(delivered).toEqual(published);
  const digestOf = new Map(published);
  const latest = named.parse(JSON.parse((await bytesIn(own, 'latest.json')).toString()));
  expect(latest.manifest_sha256).toBe(digestOf.get('manifest.json'));
  expect(latest.tables.map(({ sha256: digest }) => digest)).toEqual(
    latest.tables.map(({ file }) => digestOf.get(file)),
  );
});

test('a delivery overwrites nothing in a real bucket, and then makes no manifest', async () => {
  const own = freshTarget();
  const { account } = await deliveries.found('theirs');
  await deliveries.publish(account, 1);
  await deliveries.find();
  const key = `snapshots/${idOf(1)}/costs.parquet`;
  expect(await own.create(key, Buffer.from('mine'))).toBe('created');
  await deliveries.deliver(into(own));
  expect((await bytesIn(own, key)).toString()).toBe('mine');
  expect(await own.stat(`snapshots/${idOf(1)}/manifest.json`)).toBeNull();
  expect(await own.stat('latest.json')).toBeNull();
  expect(await deliveries.faults(account)).toEqual([
    `delivery: ${key} is there with other bytes than were published.`,
  ]);
});
