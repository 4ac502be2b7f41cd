/** The promises of the store's port, run by every implementation of it. */
import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Content, Store } from '../../src/store/store.ts';

export function contentOf(bytes: Uint8Array, pieceBytes = 65_536): Content {
  async function* open(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), open };
}

export async function readAll(pieces: AsyncIterable<Uint8Array> | Uint8Array): Promise<Buffer> {
  if (pieces instanceof Uint8Array) return Buffer.from(pieces);
  const read = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

export async function listAll(store: Pick<Store, 'list'>, prefix: string): Promise<string[]> {
  const keys = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}

async function* breakingSource(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('the source broke');
}

/** Declares the contract's tests for the store that `openEmpty` gives, empty, before each of them. */
export function holdsTheContract(openEmpty: () => Promise<Store>): void {
  const key = 'v1/a/7/s/x/costs.parquet';
  let store: Store;
  beforeEach(async () => {
    store = await openEmpty();
  });

  test('creates an object once and keeps the first body', async () => {
    expect(await store.create(key, Buffer.from('first'))).toBe('created');
    expect(await store.create(key, Buffer.from('second'))).toBe('exists');
    expect(await store.readSmall(key, 100)).toEqual(new Uint8Array(Buffer.from('first')));
  });

  test('lets exactly one of many concurrent creates win', async () => {
    const bodies = Array.from({ length: 32 }, (_, number) => Buffer.from(`body ${number}`));
    const outcomes = await Promise.all(bodies.map((body) => store.create(key, body)));
    const winner = outcomes.indexOf('created');
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(await store.readSmall(key, 100)).toEqual(new Uint8Array(bodies[winner] ?? []));
  });

  test('stores streamed content whole', async () => {
    const bytes = Buffer.alloc(700_001, 'abcdefg');
    expect(await store.create(key, contentOf(bytes))).toBe('created');
    expect(await readAll(store.readRange(key, 0, bytes.length))).toEqual(bytes);
    expect((await store.stat(key))?.size).toBe(700_001);
  });

  test('refuses content with another checksum or size and leaves nothing', async () => {
    const content = contentOf(Buffer.from('sent'));
    const refusal = { code: 'store_checksum_mismatch' };
    await expect(store.create(key, { ...content, sha256: '0'.repeat(64) })).rejects.toMatchObject(refusal);
    await expect(store.create(key, { ...content, size: 5 })).rejects.toMatchObject(refusal);
    expect(await store.stat(key)).toBeNull();
  });

  test('passes on the error of a source that breaks and leaves nothing', async () => {
    const content = { size: 8, sha256: '0'.repeat(64), open: breakingSource };
    await expect(store.create(key, content)).rejects.toBeInstanceOf(Error);
    expect(await store.stat(key)).toBeNull();
  });

  test('answers null for an absent object', async () => {
    expect(await store.readSmall(key, 100)).toBeNull();
    expect(await store.stat(key)).toBeNull();
  });

  test('reads a small object up to its cap and refuses a larger one', async () => {
    await store.create(key, Buffer.from('12345'));
    expect(await store.readSmall(key, 5)).toHaveLength(5);
    await expect(store.readSmall(key, 4)).rejects.toMatchObject({ code: 'store_object_too_large' });
  });

  test('reads exactly the range asked for', async () => {
    await store.create(key, Buffer.from('0123456789'));
    expect(String(await readAll(store.readRange(key, 3, 4)))).toBe('3456');
    expect(String(await readAll(store.readRange(key, 10, 0)))).toBe('');
    await expect(readAll(store.readRange(key, 8, 3))).rejects.toMatchObject({ code: 'store_object_missing' });
    await expect(readAll(store.readRange(`${key}x`, 0, 1))).rejects.toMatchObject({
      code: 'store_object_missing',
    });
  });

  test('keeps an empty object apart from an absent one', async () => {
    await store.create(key, new Uint8Array());
    expect(await store.readSmall(key, 0)).toHaveLength(0);
  });

  test('lists the keys below a prefix in ascending order, and only those', async () => {
    const keys = ['v1/a/7/s.x', 'v1/a/7/s/a-b/m.json', 'v1/a/7/s/a.json', 'v1/a/7/s/a/m.json', 'v1/a/71/s/z'];
    for (const one of keys.toReversed()) await store.create(one, Buffer.from('x'));
    expect(await listAll(store, 'v1/a/7/')).toEqual(keys.slice(0, 4));
    expect(await listAll(store, 'v1/a/7/s/')).toEqual(keys.slice(1, 4));
    expect(await listAll(store, 'v1/a/9/')).toEqual([]);
  });

  test('deletes an object, and deletes it twice without complaint', async () => {
    await store.create(key, Buffer.from('x'));
    await store.delete(key);
    await store.delete(key);
    expect(await store.stat(key)).toBeNull();
    expect(await store.create(key, Buffer.from('y'))).toBe('created');
  });

  const tricks = ['', '/', 'v1', 'v2/x', 'v1/', 'v1//x', 'v1/../x', 'v1/a/..', 'v1/./x', 'v1/.x', 'v1/a\\b'];
  test.each([
    ...tricks,
    'v1/a\0',
    'v1/a b',
    '/v1/x',
    'tmp/x',
    'v1/%2e%2e/x',
    `v1/${'x'.repeat(129)}`,
    'v1/a\n',
  ])('refuses the key %j everywhere', async (trick) => {
    const refusal = { code: 'store_key_invalid' };
    await expect(store.create(trick, Buffer.from('x'))).rejects.toMatchObject(refusal);
    await expect(store.readSmall(trick, 9)).rejects.toMatchObject(refusal);
    await expect(store.stat(trick)).rejects.toMatchObject(refusal);
    await expect(store.delete(trick)).rejects.toMatchObject(refusal);
    await expect(readAll(store.readRange(trick, 0, 1))).rejects.toMatchObject(refusal);
    await expect(listAll(store, `${trick}/`)).rejects.toMatchObject(trick === 'v1' ? {} : refusal);
  });
}
