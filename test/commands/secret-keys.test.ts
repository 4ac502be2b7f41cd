import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSecretKeys } from '../../src/commands/secret-keys.ts';

const GIVEN = ['the key that signs, put before the old one', 'the old one, which only verifies by now'];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-keys-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the keys that cursors are signed with', () => {
  it('are those of the settings, in their order, and nothing is kept then', async () => {
    const dataDir = join(folder, 'given');
    for (const ledgerUrl of [null, 'postgres://db/ledger']) {
      expect(await openSecretKeys({ secretKeys: GIVEN, ledgerUrl, dataDir })).toEqual(GIVEN);
    }
    await expect(readdir(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are one of the embedded database’s own, made once and for its owner only', async () => {
    const embedded = { secretKeys: null, ledgerUrl: null, dataDir: join(folder, 'embedded') };
    const [first] = await openSecretKeys(embedded);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await openSecretKeys(embedded)).toEqual([first]);
    expect(await readdir(embedded.dataDir)).toEqual(['secret-key']);
    expect((await stat(join(embedded.dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);
  });

  it('differ from one data folder to another', async () => {
    const keys = await Promise.all(
      ['one', 'other'].map((name) =>
        openSecretKeys({ secretKeys: null, ledgerUrl: null, dataDir: join(folder, name) }),
      ),
    );
    expect(keys[0]).not.toEqual(keys[1]);
  });

  it('are never replaced: a key that is there stays', async () => {
    const dataDir = join(folder, 'one');
    const kept = 'a key that was put here by hand, for some reason';
    await writeFile(join(dataDir, 'secret-key'), kept);
    expect(await openSecretKeys({ secretKeys: null, ledgerUrl: null, dataDir })).toEqual([kept]);
  });

  it('are demanded where several servers may share a database', async () => {
    await expect(
      openSecretKeys({ secretKeys: null, ledgerUrl: 'postgres://db/ledger', dataDir: folder }),
    ).rejects.toMatchObject({ code: 'settings_invalid', exitCode: 2 });
  });
});
