/** The keys that sign cursors, links and sessions: those of the settings, or a generated key beside the embedded database. */
import { randomBytes } from 'node:crypto';
import * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { MIN_SECRET_CHARACTERS, type Settings } from '../../config.ts';
import { CrossfootError } from '../../errors.ts';
import { type FileSystem, hasCode, openDirectories } from '../../store/directories.ts';

const KEY_BYTES = 32;
/** Only the owner may read the file: a key is a password. */
const FILE_MODE = 0o600;
const OTHERS = 0o077;

/**
 * The keys to sign and verify with. Several servers may share a database of the settings and must agree, so their keys are
 * required. The embedded database has a single server, whose key is generated once and stored.
 */
export async function openSecretKeys(
  { secretKeys, ledgerUrl, dataDir }: Pick<Settings, 'secretKeys' | 'ledgerUrl' | 'dataDir'>,
  fs: FileSystem = promises,
): Promise<readonly [string, ...string[]]> {
  const [first, ...others] = secretKeys ?? [];
  if (first !== undefined) return [first, ...others];
  if (ledgerUrl === null) return [(await readKey(dataDir, fs)) ?? (await createKey(dataDir, fs))];
  throw new CrossfootError('settings_invalid', 'SECRET_KEYS must be set to serve a database of your own.', {
    hint: 'Give every server the same key, for example one made by `openssl rand -hex 32`.',
  });
}

/** The stored key; null if there is none yet. Throws for a key that is too short or readable by other users. */
async function readKey(dataDir: string, fs: FileSystem): Promise<string | null> {
  const path = join(dataDir, 'secret-key');
  await using handle = await fs.open(path, 'r').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (handle === null) return null;
  const mode = (await handle.stat()).mode & 0o777;
  // Windows has no file modes.
  if (process.getuid !== undefined && (mode & OTHERS) !== 0) throw readableByOthers(path, mode);
  const key = await handle.readFile('utf8');
  const { length } = key.trim();
  if (length < MIN_SECRET_CHARACTERS) throw tooShort(path, length);
  return key;
}

// 1. write to another name  2. flush the file  3. link it, which is atomic and never replaces an existing key
// 4. flush the folder. A power cut leaves the whole key or none.
async function createKey(dataDir: string, fs: FileSystem): Promise<string> {
  const directories = await openDirectories(fs, dataDir);
  const path = join(directories.root, 'secret-key');
  const fresh = `${path}.${process.pid}`;
  const handle = await fs.open(fresh, 'w', FILE_MODE);
  try {
    {
      await using file = handle;
      await file.writeFile(randomBytes(KEY_BYTES).toString('hex'));
      await file.sync();
    }
    await fs.link(fresh, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    await directories.flush(directories.root);
  } finally {
    await fs.unlink(fresh);
  }
  const key = await readKey(dataDir, fs);
  if (key !== null) return key;
  throw new CrossfootError('settings_invalid', `The secret key ${path} vanished while it was made.`);
}

function tooShort(path: string, found: number): CrossfootError {
  return new CrossfootError(
    'settings_invalid',
    `The secret key ${path} has ${found} characters; at least ${MIN_SECRET_CHARACTERS} are needed.`,
    {
      hint: `Delete ${path}: the next start makes a new key. Sessions, links and cursors signed with the old key end.`,
      data: { expected: MIN_SECRET_CHARACTERS, found },
    },
  );
}

function readableByOthers(path: string, mode: number): CrossfootError {
  const [expected, found] = [FILE_MODE, mode].map((bits) => bits.toString(8).padStart(4, '0'));
  return new CrossfootError(
    'settings_invalid',
    `The secret key ${path} has mode ${found}: others may read it. The mode must be ${expected}.`,
    {
      hint: `Run \`chmod 600 ${path}\`. If others may have read it, delete it instead: the next start makes a new key.`,
      data: { expected, found },
    },
  );
}
