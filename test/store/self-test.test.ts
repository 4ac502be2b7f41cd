import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CrossfootError } from '../../src/errors.ts';
import { testStore } from '../../src/store/self-test.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from './memory-store.ts';

const TOOLS = {
  randomUuid: randomUUID,
  clock: { now: () => 0n, sleep: async () => undefined, random: () => 0.5 },
};

test('the self-test passes a store that keeps its promises and leaves nothing behind', async () => {
  const objects = new Map<string, Uint8Array>();
  await testStore(memoryStore(objects), TOOLS);
  expect(objects.size).toBe(0);
});

const sound = memoryStore();

const broken: readonly (readonly [string, string, (objects: Map<string, Uint8Array>) => Partial<Store>])[] = [
  [
    'overwrites',
    'a second create loses and changes nothing',
    (objects) => ({
      create: async (key, body) => {
        if (body instanceof Uint8Array) objects.set(key, body);
        return 'created';
      },
    }),
  ],
  [
    'says "exists" but overwrites',
    'a second create loses and changes nothing',
    (objects) => ({
      create: async (key, body) => {
        const outcome = objects.has(key) ? 'exists' : 'created';
        if (body instanceof Uint8Array) objects.set(key, body);
        return outcome;
      },
    }),
  ],
  [
    'checks first and writes later',
    'of 32 parallel creates exactly one wins and is what is read',
    (objects) => ({
      create: async (key, body) => {
        if (objects.has(key)) return 'exists';
        await Promise.resolve();
        if (body instanceof Uint8Array) objects.set(key, body);
        return 'created';
      },
    }),
  ],
  ['lists nothing', 'a fresh key is listed', () => ({ list: () => sound.list('v1/none/') })],
  [
    'ignores the range',
    'a range is read as asked',
    (objects) => ({ readRange: (key) => memoryStore(objects).readRange(key, 0, 10) }),
  ],
  [
    'ignores checksums',
    'bytes that differ from their checksum are refused',
    (objects) => ({
      create: (key, body) =>
        memoryStore(objects).create(key, body instanceof Uint8Array ? body : Buffer.from('x')),
    }),
  ],
  ['keeps what is deleted', 'a deleted key is absent', () => ({ delete: async () => undefined })],
  [
    'is out of reach',
    'a second create loses and changes nothing',
    () => ({
      create: async () => {
        throw new CrossfootError('store_unavailable', 'no');
      },
    }),
  ],
];

test.each(broken)(
  'the self-test refuses a store that %s, naming the check (F-26)',
  async (_, check, faults) => {
    const objects = new Map<string, Uint8Array>();
    const store = { ...memoryStore(objects), ...faults(objects) };
    await expect(testStore(store, TOOLS)).rejects.toMatchObject({
      code: 'store_self_test_failed',
      data: { check },
    });
  },
);

test('the self-test says why a check could not be made, and what to do about that', async () => {
  const refusal = new CrossfootError('store_unavailable', 'store: the bucket refused (403).', {
    hint: 'Log in.',
  });
  const store = { ...memoryStore(), create: () => Promise.reject(refusal) };
  await expect(testStore(store, TOOLS)).rejects.toMatchObject({
    message:
      'store: the check "a second create loses and changes nothing" failed (the bucket refused (403)); no snapshot was written.',
    hint: 'Log in.',
  });
});

/** A store of which every second create is not answered; applied or not, as asked. */
function unsteady(applied: boolean): Store {
  const store = memoryStore();
  let creates = 0;
  return {
    ...store,
    async create(key, body) {
      creates += 1;
      if (creates % 2 === 0) return await store.create(key, body);
      if (applied) await store.create(key, body);
      throw new CrossfootError('store_outcome_unknown', 'no answer');
    },
  };
}

test.each([
  ['was applied', true],
  ['was not applied', false],
])('the self-test passes a store that leaves creates without an answer, when each %s', async (_, applied) => {
  await expect(testStore(unsteady(applied), TOOLS)).resolves.toBeUndefined();
});

const refuseForSpace = async (): Promise<never> => {
  throw new CrossfootError('store_unavailable', 'no space', { data: { step: 'create', code: 'ENOSPC' } });
};

test('the self-test states the code of a full disk, by which `why` advises to free space', async () => {
  const create = refuseForSpace;
  await expect(testStore({ ...memoryStore(), create }, TOOLS)).rejects.toMatchObject({
    code: 'store_self_test_failed',
    data: { code: 'ENOSPC' },
  });
});
