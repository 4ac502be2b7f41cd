import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSecretKeys } from '../../../src/run/server/secret-keys.ts';
import { failingFileSystem } from '../../store/failing-file-system.ts';

const GIVEN = ['the key that signs, put before the old one', 'the old one, which only verifies by now'];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-keys-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A data folder that holds a key file with these characters and this mode. */
async function withKeyFile(name: string, key: string, mode: number) {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'secret-key'), key);
  await chmod(join(dataDir, 'secret-key'), mode);
  return { secretKeys: null, ledgerUrl: null, dataDir };
}

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
    await writeFile(join(dataDir, 'secret-key'), kept, { mode: 0o600 });
    expect(await openSecretKeys({ secretKeys: null, ledgerUrl: null, dataDir })).toEqual([kept]);
  });

  it.each([
    ['empty', '', 0],
    ['short', 'short', 5],
    ['blank', '\n'.repeat(40), 0],
    ['one character too short', 'x'.repeat(31), 31],
  ])('refuse a key file that is %s, with the way to a new key', async (name, key, found) => {
    const settings = await withKeyFile(name, key, 0o600);
    const path = join(settings.dataDir, 'secret-key');
    await expect(openSecretKeys(settings)).rejects.toMatchObject({
      code: 'settings_invalid',
      exitCode: 2,
      message: `The secret key ${path} has ${found} characters; at least 32 are needed.`,
      hint: expect.stringMatching(`^Delete ${path}: the next start makes a new key.`),
    });
  });

  it.each([
    [0o666, '0666'],
    [0o640, '0640'],
    [0o604, '0604'],
  ])('refuse a key file of mode %o, which others may read', async (mode, found) => {
    const settings = await withKeyFile(`mode ${found}`, 'x'.repeat(64), mode);
    const path = join(settings.dataDir, 'secret-key');
    await expect(openSecretKeys(settings)).rejects.toMatchObject({
      code: 'settings_invalid',
      message: `The secret key ${path} has mode ${found}: others may read it. The mode must be 0600.`,
      hint: expect.stringMatching(`^Run \`chmod 600 ${path}\``),
    });
  });

  it('take a key file of 32 characters that only its owner reads', async () => {
    const settings = await withKeyFile('just long enough', 'x'.repeat(32), 0o600);
    expect(await openSecretKeys(settings)).toEqual(['x'.repeat(32)]);
  });

  it('flush a new key file before its link, and the folder after it (power cut)', async () => {
    const calls: string[] = [];
    const dataDir = join(folder, 'flushed');
    const fs = failingFileSystem({ onCall: (call) => calls.push(call.replace(`.${process.pid}`, '.new')) });
    await openSecretKeys({ secretKeys: null, ledgerUrl: null, dataDir }, fs);
    const steps = calls.filter((call) => /^(writeFile|sync|link|unlink) (secret-key|\.$)/.test(call));
    expect(steps).toEqual([
      'writeFile secret-key.new',
      'sync secret-key.new',
      'link secret-key',
      'sync .',
      'unlink secret-key.new',
    ]);
  });

  it('write nothing where there is a key, so that a full disk does not keep a server from starting', async () => {
    const settings = await withKeyFile('full', 'x'.repeat(64), 0o600);
    const calls: string[] = [];
    await openSecretKeys(
      settings,
      failingFileSystem({ onCall: (call) => calls.push(call.split(' ')[0] ?? '') }),
    );
    expect(calls).toEqual(['open', 'stat', 'readFile', 'close']);
  });

  it('are demanded where several servers may share a database', async () => {
    await expect(
      openSecretKeys({ secretKeys: null, ledgerUrl: 'postgres://db/ledger', dataDir: folder }),
    ).rejects.toMatchObject({ code: 'settings_invalid', exitCode: 2 });
  });
});
