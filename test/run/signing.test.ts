import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ensureSigningKey,
  followSigning,
  openSeeds,
  openSigning,
  readSigning,
} from '../../src/run/signing.ts';
import { KEY_ID, OTHER_SEED, PUBLIC_KEY, SEED } from '../support/signing.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'crossfoot-signing-'));
});
afterAll(() => rm(root, { recursive: true }));

const nothing = { seeds: null, public_keys: [], folder: null };

describe('the keys of whoever publishes', () => {
  it('are those of the settings: the first signs, and the signatures of all count', async () => {
    const { signer, keys } = await openSigning({ ...nothing, seeds: [SEED, OTHER_SEED] });
    expect(signer?.public_key.key_id).toBe(KEY_ID);
    expect([...keys.keys()]).toHaveLength(2);
  });

  it('count with the days of a public key that is stated, too', async () => {
    const { keys } = await openSigning({
      seeds: [SEED],
      public_keys: [`${PUBLIC_KEY}@..2026-12-31`],
      folder: null,
    });
    expect(keys.get(KEY_ID)).toMatchObject({ valid_from: null, valid_until: '2026-12-31' });
  });

  it('are one beside an embedded database, made once and for its owner only', async () => {
    const folder = join(root, 'embedded');
    const [made] = await openSeeds({ ...nothing, folder });
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(await openSeeds({ ...nothing, folder })).toEqual([made]);
    expect(await readdir(folder)).toEqual(['signing-key']);
    expect((await stat(join(folder, 'signing-key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'signing-key'), 'utf8')).toBe(made);
  });

  it('are demanded for a database of one’s own, with the way to a key', async () => {
    await expect(openSigning(nothing)).rejects.toMatchObject({
      code: 'settings_invalid',
      exitCode: 2,
      message: 'SIGNING_KEYS must be set to publish from a database of your own.',
      hint: 'Give every builder the same key, for example one made by `openssl rand -hex 32`.',
    });
  });

  it('are refused in a file that holds something else', async () => {
    const path = join(root, 'signing-key');
    await writeFile(path, 'x'.repeat(64), { mode: 0o600 });
    await expect(openSigning({ ...nothing, folder: root })).rejects.toMatchObject({
      message: `The signing key ${path} has 64 characters; 64 hexadecimal digits are needed.`,
    });
  });
});

describe('the keys of whoever reads', () => {
  it('sign nothing, and none is made', async () => {
    const folder = join(root, 'reader');
    expect(await readSigning({ ...nothing, folder })).toEqual({ signer: null, keys: new Map() });
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are derived from a private key at hand, beside those that are stated', async () => {
    const { signer, keys } = await readSigning({
      seeds: [OTHER_SEED],
      public_keys: [PUBLIC_KEY],
      folder: null,
    });
    expect(signer).toBeNull();
    expect([...keys.keys()].at(-1)).toBe(KEY_ID);
    expect(keys.size).toBe(2);
    const folder = join(root, 'embedded');
    expect((await readSigning({ ...nothing, folder })).keys.size).toBe(1);
  });
});

const keyIds = ({ keys }: { readonly keys: ReadonlyMap<string, unknown> }) => [...keys.keys()];
const write = (folder: string, seed: string) => writeFile(join(folder, 'signing-key'), seed, { mode: 0o600 });

describe('the keys of a process that runs on', () => {
  it('are those that another process creates and replaces later, and the same object between', async () => {
    const folder = await mkdtemp(join(root, 'followed-'));
    const signing = await followSigning({ ...nothing, folder });
    const none = signing();
    expect(keyIds(none)).toEqual([]);
    expect(signing()).toBe(none);
    await write(folder, SEED);
    const first = signing();
    expect(keyIds(first)).toEqual([KEY_ID]);
    expect(signing()).toBe(first);
    await rm(join(folder, 'signing-key'));
    expect(signing()).toBe(first);
    await write(folder, `${OTHER_SEED}\n`);
    expect(keyIds(signing())).toEqual(keyIds(await readSigning({ ...nothing, seeds: [OTHER_SEED] })));
  });

  it('stay as they were while the file is unusable or readable by others', async () => {
    const folder = await mkdtemp(join(root, 'spoiled-'));
    await write(folder, SEED);
    const signing = await followSigning({ ...nothing, folder });
    await write(folder, OTHER_SEED.slice(1));
    expect(keyIds(signing())).toEqual([KEY_ID]);
    await write(folder, OTHER_SEED);
    await chmod(join(folder, 'signing-key'), 0o640);
    expect(keyIds(signing())).toEqual([KEY_ID]);
    await chmod(join(folder, 'signing-key'), 0o600);
    expect(keyIds(signing())).not.toEqual([KEY_ID]);
  });

  it('are created before a server answers, beside an embedded database only', async () => {
    const folder = join(root, 'ensured');
    await ensureSigningKey({ ...nothing, folder });
    const made = await readFile(join(folder, 'signing-key'), 'utf8');
    await ensureSigningKey({ ...nothing, folder });
    expect(await readFile(join(folder, 'signing-key'), 'utf8')).toBe(made);
    await ensureSigningKey(nothing);
    await ensureSigningKey({ ...nothing, seeds: [SEED] });
  });
});
