import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as promises from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import type { FileSystem } from '../../src/store/directories.ts';
import { openFolderReader, openFolderStore } from '../../src/store/folder.ts';
import type { Store } from '../../src/store/store.ts';
import { contentOf, holdsTheContract, listAll, readAll } from './contract.ts';
import { failingFileSystem } from './failing-file-system.ts';

let base: string;
beforeAll(async () => {
  base = await promises.realpath(await promises.mkdtemp(join(tmpdir(), 'crossfoot-store-')));
});
afterAll(() => promises.rm(base, { recursive: true }));

function openAt(root: string, fs: FileSystem = promises): Promise<Store> {
  return openFolderStore({ fs, root, randomUuid: randomUUID });
}

/** A look at the path that comes too early to see a link put there. */
const identity = (async (path: string) => path) as unknown as FileSystem['realpath']; // its overloads are not used

const refuse = (): Promise<never> => Promise.reject(Object.assign(new Error('EROFS'), { code: 'EROFS' }));

describe('the store in a folder', () => {
  holdsTheContract(() => openAt(join(base, randomUUID())));
});

describe('a folder', () => {
  const key = 'v1/a/7/log/0000000001.json';
  let root: string;
  beforeEach(() => {
    root = join(base, randomUUID());
  });

  test('keeps objects from other users and leaves no temporary file', async () => {
    const store = await openAt(root);
    await store.create(key, Buffer.from('x'));
    await store.create(key, Buffer.from('y'));
    expect((await promises.stat(join(root, key))).mode & 0o777 & ~0o640).toBe(0);
    expect((await promises.stat(join(root, 'v1/a'))).mode & 0o777 & ~0o750).toBe(0);
    expect(await promises.readdir(join(root, 'tmp'))).toEqual([]);
  });

  test('is created with all missing parents, and opened again unchanged', async () => {
    const deep = join(root, 'one', 'two');
    await (await openAt(deep)).create(key, Buffer.from('x'));
    expect(await (await openAt(deep)).readSmall(key, 9)).toHaveLength(1);
  });

  test('may itself be reached through a link', async () => {
    await promises.mkdir(root);
    await promises.symlink(root, `${root}-link`);
    const store = await openAt(`${root}-link`);
    await store.create(key, Buffer.from('x'));
    expect(await store.readSmall(key, 9)).toHaveLength(1);
  });

  test('is read on a file system that refuses every write, and is empty while it is absent', async () => {
    const open = ((path: string, flags: number) => {
      const { O_NOFOLLOW, O_NONBLOCK } = promises.constants;
      return (flags & ~(O_NOFOLLOW | O_NONBLOCK)) === 0 ? promises.open(path, flags) : refuse();
    }) as unknown as FileSystem['open']; // the store opens to read with numbers alone
    const fs = { ...promises, open, mkdir: refuse, link: refuse, unlink: refuse } as FileSystem;
    const reader = await openFolderReader({ fs, root });
    expect([await reader.readSmall(key, 9), await reader.stat(key), await listAll(reader, 'v1/a/')]).toEqual([
      null,
      null,
      [],
    ]);
    await (await openAt(root)).create(key, Buffer.from('abc'));
    expect(Buffer.from((await reader.readSmall(key, 9)) ?? []).toString()).toBe('abc');
    expect((await readAll(reader.readRange(key, 1, 2))).toString()).toBe('bc');
    expect(await listAll(reader, 'v1/a/')).toEqual([key]);
  });

  test('lets others read while the disk takes its time over one (F-33)', async () => {
    const disk = Promise.withResolvers<void>();
    const slow = async (...given: Parameters<typeof promises.open>): Promise<promises.FileHandle> => {
      if (String(given[0]).endsWith('slow')) await disk.promise;
      return promises.open(...given);
    };
    await (await openAt(root)).create('v1/slow', Buffer.from('slow'));
    const store = await openFolderStore({ fs: { ...promises, open: slow }, root, randomUuid: randomUUID });
    const order: string[] = [];
    const waiting = store.readSmall('v1/slow', 9).then(() => order.push('slow'));
    await store.create(key, Buffer.from('x'));
    expect(await store.readSmall(key, 9)).toHaveLength(1);
    order.push('other');
    disk.resolve();
    await waiting;
    expect(order).toEqual(['other', 'slow']);
  });

  test('says when an object was made, in microseconds', async () => {
    const store = await openAt(root);
    await store.create(key, Buffer.from('x'));
    await promises.utimes(join(root, key), 5, 1_700_000_000.5);
    expect((await store.stat(key))?.created_at).toBe(1_700_000_000_500_000n);
  });

  test('A-18: refuses a link in the place of an object, and does not list it', async () => {
    const store = await openAt(root);
    await store.create(key, Buffer.from('x'));
    await promises.writeFile(join(base, 'secret'), 'secret');
    const planted = 'v1/a/7/log/0000000002.json';
    await promises.symlink(join(base, 'secret'), join(root, planted));
    const refusal = { code: 'store_object_refused' };
    await expect(store.readSmall(planted, 99)).rejects.toMatchObject(refusal);
    await expect(store.stat(planted)).rejects.toMatchObject(refusal);
    await expect(readAll(store.readRange(planted, 0, 1))).rejects.toMatchObject(refusal);
    expect(await store.create(planted, Buffer.from('y'))).toBe('exists');
    expect(await listAll(store, 'v1/a/7/log/')).toEqual([key]);
    expect(String(await promises.readFile(join(base, 'secret')))).toBe('secret');
  });

  test('A-18: does not open a link even for the moment before its path is looked at', async () => {
    const store = await openAt(root, { ...promises, realpath: identity });
    await store.create('v1/a/x', Buffer.from('x'));
    await promises.symlink(join(root, 'v1/a/x'), join(root, 'v1/a/y'));
    await expect(store.readSmall('v1/a/y', 9)).rejects.toMatchObject({ code: 'store_object_refused' });
  });

  test('A-18: refuses a symbolic link in place of a directory, for every call', async () => {
    const store = await openAt(root);
    await store.create('v1/a/7/log/1', Buffer.from('x'));
    const outside = join(base, randomUUID());
    await promises.mkdir(outside);
    await promises.writeFile(join(outside, '1'), 'secret');
    await promises.symlink(outside, join(root, 'v1/a/8'));
    const refusal = { code: 'store_object_refused' };
    await expect(store.create('v1/a/8/2', Buffer.from('x'))).rejects.toMatchObject(refusal);
    await expect(store.readSmall('v1/a/8/1', 99)).rejects.toMatchObject(refusal);
    await expect(store.stat('v1/a/8/1')).rejects.toMatchObject(refusal);
    await expect(store.delete('v1/a/8/1')).rejects.toMatchObject(refusal);
    await expect(listAll(store, 'v1/a/8/')).rejects.toMatchObject(refusal);
    expect(await promises.readdir(outside)).toEqual(['1']);
  });

  test('refuses a directory in the place of an object', async () => {
    const store = await openAt(root);
    await store.create(key, Buffer.from('x'));
    await expect(store.readSmall('v1/a/7', 99)).rejects.toMatchObject({ code: 'store_object_refused' });
    expect(await store.readSmall(`${key}/below`, 99)).toBeNull();
  });

  test('opens a FIFO without waiting for a writer', async () => {
    const flags: number[] = [];
    const open = (async (path: string, how: number, mode?: number) => {
      if (path.endsWith('.json')) flags.push(how);
      return await promises.open(path, how, mode);
    }) as unknown as FileSystem['open']; // the store passes numbers to read
    const store = await openAt(root, { ...promises, open });
    await store.create(key, Buffer.from('x'));
    await store.readSmall(key, 9);
    expect(flags.map((how) => how & promises.constants.O_NONBLOCK)).toEqual([promises.constants.O_NONBLOCK]);
  });

  test('refuses a FIFO, a socket and a device in the place of an object at once', async () => {
    const store = await openAt(root);
    await store.create(key, Buffer.from('x'));
    const folder = join(root, 'v1/a/7/log');
    await promisify(execFile)('mkfifo', [join(folder, 'fifo')]);
    await using socket = createServer().listen(join(folder, 'socket'));
    await once(socket, 'listening');
    const planted = ['fifo', 'socket'];
    // Only root may make a device: the null device, under a name of its own.
    if (process.getuid?.() === 0) {
      await promisify(execFile)('mknod', [join(folder, 'device'), 'c', '1', '3']);
      planted.push('device');
    }
    const refusal = { code: 'store_object_refused' };
    for (const name of planted) {
      const at = `v1/a/7/log/${name}`;
      await expect(store.readSmall(at, 99)).rejects.toMatchObject(refusal);
      await expect(store.stat(at)).rejects.toMatchObject(refusal);
      await expect(readAll(store.readRange(at, 0, 1))).rejects.toMatchObject(refusal);
    }
    expect(await listAll(store, 'v1/a/7/log/')).toEqual([key]);
  });

  test.each([
    ['ENOSPC', 'The disk of OBJECT_STORE is full. Run npx --no crossfoot prune: it works on a full disk'],
    ['EDQUOT', 'The disk of OBJECT_STORE is full. Run npx --no crossfoot prune: it works on a full disk'],
    ['EROFS', 'The disk of OBJECT_STORE is mounted read-only'],
    ['EACCES', 'Give this user the right to write to the folder of OBJECT_STORE: correct its owner'],
    ['EPERM', 'Give this user the right to write to the folder of OBJECT_STORE: correct its owner'],
  ])('names the cure when a write meets %s', async (code, cure) => {
    await (await openAt(root)).create('v1/x', Buffer.from('x'));
    const link = () => Promise.reject(Object.assign(new Error(`injected ${code}`), { code }));
    const store = await openAt(root, { ...promises, link });
    await expect(store.create('v1/y', Buffer.from('y'))).rejects.toMatchObject({
      code: 'store_unavailable',
      hint: expect.stringMatching(`^${cure}`),
    });
  });

  test.each(['EACCES', 'EPERM'])('names the folder that refused a write by %s', async (code) => {
    const refused = (path: string) => Promise.reject(Object.assign(new Error(code), { code, path }));
    const mkdir = (path: string) =>
      path.endsWith('/v1') ? refused(path) : promises.mkdir(path).then(() => undefined);
    const store = await openAt(root, { ...promises, mkdir: mkdir as typeof promises.mkdir });
    const folder = await promises.realpath(root);
    await expect(store.create('v1/y', Buffer.from('y'))).rejects.toMatchObject({
      code: 'store_unavailable',
      hint: `Give this user the right to write to ${folder}: correct its owner and its rights.`,
      data: { step: 'create', code, path: folder },
    });
  });

  test('flushes in the order that survives a power cut (F-4)', async () => {
    const calls: string[] = [];
    const store = await openAt(root, failingFileSystem({ onCall: (call) => calls.push(call) }));
    await store.create('v1/x', contentOf(Buffer.from('abc')));
    calls.length = 0;
    await store.create('v1/y', contentOf(Buffer.from('abc')));
    expect(calls).toEqual([
      'open tmp/*',
      'writeFile tmp/*',
      'sync tmp/*',
      'close tmp/*',
      'link v1/y',
      'open v1',
      'sync v1',
      'close v1',
      'unlink tmp/*',
    ]);
  });

  test('flushes the folders it made for its root, and a removal', async () => {
    const synced: string[] = [];
    const onCall = (call: string) => call.startsWith('sync') && synced.push(call.replace(base, 'BASE'));
    const store = await openAt(join(root, 'deep'), failingFileSystem({ onCall }));
    expect(synced.splice(0)).toEqual(['sync BASE', `sync ${root.replace(base, 'BASE')}`]);
    await store.create(key, Buffer.from('x'));
    synced.length = 0;
    await store.delete(key);
    expect(synced).toEqual(['sync v1/a/7/log']);
  });

  test('flushes the directory after a lost race too, and each new directory into the one above', async () => {
    await (await openAt(root)).create('v1/a/x', Buffer.from('1'));
    const synced: string[] = [];
    const store = await openAt(
      root,
      failingFileSystem({ onCall: (call) => call.startsWith('sync') && synced.push(call) }),
    );
    await store.create('v1/a/x', Buffer.from('2'));
    expect(synced).toEqual(['sync .', 'sync v1', 'sync .', 'sync tmp/*', 'sync v1/a']);
  });
});

describe.each(['EIO', 'ENOSPC'])('when a file system call fails with %s', (code) => {
  const key = 'v1/a/7/s/x/costs.parquet';
  const body = Buffer.alloc(200_000, 'body');

  /** Writes and reads one object with the n-th call failing: which call it was, what was thrown and what is left. */
  async function failAt(number: number) {
    const root = join(base, randomUUID());
    const healthy = await openAt(root);
    const fs = failingFileSystem({ failAt: number, code });
    const thrown: unknown = await openAt(root, fs)
      .then(async (store) => {
        await store.create(key, contentOf(body));
        await readAll(store.readRange(key, 0, body.length));
        return null;
      })
      .catch((error: unknown) => error);
    const left = await healthy.readSmall(key, body.length);
    await healthy.create(key, contentOf(body));
    const retried = await healthy.readSmall(key, body.length);
    return {
      failed: fs.failed(),
      outcome: isCrossfootError(thrown, 'store_unavailable') ? thrown.data['code'] : thrown,
      left: left === null ? 'none' : body.equals(left) ? 'whole' : 'part',
      retried: retried !== null && body.equals(retried),
    };
  }

  test('no part of an object is ever readable, and a retry succeeds (F-29, F-32)', async () => {
    const runs = [];
    for (let number = 1; runs.at(-1)?.failed !== null; number += 1) runs.push(await failAt(number));
    const failures = runs.slice(0, -1);
    expect(failures.filter((run) => run.left === 'part' || !run.retried)).toEqual([]);
    // Only the removal of the temporary name may fail without a word: the object is whole by then.
    expect(failures.filter((run) => run.outcome !== code)).toEqual([
      { failed: 'unlink tmp/*', outcome: null, left: 'whole', retried: true },
    ]);
    // Directories v1, a, 7, s, x and tmp: 5 calls each; opening, writing and reading the file: 19 more.
    expect(failures).toHaveLength(49);
  });
});
