/** The object store in a local folder. A hard link creates an object if it is absent, after its bytes are durable. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CrossfootError } from '../errors.ts';
import { FORBIDDEN_CODES, FREE_SPACE, FULL_DISK_CODES, READING_STEPS } from '../full-disk.ts';
import {
  type FileSystem,
  hasCode,
  openDirectories,
  realPathOf,
  refusedLink,
  temporaryDirectory,
} from './directories.ts';
import { checkKey, checkPrefix } from './object-key.ts';
import type { Content, Memory, Store, StoreReader } from './store.ts';
import type { Instant } from '../instant.ts';

const FILE_MODE = 0o640;
/** Size of one read: a block of a table's file, which is passed on without a copy. */
const READ_BYTES = 1024 * 1024;

export interface FolderStoreOptions {
  readonly fs: FileSystem;
  readonly root: string;
  readonly randomUuid: () => string;
  /** The form of its keys; that of published objects if omitted. */
  readonly keys?: RegExp;
}

/** Opens the store in `root`; creates the folder if it is missing. */
export async function openFolderStore(options: FolderStoreOptions): Promise<Store> {
  const { fs, randomUuid } = options;
  const directories = await answering('open', () => openDirectories(fs, options.root));
  const { root } = directories;

  // 1. write a temporary file  2. flush it  3. link it to its final name, which fails if the name exists (a rename would
  // overwrite)  4. flush the directory  5. remove the temporary name.
  async function create(key: string, body: Uint8Array | Content): Promise<'created' | 'exists'> {
    const final = pathOf(root, key, options.keys);
    const folder = dirname(final);
    const temporary = join(temporaryDirectory(root), randomUuid());
    await directories.ensure(folder);
    await directories.ensure(dirname(temporary));
    const handle = await fs.open(temporary, 'wx', FILE_MODE);
    try {
      try {
        await writeChecked(handle, key, body);
        await handle.sync();
      } finally {
        await handle.close();
      }
      const outcome = await link(temporary, final);
      // Flush after a lost race too: the winner may have died before its flush, and "exists" promises a durable object.
      await directories.flush(folder);
      return outcome;
    } finally {
      // Ignore a failure: the temporary name is harmless, and prune removes it later.
      await fs.unlink(temporary).catch(() => undefined);
    }
  }

  async function link(temporary: string, final: string): Promise<'created' | 'exists'> {
    try {
      await fs.link(temporary, final);
      return 'created';
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return 'exists';
      throw error;
    }
  }

  async function remove(key: string): Promise<void> {
    const path = pathOf(root, key, options.keys);
    try {
      if ((await fs.realpath(dirname(path))) !== dirname(path)) throw refusedLink();
      await fs.unlink(path);
    } catch (error) {
      if (isAbsent(error)) return;
      throw error;
    }
    await directories.flush(dirname(path));
  }

  return {
    ...readerBelow(fs, root, options.keys),
    create: (key, body) => answering('create', () => create(key, body)),
    delete: (key) => answering('delete', () => remove(key)),
  };
}

/** Opens the store in `root` for reading; writes nothing. A missing folder reads as an empty store. */
export async function openFolderReader(
  options: Pick<FolderStoreOptions, 'fs' | 'root'>,
): Promise<StoreReader> {
  return readerBelow(options.fs, await answering('open', () => realPathOf(options.fs, options.root)));
}

/** `root` must be a real path, because every path below it is compared with it. */
function readerBelow(fs: FileSystem, root: string, keys?: RegExp): StoreReader {
  // Without O_NONBLOCK, opening a FIFO waits for a writer: the read would hang and keep the process from ending.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  async function openFile(key: string): Promise<FileHandle | null> {
    const path = pathOf(root, key, keys);
    let handle: FileHandle;
    try {
      handle = await fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (error) {
      if (isAbsent(error)) return null;
      // ENXIO: a socket, or a device without a driver.
      throw hasCode(error, 'ELOOP') || hasCode(error, 'ENXIO') ? refusedLink() : error;
    }
    try {
      // O_NOFOLLOW checks only the last name. The real path shows a link in the directories above.
      if ((await fs.realpath(path)) !== path || !(await handle.stat()).isFile()) throw refusedLink();
      return handle;
    } catch (error) {
      await handle.close();
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  /** Runs `use` with the open file and closes it; null if the object does not exist. */
  async function withFile<T>(key: string, use: (handle: FileHandle) => Promise<T>): Promise<T | null> {
    const handle = await openFile(key);
    if (handle === null) return null;
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  }

  async function* readRange(
    key: string,
    offset: number,
    length: number,
    memory: Memory = (size) => new Uint8Array(size),
  ): AsyncGenerator<Uint8Array> {
    const handle = await answering('read', () => openFile(key));
    if (handle === null) throw missing(key);
    try {
      for (let done = 0; done < length;) {
        const buffer = memory(Math.min(READ_BYTES, length - done));
        const { bytesRead } = await answering('read', () =>
          handle.read(buffer, 0, buffer.length, offset + done),
        );
        if (bytesRead === 0) throw missing(key);
        done += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await answering('read', () => handle.close());
    }
  }

  async function* list(prefix: string): AsyncGenerator<string> {
    checkPrefix(prefix);
    const path = join(root, prefix.slice(0, -1));
    const entries = await answering('list', async () => {
      try {
        if ((await fs.realpath(path)) !== path) throw refusedLink();
        return await fs.readdir(path, { withFileTypes: true });
      } catch (error) {
        if (isAbsent(error)) return [];
        throw error;
      }
    });
    // Sort a directory by its name with a slash, to get the order of keys in a bucket. Links are not listed.
    const names = entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .toSorted((a, b) => (a < b ? -1 : 1));
    for (const name of names) {
      if (name.endsWith('/')) yield* list(prefix + name);
      else yield prefix + name;
    }
  }

  return {
    readSmall: (key, cap_bytes) =>
      answering('read', () => withFile(key, (handle) => readWhole(handle, key, cap_bytes))),
    stat: (key) => answering('stat', () => withFile(key, describe)),
    readRange,
    list,
  };
}

function pathOf(root: string, key: string, keys?: RegExp): string {
  checkKey(key, keys);
  return join(root, key);
}

async function writeChecked(handle: FileHandle, key: string, body: Uint8Array | Content): Promise<void> {
  if (body instanceof Uint8Array) {
    await handle.writeFile(body);
    return;
  }
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of body.open()) {
    hash.update(piece);
    size += piece.length;
    await handle.writeFile(piece);
  }
  if (size !== body.size || hash.digest('hex') !== body.sha256) {
    throw new CrossfootError(
      'store_checksum_mismatch',
      'store: the bytes differ from the announced checksum.',
      {
        data: { key, expected_bytes: body.size, found_bytes: size },
      },
    );
  }
}

async function readWhole(handle: FileHandle, key: string, cap_bytes: number): Promise<Uint8Array> {
  const { size } = await handle.stat();
  if (size > cap_bytes) {
    throw new CrossfootError(
      'store_object_too_large',
      `store: an object has ${size} bytes; at most ${cap_bytes} are allowed.`,
      {
        data: { key, size, cap_bytes },
      },
    );
  }
  const bytes = new Uint8Array(size);
  for (let done = 0; done < size;) {
    const { bytesRead } = await handle.read(bytes, done, size - done, done);
    if (bytesRead === 0) throw missing(key);
    done += bytesRead;
  }
  return bytes;
}

async function describe(handle: FileHandle): Promise<{ size: number; created_at: Instant }> {
  const { size, mtimeNs } = await handle.stat({ bigint: true });
  return { size: Number(size), created_at: mtimeNs / 1000n };
}

function isAbsent(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

function missing(key: string): CrossfootError {
  return new CrossfootError('store_object_missing', 'store: an object is missing or too short.', {
    data: { key },
  });
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ...[...FULL_DISK_CODES].map((code) => [code, `The disk of OBJECT_STORE is full. ${FREE_SPACE}`] as const),
  ['EROFS', 'The disk of OBJECT_STORE is mounted read-only. Mount it for writing.'],
]);

/** The next step; `path` is the folder or file that refused, if it is known. */
function hintFor(code: string, step: string, path: string | undefined): string | undefined {
  if (!FORBIDDEN_CODES.has(code)) return HINTS.get(code);
  const verb = READING_STEPS.has(step) ? 'read' : 'write to';
  const place = path ?? 'the folder of OBJECT_STORE';
  return `Give this user the right to ${verb} ${place}: correct its owner and its rights.`;
}

/** The folder that refused a write, or what refused a read; undefined if the error names no path. */
function refusedPath(error: unknown, step: string): string | undefined {
  const { path, dest = path } = error as { readonly path?: unknown; readonly dest?: unknown };
  if (typeof dest !== 'string') return undefined;
  return READING_STEPS.has(step) ? dest : dirname(dest);
}

/** A local file system always answers, so a failure is final: it becomes `store_unavailable`, with the cause. */
export async function answering<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CrossfootError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const path = refusedPath(error, step);
    const hint = hintFor(code, step, path);
    throw new CrossfootError(
      'store_unavailable',
      `store: the folder refused to ${step} an object (${code}).`,
      {
        ...(hint === undefined ? {} : { hint }),
        cause: error,
        data: { step, code, ...(path === undefined ? {} : { path }) },
      },
    );
  }
}
