/** Secrets that stand in files, as containers mount them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS, type Setting } from '../../src/config.ts';
import { isCrossfootError } from '../../src/errors.ts';
import { buildEnvironment } from '../../src/run/builders/build-process.ts';
import { openEnvironment, readSecretFiles } from '../../src/run/secret-files.ts';
import { SEED } from '../support/signing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-secrets-'));
  await writeFile(join(folder, 'url'), 'postgres://reader:p%40ss@db/main\n');
  await writeFile(join(folder, 'keys'), `  ${'k'.repeat(32)}\r\n`);
  await writeFile(join(folder, 'seed'), `${SEED}\n`);
  await writeFile(join(folder, 'empty'), '\n');
});
afterAll(() => rm(folder, { recursive: true }));

const file = (name: string): string => join(folder, name);

function refusal(env: Readonly<Record<string, string>>): string {
  try {
    openEnvironment(env);
  } catch (error) {
    if (isCrossfootError(error, 'settings_invalid')) return error.message;
    throw error;
  }
  throw new Error('these settings were accepted');
}

describe('a secret in a file', () => {
  it('is read without the end of its line', () => {
    const settings = openEnvironment({ DATABASE_URL_FILE: file('url'), SECRET_KEYS_FILE: file('keys') });
    expect(settings.databaseUrl).toBe('postgres://reader:p%40ss@db/main');
    expect(settings.secretKeys).toEqual(['k'.repeat(32)]);
  });

  it('may be every setting that is never printed, and no other', () => {
    const secrets = Object.entries<Setting>(SETTINGS).filter(([, { secret }]) => secret === true);
    expect(secrets.length).toBeGreaterThan(7);
    for (const [name, { secret }] of Object.entries<Setting>(SETTINGS)) {
      const read = readSecretFiles({ [`${name}_FILE`]: file('url') });
      expect([name, read[name]]).toEqual([
        name,
        secret === true ? 'postgres://reader:p%40ss@db/main' : undefined,
      ]);
    }
  });

  it('goes to a build as a value, and its file does not', async () => {
    const env = {
      SECRET_KEYS_FILE: file('keys'),
      DATABASE_URL_FILE: file('url'),
      SIGNING_KEYS_FILE: file('seed'),
    };
    const url = 'postgres://embedded@localhost/main';
    const given = await buildEnvironment({
      env,
      settings: openEnvironment(env),
      ledgerUrl: url,
      serviceUrl: url,
    });
    expect(given).toMatchObject({ DATABASE_URL: url, SECRET_KEYS: 'k'.repeat(32), SIGNING_KEYS: SEED });
    for (const name of Object.keys(env)) expect([name, given[name]]).toEqual([name, undefined]);
    expect(openEnvironment(given).databaseUrl).toBe(url);
  });

  it('is refused if it is set twice, cannot be read or is empty, each named and none shown', () => {
    const message = refusal({
      DATABASE_URL: 'postgres://reader:hunter2@db/main',
      DATABASE_URL_FILE: file('url'),
      SECRET_KEYS_FILE: file('gone'),
      OWNER_URL_FILE: file('empty'),
    });
    expect(message).toBe(
      `DATABASE_URL and DATABASE_URL_FILE are both set; OWNER_URL_FILE names ${file('empty')}, which is empty; SECRET_KEYS_FILE names ${file('gone')}, which cannot be read.`,
    );
  });

  it('is judged as the same secret in a variable, and not shown', async () => {
    await writeFile(file('wrong'), 'hunter2');
    expect(refusal({ SECRET_KEYS_FILE: file('wrong') })).toMatch(
      /^SECRET_KEYS must be .*, found 7 characters, not shown\.$/,
    );
  });

  it('is not looked for where the name of its file is empty, and a variable is then read', () => {
    const env = { DATABASE_URL: 'postgres://db/main', DATABASE_URL_FILE: ' ' };
    expect(openEnvironment(env).databaseUrl).toBe('postgres://db/main');
  });
});
