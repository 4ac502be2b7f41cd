/** Whether the snapshot that a build is asked for is there already. */
import { expect, it } from 'vitest';
import { alreadyBuilt, type BuildJob } from '../../../src/snapshot/builder/build-start.ts';
import { publish } from '../../../src/snapshot/builder/publish.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, clockAt, publishNow, SECOND } from './build-harness.ts';

const rebuild = (requested_at: bigint | undefined): BuildJob => ({
  account_id: ACCOUNT,
  nonce: '0'.repeat(32),
  night: null,
  once: false,
  requested_at,
  builder: 'test',
  signal: new AbortController().signal,
});

/** Whether a rebuild requested then finds its snapshot, one of MIDNIGHT and 123456 µs having been published. */
async function isThere(requested_at: bigint | undefined): Promise<boolean> {
  const store = memoryStore();
  await publishNow(store, aBuild('one', MIDNIGHT + 123_456n));
  const tools = { store, clock: clockAt(MIDNIGHT) };
  return (await alreadyBuilt(await readLog(store, ACCOUNT), rebuild(requested_at), tools)) !== undefined;
}

it.each([
  ['requested before its moment', MIDNIGHT - SECOND, true],
  ['requested at its very moment', MIDNIGHT + 123_456n, true],
  ['requested a microsecond later, in the same second', MIDNIGHT + 123_457n, false],
  ['requested after it was published', MIDNIGHT + 61n * SECOND, false],
  ['of nobody who says when', undefined, false],
])('a rebuild %s finds a snapshot: %s', async (_, requested_at, found) => {
  expect(await isThere(requested_at)).toBe(found);
});

it('a rebuild finds no earlier snapshot in a log without entries', async () => {
  const store = memoryStore();
  const tools = { store, clock: clockAt(MIDNIGHT) };
  expect(await alreadyBuilt(await readLog(store, ACCOUNT), rebuild(MIDNIGHT), tools)).toBeUndefined();
});

it('a rebuild is not answered by a head of the future', async () => {
  const store = memoryStore();
  // Its moment is two years later than the entry that states it.
  await publish(aBuild('future', MIDNIGHT + 730n * DAY), await readLog(store, ACCOUNT), {
    store,
    clock: clockAt(MIDNIGHT + 60n * SECOND),
  });
  const tools = { store, clock: clockAt(MIDNIGHT) };
  expect(await alreadyBuilt(await readLog(store, ACCOUNT), rebuild(MIDNIGHT), tools)).toBeUndefined();
});
