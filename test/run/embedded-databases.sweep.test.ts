/** Several programs on the embedded database of one data folder: real processes and a real PostgreSQL. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Settings, readSettings } from '../../src/config.ts';
import { openDatabases } from '../../src/run/databases.ts';
import type { Databases } from '../../src/run/opened-databases.ts';
import { createLogger } from '../../src/log.ts';
import { processLife, sendSignal } from '../../src/processes.ts';

let settings: Settings;
let told: AbortController;
let logged: string[];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-joined-'));
  settings = readSettings({ DATA_DIR: folder, LOG_LEVEL: 'error' });
});
afterAll(() => rm(settings.dataDir, { recursive: true }));
beforeEach(() => {
  told = new AbortController();
  logged = [];
});

const inFolder = (name: string): string => join(settings.dataDir, 'postgres', name);
const open = (serves = false): Promise<Databases> =>
  openDatabases(settings, told.signal, createLogger('debug', { write: (line) => logged.push(line) }), {
    serves,
    creates: true,
  });
const serverPid = async (): Promise<number> =>
  Number.parseInt(await readFile(inFolder('data/postmaster.pid'), 'utf8'), 10);

/** The urls that a command was given. */
const urlsOf = ({ ledgerUrl, serviceUrl, ownerUrl }: Databases): unknown => [ledgerUrl, serviceUrl, ownerUrl];

async function roleOf(url: string | null): Promise<unknown> {
  const client = new Client({ connectionString: url ?? '' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query('select current_user::text as role')).rows[0]?.role;
  } finally {
    await client.end();
  }
}

/** A program says that it waits for another. */
async function untilOneWaits(): Promise<void> {
  await expect.poll(() => logged.filter((line) => line.includes('"database.awaited"'))).toHaveLength(1);
}

const isPending = async (promise: PromiseLike<unknown>): Promise<boolean> =>
  (await Promise.race([promise.then(() => false), new Promise((done) => setImmediate(done, true))])) === true;

const module = (name: string): string => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);

/** Another program that opens the databases, and says its URLs. */
async function openElsewhere(): Promise<{ child: ChildProcess; ownerUrl: string }> {
  const program = `
    import { readSettings } from ${module('config.ts')};
    import { openDatabases } from ${module('run/databases.ts')};
    const settings = readSettings({ DATA_DIR: ${JSON.stringify(settings.dataDir)}, LOG_LEVEL: 'error' });
    const { ownerUrl } = await openDatabases(settings, new AbortController().signal, undefined, { creates: true });
    setInterval(() => undefined, 60_000);
    process.stdout.write(ownerUrl);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ownerUrl: String(said) };
}

/** How a command of another version ends in this data folder: its files are ours but for a comment in a view. */
async function joinWithAnotherView(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'crossfoot-version-'));
  try {
    for (const name of ['src', 'schema', 'package.json'])
      await cp(fileURLToPath(new URL(`../../${name}`, import.meta.url)), join(copy, name), {
        recursive: true,
      });
    await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(copy, 'node_modules'));
    await appendFile(join(copy, 'schema/views/ai_bills.sql'), '-- of another version\n');
    const program = `
      import { readSettings } from './src/config.ts';
      import { openDatabases } from './src/run/databases.ts';
      const settings = readSettings({ DATA_DIR: ${JSON.stringify(settings.dataDir)}, LOG_LEVEL: 'error' });
      try {
        await using _ = await openDatabases(settings, new AbortController().signal);
        process.stdout.write('joined');
      } catch (error) {
        process.stdout.write(error.code);
      }`;
    const args = ['--input-type=module', '--eval', program];
    return (await promisify(execFile)(process.execPath, args, { cwd: copy })).stdout;
  } finally {
    await rm(copy, { recursive: true });
  }
}

describe('commands on one data folder', () => {
  it('join the program that has it, several at once, and change no password', async () => {
    await using owner = await open();
    const joined = await Promise.all([open(), open(), open()]);
    expect(joined.map(urlsOf)).toEqual([urlsOf(owner), urlsOf(owner), urlsOf(owner)]);
    expect([owner.migrated === null, ...joined.map(({ migrated }) => migrated)]).toEqual([
      false,
      null,
      null,
      null,
    ]);
    expect(await Promise.all([owner.ledgerUrl, owner.serviceUrl, owner.ownerUrl].map(roleOf))).toEqual([
      'cf_reader',
      'cf_service',
      'cf_owner',
    ]);
    for (const each of joined) await each[Symbol.asyncDispose]();
    expect(await roleOf(owner.ledgerUrl)).toBe('cf_reader');
  });

  it('find the logins in a file of their user alone, without the password of the superuser', async () => {
    await using _ = await open();
    expect((await stat(inFolder('logins.json'))).mode & 0o777).toBe(0o600);
    const password = await readFile(inFolder('superuser.password'), 'utf8');
    expect(password).toMatch(/^[\w-]{32}$/);
    expect(await readFile(inFolder('logins.json'), 'utf8')).not.toContain(password);
  });

  it('are waited for by a command that started the server, which then stops it', async () => {
    const owner = await open();
    const joined = await open();
    const server = await serverPid();
    const ended = owner[Symbol.asyncDispose]();
    await untilOneWaits();
    expect([await isPending(ended), await roleOf(joined.ownerUrl)]).toEqual([true, 'cf_owner']);
    await joined[Symbol.asyncDispose]();
    await ended;
    expect(await processLife(server)).toBeNull();
    await expect(stat(inFolder('logins.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are not awaited by a program that is being stopped', async () => {
    const owner = await open(true);
    const joined = await open();
    const server = await serverPid();
    told.abort();
    await owner[Symbol.asyncDispose]();
    expect(await processLife(server)).toBeNull();
    await joined[Symbol.asyncDispose]();
  });

  it('are refused by a server of another schema, and await no server of an earlier owner', async () => {
    await using owner = await open();
    const file = inFolder('logins.json');
    const logins = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...logins, schema: 'another' }));
    await expect(open()).rejects.toMatchObject({
      code: 'embedded_in_use',
      message: expect.stringContaining(`in use by process ${process.pid}.`),
    });
    // A file that a killed owner left names another claim, and a port that another program may have by now.
    await using other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const connected = vi.fn<() => void>();
    other.on('connection', (socket) => {
      connected();
      socket.destroy();
    });
    const { port } = other.address() as AddressInfo; // A listening TCP socket has one.
    const urls = Object.fromEntries(
      ['cf_reader', 'cf_service', 'cf_owner'].map((role) => [role, `postgres://${role}@127.0.0.1:${port}/x`]),
    );
    await writeFile(file, JSON.stringify({ ...logins, claim: 'earlier', port, urls }));
    const joining = open();
    expect(await roleOf(owner.ledgerUrl)).toBe('cf_reader');
    await writeFile(file, '');
    expect(await isPending(joining)).toBe(true);
    await writeFile(file, JSON.stringify(logins));
    await using joined = await joining;
    expect(urlsOf(joined)).toEqual(urlsOf(owner));
    expect(connected).not.toHaveBeenCalled();
  });
});

describe('a command of another version', () => {
  it('is refused by the server of this version even if the two differ in a view alone', async () => {
    await using _ = await open();
    expect(await joinWithAnotherView()).toBe('embedded_in_use');
  });
});

describe('a command that starts while the server shuts down', () => {
  it('waits, and joins the server that the owner started again', async () => {
    await using owner = await open(true);
    const session = new Client({ connectionString: owner.ownerUrl ?? '' });
    session.on('error', () => undefined);
    await session.connect();
    // PostgreSQL takes no new session after SIGTERM, and ends after its last session.
    sendSignal(await serverPid(), 'SIGTERM');
    await expect
      .poll(() => roleOf(owner.ledgerUrl).catch((error: { readonly code: string }) => error.code))
      .toBe('57P03');
    const joining = open();
    await Promise.race([untilOneWaits(), joining]);
    await session.end();
    await using joined = await joining;
    expect([urlsOf(joined), owner.ends()]).toEqual([urlsOf(owner), 1]);
    told.abort();
  });
});

describe('a program that serves', () => {
  it('waits for a command that has the folder, and refuses another that serves', async () => {
    const command = await open();
    const starting = open(true);
    await untilOneWaits();
    expect(await isPending(starting)).toBe(true);
    await command[Symbol.asyncDispose]();
    await using serving = await starting;
    expect(serving.migrated).not.toBeNull();
    await expect(open(true)).rejects.toMatchObject({
      code: 'embedded_in_use',
      hint: `Stop process ${process.pid} first. For a ledger of its own, set DATA_DIR to another folder.`,
    });
    told.abort();
  });
});

describe('a server that is killed while a program starts', () => {
  it('is started again, and the step that it broke off is run again', async () => {
    await using owner = await open(true);
    const pids: number[] = [];
    const role = await owner.outlast(async () => {
      pids.push(await serverPid());
      if (pids.length === 1) {
        sendSignal(pids[0] ?? 0, 'SIGKILL');
        throw new Error('anything, before the end of the server is noticed');
      }
      return await roleOf(owner.ownerUrl);
    });
    expect([role, owner.ends(), new Set(pids).size]).toEqual(['cf_owner', 1, 2]);
    told.abort();
  });
});

describe('a server that a killed program left', () => {
  it('goes on under the next program with its sessions and passwords, and is stopped at its end', async () => {
    const { child, ownerUrl } = await openElsewhere();
    const session = new Client({ connectionString: ownerUrl });
    session.on('error', () => undefined);
    await session.connect();
    const server = await serverPid();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const owner = await open();
    expect([await serverPid(), owner.ownerUrl]).toEqual([server, ownerUrl]);
    expect((await session.query('select 7 as n')).rows).toEqual([{ n: 7 }]);
    await using joined = await open();
    expect(urlsOf(joined)).toEqual(urlsOf(owner));
    await joined[Symbol.asyncDispose]();
    await session.end();
    await owner[Symbol.asyncDispose]();
    expect(await processLife(server)).toBeNull();
  });

  it.each([
    ['nobody shared its logins', async () => rm(inFolder('logins.json'))],
    ['the logins are those of another server', async () => writeFile(inFolder('logins.json'), '{}')],
  ])('is stopped, and a new one started, where %s', async (_, spoil) => {
    const { child } = await openElsewhere();
    const server = await serverPid();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await spoil();
    await using owner = await open();
    expect(await processLife(server)).toBeNull();
    expect(await roleOf(owner.ownerUrl)).toBe('cf_owner');
  });
});
