/** The store's contract, its self-test and a whole build on a real bucket. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOCK } from '../../src/run/machine.ts';
import { untilAnswered } from '../../src/store/retry.ts';
import { openS3Store } from '../../src/store/s3.ts';
import { testStore } from '../../src/store/self-test.ts';
import type { Store } from '../../src/store/store.ts';
import { openBuildHarness, type BuildHarness } from '../snapshot/builder/real-build.ts';
import { unlikeInFolder } from '../snapshot/builder/same-as-in-folder.ts';
import { holdsTheContract } from '../store/contract.ts';
import { freshSettings } from './settings.ts';

function openEmpty(): Store {
  const { bucket, objectStore } = freshSettings();
  return openS3Store({ ...bucket, location: objectStore });
}

/** The contract is about answers, so what gives none is asked again, as every caller does. */
function answering(store: Store): Store {
  return { ...store, create: (key, body) => untilAnswered(CLOCK, () => store.create(key, body)) };
}

describe('the store in a real bucket', () => {
  holdsTheContract(async () => answering(openEmpty()));

  test('passes its self-test', async () => {
    await expect(testStore(openEmpty(), { clock: CLOCK, randomUuid: randomUUID })).resolves.toBeUndefined();
  });

  test('lets one of twenty create each entry of a log, whoever asks for the next', async () => {
    const store = answering(openEmpty());
    const keys = Array.from({ length: 50 }, (_, number) => `v1/a/7/log/${1000 + number}`);
    for (const key of keys) {
      const bodies = Array.from({ length: 20 }, (_, racer) => Buffer.from(`${key} by ${racer}`));
      const outcomes = await Promise.all(bodies.map((body) => store.create(key, body)));
      const winners = bodies.filter((_, racer) => outcomes[racer] === 'created');
      expect(winners).toHaveLength(1);
      expect(Buffer.from((await store.readSmall(key, 100)) ?? [])).toEqual(winners[0]);
    }
  });
});

describe('the fixture company', () => {
  let harness: BuildHarness;
  beforeAll(async () => {
    harness = await openBuildHarness();
  });
  afterAll(() => harness.close());

  test('has the same files from a real bucket as from a folder', async () => {
    expect(await unlikeInFolder(harness, openEmpty())).toEqual([]);
  });
});
