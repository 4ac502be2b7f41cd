import { expect, it } from 'vitest';
import { leaveMark, watchMark } from '../../src/run/store-mark.ts';
import { AT_ONCE } from '../store/bucket-harness.ts';
import { memoryStore } from '../store/memory-store.ts';

it('the check passes a store that was never written to, and refuses one whose mark is gone', async () => {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  const check = await watchMark(store, AT_ONCE);
  await check();
  await leaveMark(store, AT_ONCE);
  await check();
  objects.clear();
  await expect(check()).rejects.toMatchObject({ code: 'store_object_missing' });
  // Still gone: one look does not make the empty store the usual one.
  await expect(check()).rejects.toMatchObject({ code: 'store_object_missing' });
  await leaveMark(store, AT_ONCE);
  await check();
});
