/** The keys that cursors are signed with: those of the settings, or one of our own beside our own database. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../config.ts';
import { CrossfootError } from '../errors.ts';

const KEY_BYTES = 32;
/** A key in a file is a password in a file. */
const FILE_MODE = 0o600;

/**
 * The keys to sign and verify with. Servers on a database of the settings may be several and must agree, so theirs are
 * demanded; the embedded one has a single server, whose key is made once and kept.
 */
export async function openSecretKeys({
  secretKeys,
  ledgerUrl,
  dataDir,
}: Pick<Settings, 'secretKeys' | 'ledgerUrl' | 'dataDir'>): Promise<readonly [string, ...string[]]> {
  const [first, ...others] = secretKeys ?? [];
  if (first !== undefined) return [first, ...others];
  if (ledgerUrl === null) return [await keptKey(join(dataDir, 'secret-key'))];
  throw new CrossfootError('settings_invalid', 'SECRET_KEYS must be set to serve a database of your own.', {
    hint: 'Give every server the same key, for example one made by `openssl rand -hex 32`.',
  });
}

async function keptKey(path: string): Promise<string> {
  const fresh = `${path}.${process.pid}`;
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(fresh, randomBytes(KEY_BYTES).toString('hex'), { mode: FILE_MODE });
  // A link appears whole or not at all, and never in the place of a key that is there.
  await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(fresh);
  return await readFile(path, 'utf8');
}
