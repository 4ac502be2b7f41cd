/**
 * A spool: the local folder into which a build writes its files before they are audited and uploaded. Each build has its own.
 * The spool of a refused build is kept for inspection until the account's next build.
 */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { CrossfootError } from '../../errors.ts';
import { FileDigest } from '../../parquet/digest.ts';
import type { Content } from '../../store/store.ts';
import { type FileStep, inSpool } from './failure.ts';
import { OWNER_FILE, ownerOfThisProcess } from './owner.ts';
import { isLeftBehind, REFUSED } from './sweep.ts';
import { contentOfBytes } from './upload.ts';
import type { Instant } from '../../instant.ts';

/** The part of `node:fs/promises` that the spool uses. */
export type SpoolFileSystem = Pick<
  typeof promises,
  'lstat' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'writeFile'
>;

const FILE_MODE = 0o640;
const DIRECTORY_MODE = 0o750;
const READ_BYTES = 256 * 1024;

export interface Spool {
  readonly directory: string;
  /** The path of the file of this name. */
  pathOf(name: string): string;
  /** Writes a small file and returns it as content to upload. */
  write(name: string, bytes: Uint8Array): Promise<Content>;
  /** Writes a file piece by piece, without holding it in memory, and returns it as content to upload. */
  writePieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<Content>;
  /** A file written by the build, as content to upload. */
  content(name: string, digest: { readonly size: number; readonly sha256: string }): Content;
  /** Removes the spool, after the build was published or failed. */
  remove(): Promise<void>;
  /** Keeps all files for inspection and returns their new folder. */
  keep(): Promise<string>;
}

interface SpoolOptions {
  readonly fs: SpoolFileSystem;
  /** The folder of all spools. */
  readonly root: string;
  readonly account_id: bigint;
  readonly nonce: string;
  readonly now: () => Instant;
}

/** Creates the spool of one build and removes what earlier builds of the account left. */
export async function openSpool({ fs, root, account_id, nonce, now }: SpoolOptions): Promise<Spool> {
  const account = join(root, String(account_id));
  const directory = join(account, nonce);
  await inSpool(directory, async () => {
    await fs.mkdir(account, { recursive: true, mode: DIRECTORY_MODE });
    // The folder is cleared next. A link is refused, because it may lead to a folder of another program.
    if (!(await fs.lstat(account)).isDirectory()) throw refusedLink(account);
    await clear(fs, account, now());
    await fs.mkdir(directory, DIRECTORY_MODE);
    try {
      await fs.writeFile(join(directory, OWNER_FILE), await ownerOfThisProcess(), { mode: FILE_MODE });
    } catch (error) {
      await fs.rm(directory, { recursive: true, force: true });
      throw error;
    }
  });
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
      const path = pathOf(name);
      await inSpool(path, () => fs.writeFile(path, bytes, { flag: 'wx', mode: FILE_MODE }));
      return contentOfBytes(bytes);
    },
    async writePieces(name, pieces) {
      const digest = new FileDigest();
      const path = pathOf(name);
      const handle = await inSpool(path, () => fs.open(path, 'wx', FILE_MODE));
      try {
        for await (const piece of pieces) {
          digest.update(piece);
          await inSpool(path, () => handle.writeFile(piece));
        }
      } finally {
        await inSpool(path, () => handle.close());
      }
      const { size_bytes, sha256 } = digest.finish();
      return content(name, { size: size_bytes, sha256 });
    },
    content,
    remove: () => fs.rm(directory, { recursive: true, force: true }),
    async keep() {
      const kept = join(account, REFUSED);
      await fs.rm(kept, { recursive: true, force: true });
      await fs.rm(pathOf(OWNER_FILE), { force: true });
      await fs.rename(directory, kept);
      return kept;
    },
  };
}

// Another build of the account may be running, so remove only refused and abandoned folders.
async function clear(fs: SpoolFileSystem, account: string, now: Instant): Promise<void> {
  for (const name of await fs.readdir(account)) {
    const path = join(account, name);
    if (name === REFUSED || (await isLeftBehind(fs, path, now)))
      await fs.rm(path, { recursive: true, force: true });
  }
}

function refusedLink(path: string): CrossfootError {
  return new CrossfootError('spool_failed', `The spool ${path} is a link and not a folder.`, {
    hint: `Remove the link ${path}; to spool on another disk, set DATA_DIR or mount that disk there.`,
    data: { path },
  });
}

/** The bytes of a file on the disk. `inFile` decides which error a failed read becomes: `spool_failed` if omitted. */
export async function* readSpooled(
  fs: Pick<SpoolFileSystem, 'open'>,
  path: string,
  inFile: FileStep = inSpool,
): AsyncGenerator<Uint8Array> {
  const handle = await inFile(path, () => fs.open(path));
  try {
    // Memory for the file, not for the largest read: the files of a small account would take fifty times their bytes.
    let { size: left } = await inFile(path, () => handle.stat());
    for (;;) {
      // One byte more shows the end of the file, or that it has grown.
      const length = left < 0 ? READ_BYTES : Math.min(READ_BYTES, left + 1);
      const { bytesRead, buffer } = await inFile(path, () =>
        handle.read(new Uint8Array(length), 0, length, null),
      );
      if (bytesRead === 0) return;
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
