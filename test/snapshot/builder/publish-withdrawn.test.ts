/** A build that failed before its log entry leaves no files of its own, and touches nothing else. */
import { describe, expect, test } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { aBuild, MIDNIGHT, publishNow, SECOND, servedWhole } from './build-harness.ts';

const old = aBuild('old', MIDNIGHT - 20n * SECOND);
const next = aBuild('next', MIDNIGHT - 10n * SECOND);

/** A store with one snapshot, and all that a failed build left in it; its calls can be changed. */
async function leftBy(change: (inner: Store) => Partial<Store>) {
  const objects = new Map<string, Uint8Array>();
  await publishNow(memoryStore(objects), old);
  const before = [...objects.keys()];
  const inner = memoryStore(objects);
  const error: unknown = await publishNow({ ...inner, ...change(inner) }, next).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(await servedWhole(memoryStore(objects), ['old', 'next'])).toBe('old');
  return { error, left: [...objects.keys()].filter((key) => !before.includes(key)), before, objects };
}

describe('the files of a build that failed before its log entry', () => {
  const refusal = new CrossfootError('store_unavailable', 'refused');
  /** Refuses to create objects of this name, or lets the test act before. */
  const refusing =
    (name: string, error: Error = refusal) =>
    (inner: Store): Partial<Store> => ({
      create: async (key, body) => {
        if (key.endsWith(name) && !key.includes('T235940Z')) throw error;
        return await inner.create(key, body);
      },
    });

  test.each(['snapshot.blocks', 'costs.parquet', 'audit.json', 'manifest.json'])(
    'are deleted when %s cannot be created, and nothing of another build is',
    async (name) => {
      const { error, left, before, objects } = await leftBy(refusing(name));
      expect(error).toBe(refusal);
      expect(left).toEqual([]);
      expect([...objects.keys()]).toEqual(before);
    },
  );

  test('are deleted when it is wanted no longer, and its manifest first when that is not read back', async () => {
    const deleted: string[] = [];
    const { left } = await leftBy((inner) => ({
      readSmall: async (key, cap) => {
        if (key.endsWith('manifest.json') && !key.includes('T235940Z')) throw refusal;
        return await inner.readSmall(key, cap);
      },
      delete: async (key) => {
        deleted.push(key.split('/').at(-1) ?? '');
        await inner.delete(key);
      },
    }));
    expect(left).toEqual([]);
    expect(deleted[0]).toBe('manifest.json');
  });

  test('are left to the collector when the builder may not delete, which it tries once', async () => {
    let tries = 0;
    const { error, left } = await leftBy((inner) => ({
      ...refusing('audit.json')(inner),
      delete: async () => {
        tries += 1;
        throw new CrossfootError('store_unavailable', 'forbidden');
      },
    }));
    expect(error).toBe(refusal);
    expect(tries).toBe(1);
    expect(left).toHaveLength(4);
  });

  test('are left to the collector when the store gave no answer: a create may come after the deletion', async () => {
    const silence = new CrossfootError('store_outcome_unknown', 'no answer');
    const { error, left } = await leftBy(refusing('audit.json', silence));
    expect(error).toBe(silence);
    expect(left).toHaveLength(4);
  });

  test('stay once the log entry may have been written', async () => {
    const { error, left } = await leftBy(refusing('0000000002.json'));
    expect(error).toBe(refusal);
    // Two tables with their blocks, audit.json and the manifest.
    expect(left).toHaveLength(6);
  });

  test('stay when an earlier call made them, because that call may have published them', async () => {
    const objects = new Map<string, Uint8Array>();
    await publishNow(memoryStore(objects), next);
    const inner = memoryStore(objects);
    const again: Store = {
      ...inner,
      readSmall: (key, cap) =>
        key.endsWith('.parquet') ? Promise.reject(refusal) : inner.readSmall(key, cap),
    };
    await expect(publishNow(again, next)).rejects.toBe(refusal);
    expect(await servedWhole(memoryStore(objects), ['next'])).toBe('next');
  });
});

test('a build is not published again while a deletion of its files may still come', async () => {
  const inner = memoryStore();
  const lost = new CrossfootError('store_outcome_unknown', 'no answer');
  const failing: Store = {
    ...inner,
    create: async (key, body) => {
      if (key.endsWith('manifest.json')) throw new CrossfootError('store_unavailable', 'refused');
      return await inner.create(key, body);
    },
    delete: async () => {
      throw lost;
    },
  };
  await expect(publishNow(failing, next)).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(publishNow(inner, next)).rejects.toMatchObject({ code: 'store_object_missing' });
  const again = { ...next, nonce: 'f'.repeat(32) };
  expect(await publishNow(inner, again)).toMatchObject({ outcome: 'published' });
});
