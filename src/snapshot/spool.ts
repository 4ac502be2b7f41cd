/**
 * The local folder a build writes its files into before they are audited and uploaded. It belongs to one build; a
 * refused build's is kept for inspection until the next build of the account.
 */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../store/directories.ts';
import { FileDigest } from '../parquet/digest.ts';
import type { Content } from '../store/store.ts';
import { contentOfBytes } from './upload.ts';

/** The part of `node:fs/promises` that the spool uses. */
export type SpoolFileSystem = Pick<
  typeof promises,
  'mkdir' | 'open' | 'readdir' | 'rename' | 'rm' | 'stat' | 'writeFile'
>;

const FILE_MODE = 0o640;
const DIRECTORY_MODE = 0o750;
/** A build takes minutes; what is this old was left by one that was killed. */
const ABANDONED_MS = 24 * 3_600_000;
const REFUSED = 'refused';
const READ_BYTES = 256 * 1024;

export interface Spool {
  readonly directory: string;
  /** Where the build writes the file of this name. */
  pathOf(name: string): string;
  /** Writes a small file whole and gives it as content to upload. */
  write(name: string, bytes: Uint8Array): Promise<Content>;
  /** Writes a file as its pieces come, which are not held, and gives it as content to upload. */
  writePieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<Content>;
  /** A file written by the build, as content to upload. */
  content(name: string, digest: { readonly size: number; readonly sha256: string }): Content;
  /** Removes everything, after publishing or failing. */
  remove(): Promise<void>;
  /** Keeps everything for inspection and gives the folder where it stands from now on. */
  keep(): Promise<string>;
}

interface SpoolOptions {
  readonly fs: SpoolFileSystem;
  /** The folder of all spools. */
  readonly root: string;
  readonly account_id: bigint;
  readonly nonce: string;
  /** Microseconds since 1970. */
  readonly now: () => bigint;
}

/** Makes the spool of one build and clears what earlier builds of the account left. */
export async function openSpool({ fs, root, account_id, nonce, now }: SpoolOptions): Promise<Spool> {
  const account = join(root, String(account_id));
  const directory = join(account, nonce);
  await fs.mkdir(account, { recursive: true, mode: DIRECTORY_MODE });
  await clear(fs, account, now());
  await fs.mkdir(directory, DIRECTORY_MODE);
  const pathOf = (name: string): string => join(directory, name);
  const content: Spool['content'] = (name, { size, sha256 }) => ({
    size,
    sha256,
    open: () => readSpooled(fs, pathOf(name)),
  });

  return {
    directory,
    pathOf,
    async write(name, bytes) {
      await fs.writeFile(pathOf(name), bytes, { flag: 'wx', mode: FILE_MODE });
      return contentOfBytes(bytes);
    },
    async writePieces(name, pieces) {
      const digest = new FileDigest();
      await using handle = await fs.open(pathOf(name), 'wx', FILE_MODE);
      for await (const piece of pieces) {
        digest.update(piece);
        await handle.writeFile(piece);
      }
      const { size_bytes, sha256 } = digest.finish();
      return content(name, { size: size_bytes, sha256 });
    },
    content,
    remove: () => fs.rm(directory, { recursive: true, force: true }),
    async keep() {
      const kept = join(account, REFUSED);
      await fs.rm(kept, { recursive: true, force: true });
      await fs.rename(directory, kept);
      return kept;
    },
  };
}

// Another build of the account may be running beside this one, so only what is old or refused goes.
async function clear(fs: SpoolFileSystem, account: string, now: bigint): Promise<void> {
  for (const name of await fs.readdir(account)) {
    const path = join(account, name);
    if (name === REFUSED || (await isAbandoned(fs, path, now)))
      await fs.rm(path, { recursive: true, force: true });
  }
}

async function isAbandoned(fs: SpoolFileSystem, path: string, now: bigint): Promise<boolean> {
  try {
    return Number(now / 1000n) - (await fs.stat(path)).mtimeMs > ABANDONED_MS;
  } catch (error) {
    // Its own build removed it meanwhile.
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** The bytes of a file as they stand on the disk. */
export async function* readSpooled(
  fs: Pick<SpoolFileSystem, 'open'>,
  path: string,
): AsyncGenerator<Uint8Array> {
  const handle = await fs.open(path);
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(READ_BYTES), 0, READ_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
