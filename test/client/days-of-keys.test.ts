/** On which days `pull.mjs`, or the program that PULL_PROGRAM names, accepts what a key signed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PUBLIC_KEY } from '../support/signing.ts';
import { type PullProgram, runPull } from './pull-program.ts';
import { type SignedServer, startSigned } from './signed-server.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
/** Its first night is published on 2026-07-15, its second on 2026-07-16. */
let server: SignedServer;
let to: string;
beforeEach(async () => {
  [to, server] = [await mkdtemp(join(tmpdir(), 'crossfoot-days-')), await startSigned()];
});
afterEach(async () => {
  await server.close();
  await rm(to, { recursive: true });
});

const pull = async (...args: readonly string[]): Promise<number> =>
  (await runPull(PROGRAM, 'a token', '--url', server.url, '--to', to, ...args)).code ?? -1;

describe(`a pull by ${PROGRAM} of a snapshot of 15 July`, () => {
  it.each([
    ['@..2026-07-14', 3],
    ['@..2026-07-15', 0],
    ['@2026-07-15..', 0],
    ['@2026-07-16..', 3],
    [' @2026-07-15..2026-07-15', 0],
    ['@2026-02-30..', 2],
    ['@2026-07-16..2026-07-15', 2],
    [' @2026-7-15..', 2],
  ])('ends with the key %s with exit code %i', async (days, code) => {
    expect(await pull('--key', `${PUBLIC_KEY}${days}`)).toBe(code);
  });
});

describe(`a key that is listed twice for ${PROGRAM}`, () => {
  it.each([
    [['', '@..2026-07-14'], 3],
    [['@..2026-07-14', ''], 0],
  ])('counts on the days of its later line alone: %j', async (days, code) => {
    const file = join(to, 'keys');
    await writeFile(file, days.map((each) => `ssh-ed25519 ${PUBLIC_KEY} ${each}\n`).join(''));
    expect(await pull('--key', file)).toBe(code);
  });
});

describe(`a folder of ${PROGRAM}`, () => {
  it.each(['alone', 'in a file'])('remembers the last day of a key that was given %s', async (given) => {
    const file = join(to, 'keys');
    await writeFile(file, `ssh-ed25519 ${PUBLIC_KEY} @..2026-07-15\n`);
    expect(await pull('--key', given === 'alone' ? `${PUBLIC_KEY}@..2026-07-15` : file)).toBe(0);
    expect(await readFile(join(to, '.allowed_signers'), 'utf8')).toBe(
      `crossfoot namespaces="crossfoot,crossfoot-log,crossfoot-mark" ssh-ed25519 ${PUBLIC_KEY} @..2026-07-15\n`,
    );
    server.publish();
    expect(await pull()).toBe(3);
  });

  it('goes on with a key whose last day has not come', async () => {
    expect(await pull('--key', `${PUBLIC_KEY}@..2026-07-16`)).toBe(0);
    server.publish();
    expect(await pull()).toBe(0);
  });
});
