/** A program whose log, or whose output, goes to a file on a full disk: it goes on, and frees the disk. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFolderStore } from '../../../src/store/folder.ts';
import { aBuild, DAY, MIDNIGHT, publishNow } from '../../snapshot/builder/build-harness.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { foundAccount } from '../../support/ledger-rows.ts';
import { SEED } from '../../support/signing.ts';
import { COMPILED } from '../program.ts';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));

let database: TestDatabase;
let root: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase('template_ledger');
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-full-log-'));
  env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: COMPILED,
    RATES_URL: 'off',
    DATA_DIR: root,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    OWNER_URL: database.url('cf_owner'),
    SECRET_KEYS: 'k'.repeat(40),
    SIGNING_KEYS: SEED,
    PORT: '0',
  };
  const owner = await database.client('cf_owner');
  await foundAccount(owner);
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  for (const day of [0n, 1n, 2n, 3n])
    await publishNow(store, aBuild(`day ${day}`, MIDNIGHT + day * DAY - 365n * DAY));
});
afterAll(async () => {
  await fs.rm(root, { recursive: true });
  await database.drop();
});

/** How many snapshots still have files. */
async function builds(): Promise<number> {
  const files = await fs.readdir(join(root, 'objects/v1/a/7/s'), { recursive: true });
  return files.filter((file) => file.endsWith('/manifest.json')).length;
}

/** Runs the program with standard output and standard error as given: a file that takes no byte, or a pipe. */
async function run(args: readonly string[], to: { out: 'full' | 'pipe'; err: 'full' | 'pipe' }) {
  await using full = await fs.open('/dev/full', 'w');
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: TOP,
    env,
    stdio: ['ignore', to.out === 'full' ? full.fd : 'pipe', to.err === 'full' ? full.fd : 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (piece) => (said += String(piece)));
  child.stdout?.on('data', (piece) => (said += String(piece)));
  const ended = once(child, 'close');
  return { child, ended, said: () => said };
}

it('nightly --once frees a disk on which its own log lies', async () => {
  expect(await builds()).toBe(4);
  const { ended } = await run(['nightly', '--once'], { out: 'full', err: 'full' });
  const [code] = (await ended) as [number];
  expect({ code, builds: await builds() }).toEqual({ code: 0, builds: 2 });
});

it('serve goes on although its log takes no byte', async () => {
  const { child, ended, said } = await run(['serve'], { out: 'pipe', err: 'full' });
  await expect.poll(said).toMatch(/^ready /m);
  expect((await fetch(`${/^ready (\S+)$/m.exec(said())?.[1]}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  await ended;
});

it('a list whose file has no space says so in words', async () => {
  const { ended, said } = await run(['account', 'list'], { out: 'full', err: 'pipe' });
  const [code] = (await ended) as [number];
  expect(code).toBe(1);
  expect(said()).not.toMatch(/^ +at /m);
  expect(said()).toMatch(/A disk is full/);
});
