/** The keys with which a store is signed and checked: those of the settings, or a key beside the embedded database. */
import { CrossfootError } from '../errors.ts';
import { keysById, readPublicKey, type Signing, type SigningKey, signingKeyOf } from '../signing/keys.ts';
import type { SigningSettings } from '../key-settings.ts';
import { followKeyFile, type KeyFile, openKeyFile, readKeyFile } from './key-file.ts';

const SEED = /^[0-9a-f]{64}$/;
const SIGNING_KEY: KeyFile = {
  name: 'signing-key',
  lacks: (key) => (SEED.test(key.trim()) ? null : '64 hexadecimal digits are needed'),
  renewed:
    'Keep its public key in SIGNING_PUBLIC_KEYS: without it the signatures of earlier snapshots are not checked.',
};

/**
 * The seeds of the signing keys; the first one signs. With the embedded database, a key is created and stored. With a
 * database of the settings, it throws unless SIGNING_KEYS is set.
 */
export async function openSeeds({ seeds, folder }: SigningSettings): Promise<readonly string[]> {
  if (seeds !== null) return seeds;
  if (folder !== null) return [(await openKeyFile(folder, SIGNING_KEY)).trim()];
  throw new CrossfootError(
    'settings_invalid',
    'SIGNING_KEYS must be set to publish from a database of your own.',
    { hint: 'Give every builder the same key, for example one made by `openssl rand -hex 32`.' },
  );
}

/** The keys of a process that publishes snapshots or marks. */
export async function openSigning(settings: SigningSettings): Promise<Signing> {
  return signingOf(await openSeeds(settings), settings);
}

/**
 * Creates the key beside the embedded database, unless there is one: before a server answers, so that it lists the key with
 * which the first build signs. Does nothing with a database of the settings, whose servers need no private key.
 */
export async function ensureSigningKey({ seeds, folder }: SigningSettings): Promise<void> {
  if (seeds === null && folder !== null) await openKeyFile(folder, SIGNING_KEY);
}

/** The keys of a process that only reads: it signs nothing, and creates no key. */
export async function readSigning(settings: SigningSettings): Promise<Signing> {
  return (await followSigning(settings))();
}

/**
 * Gives the keys of a process that only reads, as they are at each call: another process may create or replace the key beside
 * the embedded database. The result is the same object until the key changes.
 */
export async function followSigning(settings: SigningSettings): Promise<() => Signing> {
  const { seeds, folder } = settings;
  const reading = (known: readonly string[]): Signing => ({ ...signingOf(known, settings), signer: null });
  if (seeds !== null || folder === null) {
    const signing = reading(seeds ?? []);
    return () => signing;
  }
  const first = await readKeyFile(folder, SIGNING_KEY);
  const current = followKeyFile(folder, SIGNING_KEY, first);
  let last: { readonly key: string | null; readonly signing: Signing } | undefined;
  return () => {
    const key = current();
    if (last?.key !== key) last = { key, signing: reading(key === null ? [] : [key.trim()]) };
    return last.signing;
  };
}

function signingOf(seeds: readonly string[], { public_keys }: SigningSettings): Signing {
  const pairs: readonly SigningKey[] = seeds.map(signingKeyOf);
  const stated = public_keys.map(readPublicKey).filter((key) => key !== null);
  return { signer: pairs[0] ?? null, keys: keysById([...pairs.map((pair) => pair.public_key), ...stated]) };
}
