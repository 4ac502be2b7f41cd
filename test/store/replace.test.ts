/** Objects that may be replaced, in a folder and in a bucket. */
import * as fs from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFolderTarget } from '../../src/store/folder-replace.ts';
import { DELIVERED_KEY } from '../../src/store/object-key.ts';
import type { ReplacingStore } from '../../src/store/store.ts';
import { type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';
import { openScriptedTarget } from './bucket-harness.ts';

let s3: ScriptedS3;
let folder: string;
beforeAll(async () => {
  [s3, folder] = await Promise.all([startScriptedS3(), fs.mkdtemp(join(tmpdir(), 'crossfoot-replace-'))]);
});
afterAll(async () => {
  await s3[Symbol.asyncDispose]();
  await fs.rm(folder, { recursive: true });
});

const KEY = 'latest.json';
const stores: readonly (readonly [string, () => Promise<ReplacingStore>])[] = [
  ['folder', () => openFolderTarget({ fs, root: join(folder, randomUUID()), randomUuid: randomUUID })],
  ['bucket', async () => openScriptedTarget(s3, { keys: DELIVERED_KEY })],
];

describe.each(stores)('an object of a %s', (_, open) => {
  it('is created if there is none, and replaced only in the version that was read', async () => {
    const store = await open();
    expect(await store.readVersion(KEY, 100)).toBeNull();
    expect(await store.replace(KEY, Buffer.from('one'), null)).toBe('replaced');
    expect(await store.replace(KEY, Buffer.from('two'), null)).toBe('changed');
    const first = await store.readVersion(KEY, 100);
    expect(Buffer.from(first?.bytes ?? []).toString()).toBe('one');
    expect(await store.replace(KEY, Buffer.from('three'), first?.version ?? '')).toBe('replaced');
    expect(await store.replace(KEY, Buffer.from('four'), first?.version ?? '')).toBe('changed');
    expect(Buffer.from((await store.readSmall(KEY, 100)) ?? []).toString()).toBe('three');
    await store.delete(KEY);
    expect(await store.replace(KEY, Buffer.from('five'), first?.version ?? '')).toBe('changed');
    expect(await store.stat(KEY)).toBeNull();
  });

  it('is not read if it is larger than may be', async () => {
    const store = await open();
    await store.replace(KEY, Buffer.alloc(101), null);
    await expect(store.readVersion(KEY, 100)).rejects.toMatchObject({ code: 'store_object_too_large' });
  });
});

describe('a replaced object', () => {
  it('of a bucket that compares tags without quotes, as Ceph 16 does, is replaced only in the version that was read', async () => {
    s3.bucket.plainTags = true;
    const store = openScriptedTarget(s3, { keys: DELIVERED_KEY });
    await store.replace(KEY, Buffer.from('one'), null);
    const first = await store.readVersion(KEY, 100);
    expect(await store.replace(KEY, Buffer.from('two'), first?.version ?? '')).toBe('replaced');
    expect(await store.replace(KEY, Buffer.from('three'), first?.version ?? '')).toBe('changed');
    expect(Buffer.from((await store.readSmall(KEY, 100)) ?? []).toString()).toBe('two');
    s3.bucket.plainTags = false;
  });
});

describe('a replaced file', () => {
  it('leaves nothing else in its folder', async () => {
    const root = join(folder, 'alone');
    const store = await openFolderTarget({ fs, root, randomUuid: randomUUID });
    await store.replace(KEY, Buffer.from('one'), null);
    const before = await store.readVersion(KEY, 100);
    await store.replace(KEY, Buffer.from('two'), before?.version ?? '');
    const files = await fs.readdir(root, { recursive: true, withFileTypes: true });
    expect(files.filter((each) => each.isFile()).map(({ name }) => name)).toEqual([KEY]);
  });
});
