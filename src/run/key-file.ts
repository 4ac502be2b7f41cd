/** A secret key in its own file below the data folder: created once, and readable by its owner only. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { CrossfootError } from '../errors.ts';
import { type FileSystem, hasCode, openDirectories } from '../store/directories.ts';

const KEY_BYTES = 32;
/** Only the owner may read the file: a key is a password. */
const FILE_MODE = 0o600;
const OTHERS = 0o077;

export interface KeyFile {
  /** The name of the file, with `-` between the words. */
  readonly name: string;
  /** Says what a usable key needs: "at least 32 are needed". Null for a usable key. */
  readonly lacks: (key: string) => string | null;
  /** A sentence about the consequence of a new key, for the hint of an error. */
  readonly renewed: string;
}

/** The key of the file; creates the file if it does not exist. Throws as `readKeyFile`. */
export async function openKeyFile(
  dataDir: string,
  file: KeyFile,
  fs: FileSystem = promises,
): Promise<string> {
  return (await readKeyFile(dataDir, file, fs)) ?? (await createKey(dataDir, file, fs));
}

/** The stored key; null if there is none yet. Throws for a key that is unusable or readable by other users. */
export async function readKeyFile(
  dataDir: string,
  file: KeyFile,
  fs: FileSystem = promises,
): Promise<string | null> {
  const path = join(dataDir, file.name);
  await using handle = await fs.open(path, 'r').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (handle === null) return null;
  const { mode } = await handle.stat();
  return requireUsable(path, mode, await handle.readFile('utf8'), file);
}

/**
 * Gives the key as the file has it at each call. While the file is missing or unusable, the last usable key is given: a person
 * replaces it. Reads at once and not later, because the caller checks signatures in the middle of a computation; a call costs
 * one `stat` until the file changes.
 */
export function followKeyFile(dataDir: string, file: KeyFile, first: string | null): () => string | null {
  const path = join(dataDir, file.name);
  let key = first;
  let seen = '';
  return () => {
    try {
      const { ino, mode, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
      const now = [ino, mode, size, mtimeNs, ctimeNs].join();
      if (now === seen) return key;
      key = requireUsable(path, Number(mode), readFileSync(path, 'utf8'), file);
      seen = now;
    } catch {
      // A command that publishes reports what is wrong with the file; readers go on with the key that they know.
    }
    return key;
  };
}

/** The key if it is usable and only its owner may read it; throws otherwise. */
function requireUsable(path: string, mode: number, key: string, file: KeyFile): string {
  const bits = mode & 0o777;
  // Windows has no file modes.
  if (process.getuid !== undefined && (bits & OTHERS) !== 0) throw readableByOthers(path, bits, file);
  const lacks = file.lacks(key);
  if (lacks !== null) throw unusable(path, key, lacks, file);
  return key;
}

// 1. write to another name  2. flush the file  3. link it, which is atomic and never replaces an existing key
// 4. flush the folder. A power cut leaves the whole key or none.
async function createKey(dataDir: string, file: KeyFile, fs: FileSystem): Promise<string> {
  const directories = await openDirectories(fs, dataDir);
  const path = join(directories.root, file.name);
  const fresh = `${path}.${process.pid}`;
  const handle = await fs.open(fresh, 'w', FILE_MODE);
  try {
    {
      await using opened = handle;
      await opened.writeFile(randomBytes(KEY_BYTES).toString('hex'));
      await opened.sync();
    }
    await fs.link(fresh, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    await directories.flush(directories.root);
  } finally {
    await fs.unlink(fresh);
  }
  const key = await readKeyFile(dataDir, file, fs);
  if (key !== null) return key;
  throw new CrossfootError('settings_invalid', `The ${nounOf(file)} ${path} vanished while it was made.`);
}

const nounOf = ({ name }: KeyFile): string => name.replace('-', ' ');

function unusable(path: string, key: string, lacks: string, file: KeyFile): CrossfootError {
  const found = key.trim().length;
  return new CrossfootError(
    'settings_invalid',
    `The ${nounOf(file)} ${path} has ${found} characters; ${lacks}.`,
    { hint: `Delete ${path}: the next start makes a new key. ${file.renewed}`, data: { found } },
  );
}

function readableByOthers(path: string, mode: number, file: KeyFile): CrossfootError {
  const [expected, found] = [FILE_MODE, mode].map((bits) => bits.toString(8).padStart(4, '0'));
  return new CrossfootError(
    'settings_invalid',
    `The ${nounOf(file)} ${path} has mode ${found}: others may read it. The mode must be ${expected}.`,
    {
      hint: `Run \`chmod 600 ${path}\`. If others may have read it, delete it instead: the next start makes a new key.`,
      data: { expected, found },
    },
  );
}
