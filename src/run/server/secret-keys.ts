/** The keys that sign cursors, links and sessions: those of the settings, or a generated key beside the embedded database. */
import type { Settings } from '../../config.ts';
import { MIN_SECRET_CHARACTERS } from '../../key-settings.ts';
import { CrossfootError } from '../../errors.ts';
import type { FileSystem } from '../../store/directories.ts';
import { type KeyFile, openKeyFile } from '../key-file.ts';

const SECRET_KEY: KeyFile = {
  name: 'secret-key',
  lacks: (key) =>
    key.trim().length < MIN_SECRET_CHARACTERS ? `at least ${MIN_SECRET_CHARACTERS} are needed` : null,
  renewed: 'Sessions, links and cursors signed with the old key end.',
};

/**
 * The keys to sign and verify with. Several servers may share a database that the settings name, and need the same keys: then
 * SECRET_KEYS is required. The embedded database has a single server, whose key is generated once and stored.
 */
export async function openSecretKeys(
  { secretKeys, ledgerUrl, dataDir }: Pick<Settings, 'secretKeys' | 'ledgerUrl' | 'dataDir'>,
  fs?: FileSystem,
): Promise<readonly [string, ...string[]]> {
  const [first, ...others] = secretKeys ?? [];
  if (first !== undefined) return [first, ...others];
  if (ledgerUrl === null) return [await openKeyFile(dataDir, SECRET_KEY, fs)];
  throw new CrossfootError('settings_invalid', 'SECRET_KEYS must be set to serve a database of your own.', {
    hint: 'Give every server the same key, for example one made by `openssl rand -hex 32`.',
  });
}
