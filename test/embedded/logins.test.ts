import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { readLogins, readLoginsOf, shareLogins, unshareLogins } from '../../src/embedded/logins.ts';

const LOGINS = {
  claim: 'of the process that runs',
  port: 5432,
  schema: 'a digest',
  urls: { cf_reader: 'postgres://reader', cf_service: 'postgres://service', cf_owner: 'postgres://owner' },
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-logins-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the shared logins of an embedded server', () => {
  it('are for the commands that join the process that runs, not for those that meet a later one', async () => {
    await shareLogins(folder, LOGINS);
    expect(await readLoginsOf(folder, LOGINS.claim)).toEqual(LOGINS);
    // A killed process left them; its port may belong to another program by now.
    expect(await readLoginsOf(folder, 'of a later process')).toBeNull();
    expect(await readLogins(folder)).toEqual(LOGINS);
  });

  it('can be read by their user only', async () => {
    await shareLogins(folder, LOGINS);
    expect((await stat(join(folder, 'logins.json'))).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{"claim": "of the proc', '{}'])('are none in a file that holds %j', async (text) => {
    await writeFile(join(folder, 'logins.json'), text);
    expect(await readLogins(folder)).toBeNull();
  });

  it('are none before the first sharing, and after the last', async () => {
    expect(await readLogins(folder)).toBeNull();
    await shareLogins(folder, LOGINS);
    await unshareLogins(folder);
    await unshareLogins(folder);
    expect(await readLoginsOf(folder, LOGINS.claim)).toBeNull();
  });
});

it('each role of a server has a password of its own', () => {
  const passwords = Object.values(inject('cluster').logins).map((url) => new URL(url).password);
  expect(passwords.length).toBeGreaterThan(1);
  expect(new Set(passwords).size).toBe(passwords.length);
});
