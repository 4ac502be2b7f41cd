/** Parts that workers wrote for a build are deleted once no build can use them. */
import { expect, it } from 'vitest';
import { partKey, partsPrefix } from '../../../src/snapshot/format/keys.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { aBuild, ACCOUNT, DAY, HOUR, MIDNIGHT, publishNow } from '../builder/build-harness.ts';
import { pruneNow } from './prune-harness.ts';

const prefix = partsPrefix(ACCOUNT, '20260301T000000Z', '0'.repeat(32));

it('the parts of a build stay for 48 hours after the last one, then all of them are deleted', async () => {
  const clock = { now: MIDNIGHT };
  const store = clockedStore(clock);
  // The account has nothing else: its first build was killed.
  await store.create(partKey(prefix, 'costs', 1), Buffer.from('first'));
  clock.now += HOUR;
  await store.create(partKey(prefix, 'costs', 2), Buffer.from('second'));
  clock.now += 48n * HOUR;
  expect((await pruneNow(store, clock)).told).toEqual([]);
  clock.now += 1n;
  expect((await pruneNow(store, clock, { dryRun: true })).told).toEqual(['parts 20260301T000000Z']);
  expect(store.keys()).toHaveLength(2);
  expect(await pruneNow(store, clock)).toMatchObject({ accounts: 1, told: ['parts 20260301T000000Z'] });
  expect(store.keys()).toEqual([]);
});

it('the parts of a build are deleted beside its published snapshot, which stays whole', async () => {
  const clock = { now: MIDNIGHT };
  const store = clockedStore(clock);
  await publishNow(store, aBuild('first', MIDNIGHT));
  const published = store.keys();
  await store.create(partKey(prefix, 'costs', 1), Buffer.from('costs of first'));
  clock.now += 3n * DAY;
  expect((await pruneNow(store, clock)).told).toEqual(['parts 20260301T000000Z']);
  expect(store.keys()).toEqual(published);
});
