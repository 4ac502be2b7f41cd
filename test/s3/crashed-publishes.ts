/** Publishes into a real bucket whose gateway and storage are killed at any call of them, and started again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLOCK } from '../../src/run/machine.ts';
import { isCrossfootError } from '../../src/errors.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { snapshotIdOf } from '../../src/snapshot/format/snapshot-id.ts';
import { openS3Store } from '../../src/store/s3.ts';
import type { Store } from '../../src/store/store.ts';
import { holdNumber, servedNumber } from '../chaos/builds/served-build.ts';
import { type StagedFiles, momentOf, publishNumber, stageFrom } from '../chaos/builds/staged-build.ts';
import { ACCOUNT } from '../snapshot/builder/build-harness.ts';
import { watchedStore } from '../snapshot/builder/faulty-tools.ts';
import { openBuildHarness } from '../snapshot/builder/real-build.ts';
import { crashGateway, restartGateway } from './own-gateway.ts';
import { freshSettings } from './settings.ts';

/** Spread over the calls of a publish, from its first to its last; `npm run campaign -- s3 crashed 10` does more. */
const KILLS = Number(process.env['S3_KILLS'] ?? 3);

let files: StagedFiles;
let store: Store;
beforeAll(async () => {
  const harness = await openBuildHarness();
  files = await stageFrom(harness);
  await harness.close();
  const { bucket, objectStore } = freshSettings();
  store = openS3Store({ ...bucket, location: objectStore });
});
// Whatever ends the run takes down what runs.
afterAll(restartGateway);

/** Waits as a builder does, so that a gateway that comes back soon is met again. */
const publishSlowly = (into: Store, number: number) =>
  publishNumber(into, files, number, { sleep: CLOCK.sleep, random: CLOCK.random });

async function publishedIds(): Promise<readonly string[]> {
  const { entries, fault } = await readLog(store, ACCOUNT);
  expect(fault).toBeNull();
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
  const ids = entries.map(({ snapshot_id }) => snapshot_id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  return ids;
}

/** Publishes, and kills the gateway before the call of that number; null when the publish could not be told of. */
async function publishUnderKill(number: number, killedCall: number): Promise<string | null> {
  let calls = 0;
  let restarted: Promise<void> = Promise.resolve();
  const watched = watchedStore(store, () => {
    calls += 1;
    // The call is on its way while its gateway dies.
    if (calls !== killedCall) return;
    restarted = crashGateway().then(restartGateway);
    restarted.catch(() => undefined); // heard of below
  });
  const outcome = await publishSlowly(watched, number).then(
    (result) => result.outcome,
    (error: unknown) => {
      if (isCrossfootError(error)) return null;
      throw error;
    },
  );
  expect(calls).toBeGreaterThanOrEqual(killedCall);
  await restarted;
  return outcome;
}

test('F-20, F-21: what was said to be published is there whole after kill -9 of the gateway, and nothing is there by half', async () => {
  let callsOfOne = 0;
  const counting = watchedStore(store, () => void (callsOfOne += 1));
  expect((await publishSlowly(counting, 1)).outcome).toBe('published');
  expect(callsOfOne).toBeGreaterThan(60);

  let ids = await publishedIds();
  const told: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const number = 2 + 2 * kill;
    const call = 1 + Math.floor((kill * (callsOfOne - 1)) / Math.max(1, KILLS - 1));
    const outcome = await publishUnderKill(number, call);
    told.push(outcome ?? 'failed');
    const served = await servedNumber(store, files);
    expect(outcome === 'published' ? [number] : [number - 1, number], `call ${call}`).toContain(served);
    const after = await publishedIds();
    expect(after.slice(0, ids.length)).toEqual(ids);

    expect((await publishSlowly(store, number + 1)).outcome).toBe('published');
    expect(await servedNumber(store, files)).toBe(number + 1);
    ids = await publishedIds();
  }
  process.stdout.write(`gateway killed in ${KILLS} publishes of ${callsOfOne} calls: ${told.join(', ')}\n`);

  const numbers = Array.from({ length: 1 + 2 * KILLS }, (_, before) => 1 + before);
  const published = numbers.filter((number) => ids.includes(snapshotIdOf(momentOf(number))));
  expect(published).toHaveLength(ids.length);
  for (const number of published) await holdNumber(store, files, number);
}, 1_100_000);
