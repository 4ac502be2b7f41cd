/** A table's file of one block: the manifest states its only digest, so its list of digests is not read. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readAll } from '../../store/contract.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, readerAt } from '../builder/build-harness.ts';
import { published } from './counted-reader.ts';

const first = aBuild('first', MIDNIGHT + 500_000n);
const second = aBuild('second', MIDNIGHT + DAY);
const SECOND_ID = '20260302T000000Z';

test('the list of digests of a file of one block is not read, whole or damaged', async () => {
  const { objects, clock, store } = await published(first, second);
  const key = [...objects.keys()].findLast((one) => one.endsWith('costs.blocks')) ?? '';
  const sound = objects.get(key) ?? new Uint8Array();
  const asked: string[] = [];
  const watched: typeof store = {
    ...store,
    readSmall: (name, cap) => {
      asked.push(name);
      return store.readSmall(name, cap);
    },
  };
  for (const list of [sound, sound.map((byte) => byte ^ 128), sound.subarray(1), new Uint8Array(), null]) {
    if (list === null) objects.delete(key);
    else objects.set(key, list);
    const reader = readerAt(watched, () => clock.now);
    const pieces = await reader.openTable(ACCOUNT, SECOND_ID, 'costs');
    expect(String(await readAll(pieces))).toBe('costs of second');
  }
  expect(asked.filter((name) => name.endsWith('.blocks'))).toEqual([]);
  expect(asked.some((name) => name.endsWith('manifest.json'))).toBe(true);
});

test('a file of one block and its list that are damaged alike are refused', async () => {
  const { objects, clock, store } = await published(first, second);
  const other = Buffer.from('costs of nobody');
  for (const [name, bytes] of [
    ['costs.parquet', other],
    ['costs.blocks', createHash('sha256').update(other).digest()],
  ] as const) {
    objects.set([...objects.keys()].findLast((one) => one.endsWith(name)) ?? '', bytes);
  }
  const reader = readerAt(store, () => clock.now);
  const refusal = { code: 'file_corrupt', status: 503 };
  await expect(reader.openTable(ACCOUNT, SECOND_ID, 'costs')).rejects.toMatchObject(refusal);
});
