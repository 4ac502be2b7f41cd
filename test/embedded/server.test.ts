import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findBinaries } from '../../src/embedded/binaries.ts';
import {
  embeddedFolder,
  type EmbeddedPostgres,
  holdsCluster,
  startEmbedded,
} from '../../src/embedded/embedded.ts';
import { readOwner } from '../../src/embedded/owner.ts';
import { findOrphan } from '../../src/embedded/server.ts';
import { processEnded, processLife, sendSignal } from '../../src/processes.ts';

let dataDir: string;
let running: EmbeddedPostgres[];
let others: ChildProcess[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-server-'));
  await (await startEmbedded({ dataDir, durable: false })).stop();
});
afterAll(() => rm(dataDir, { recursive: true }));
beforeEach(() => {
  running = [];
  others = [];
});
afterEach(async () => {
  for (const other of others) other.kill('SIGKILL');
  await Promise.all(running.map((server) => server.stop()));
});

const folder = (): string => join(dataDir, 'postgres');
const mark = (): string => join(folder(), 'data/postmaster.pid');
const serverPid = async (): Promise<number> => Number.parseInt(await readFile(mark(), 'utf8'), 10);
const hasEnded = async (pid: number): Promise<boolean> => (await processLife(pid)) === null;

async function start(options: Partial<Parameters<typeof startEmbedded>[0]> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbedded({ dataDir, durable: false, ...options });
  running.push(server);
  return server;
}

/** A process of another program, with these words on its command line. */
async function otherProgram(program: string, ...words: readonly string[]): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--eval', `${program}; process.stdout.write('runs')`, '--', ...words],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  others.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

/** PostgreSQL, started by a script: it does `first` at its first start, and is the real server at each later one. */
async function scripted(
  first: string,
): Promise<NonNullable<Parameters<typeof startEmbedded>[0]['binaries']>> {
  const { initdb, postgres } = findBinaries();
  const script = join(dataDir, 'postgres.sh');
  const begun = join(dataDir, 'begun');
  await rm(begun, { force: true });
  const text = `#!/bin/sh\nif [ ! -e '${begun}' ]; then : > '${begun}'; ${first}; fi\nexec '${postgres}' "$@"\n`;
  await writeFile(script, text, { mode: 0o755 });
  return { initdb, postgres: script };
}

const failing = (words: string) => scripted(`echo 'FATAL:  ${words}' >&2; echo 'HINT:  read on' >&2; exit 1`);

const STAY = 'setInterval(() => undefined, 1000)';

describe('the folder of the embedded database', () => {
  it('is named by its real path, so that a link to it is the same folder', async () => {
    const link = `${dataDir}-link`;
    await symlink(dataDir, link);
    expect(await embeddedFolder(link)).toBe(await embeddedFolder(dataDir));
    await rm(link);
  });

  it('holds a database only once its files were made', async () => {
    const other = await mkdtemp(join(tmpdir(), 'crossfoot-server-'));
    await mkdir(join(other, 'postgres'));
    expect([await holdsCluster(other), await holdsCluster(dataDir)]).toEqual([false, true]);
    await rm(other, { recursive: true });
  });

  it('is refused in words where a file lies in its place', async () => {
    const other = await mkdtemp(join(tmpdir(), 'crossfoot-server-'));
    await writeFile(join(other, 'postgres'), '');
    const refusal = (path: string) =>
      expect(embeddedFolder(path)).rejects.toMatchObject({
        code: 'settings_invalid',
        message: expect.stringMatching(
          path === other
            ? /holds a file named postgres, expected a folder\.$/
            : /is a file, or lies below one\.$/,
        ),
      });
    await refusal(other);
    await refusal(join(other, 'postgres'));
    await rm(other, { recursive: true });
  });
});

describe('a server', () => {
  it('has room for the sessions of many commands, says what it does in a closed log, and serves if its program does', async () => {
    const server = await start();
    const client = new Client({ connectionString: server.adminUrl });
    await client.connect();
    const { rows } = await client.query("select current_setting('max_connections')::integer as most");
    await client.end();
    expect(rows).toEqual([{ most: 250 }]);
    expect((await stat(join(folder(), 'server.log'))).mode & 0o777).toBe(0o600);
    expect(await readOwner(folder())).toMatchObject({ pid: process.pid, serves: false });
    expect(await server.answers()).toBe(true);
    await server.stop();
    expect(await server.answers()).toBe(false);
  });

  it('ends its sessions and shuts down in good order, keeps its folder until then, and leaves no listener', async () => {
    const before = process.listenerCount('exit');
    const server = await start();
    const client = new Client({ connectionString: server.adminUrl });
    client.on('error', () => undefined);
    await client.connect();
    const pid = await serverPid();
    const stopped = server.stop();
    while ((await readOwner(folder())) !== null) await setImmediate();
    expect(await hasEnded(pid)).toBe(true);
    await stopped;
    await server.ended();
    const log = await readFile(join(folder(), 'server.log'), 'utf8');
    expect(log).toContain('received fast shutdown request');
    expect(log).toContain('database system is shut down');
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('is left by no start that fails at its password, and gives the folder back', async () => {
    const file = join(folder(), 'superuser.password');
    const password = await readFile(file, 'utf8');
    await writeFile(file, 'another password');
    await expect(start()).rejects.toThrow('password authentication failed');
    await writeFile(file, password);
    expect(await findOrphan(join(folder(), 'data'))).toBeNull();
    expect(await readOwner(folder())).toBeNull();
  });

  it.each([
    ['was killed while it started', 'kill -9 $$'],
    ['waits for the sessions of a killed one', 'echo "FATAL:  pre-existing shared memory block" >&2; exit 1'],
    // The mark of a process that there is not; the second argument is the folder of the cluster.
    [
      'was killed beside a mark that says ready',
      String.raw`printf '2147480000\n\n\n\n\n\n\nready\n' > "$2/postmaster.pid"; kill -9 $$`,
    ],
  ])('is started again where it %s', async (_, first) => {
    const server = await start({ binaries: await scripted(first) });
    expect(await server.answers()).toBe(true);
  });

  it('that does not start says its own fatal line, not the last line and not that of an earlier run', async () => {
    await expect(start({ binaries: await failing('the first') })).rejects.toThrow('FATAL:  the first');
    await expect(start({ binaries: await failing('the second') })).rejects.toThrow('FATAL:  the second');
  });

  it('starts again after a kill, if any program now has the process id of its mark', async () => {
    const server = await start();
    sendSignal(await serverPid(), 'SIGKILL');
    await server.ended();
    await writeFile(mark(), `${await otherProgram(STAY)}\n${join(folder(), 'data')}\n`);
    await server.restart(new AbortController().signal);
    expect(await server.answers()).toBe(true);
  });

  it('that has ended gets no signal, because another program may have its process id', async () => {
    const server = await start();
    const pid = await serverPid();
    sendSignal(pid, 'SIGKILL');
    await server.ended();
    const signals = vi.spyOn(process, 'kill');
    await server.stop();
    const sent = signals.mock.calls.filter(([to, signal]) => to === pid && signal !== 0);
    signals.mockRestore();
    expect(sent).toEqual([]);
  });

  it('is left by no restart that is stopped while it starts', async () => {
    const binaries = await scripted('sleep 0');
    const server = await start({ binaries });
    sendSignal(await serverPid(), 'SIGKILL');
    await server.ended();
    const noted = join(dataDir, 'sleeper');
    await scripted(`echo $$ > '${noted}'; exec sleep 600`);
    const stopping = new AbortController();
    const restarted = server.restart(stopping.signal);
    restarted.catch(() => undefined);
    await expect.poll(() => readFile(noted, 'utf8').catch(() => '')).toMatch(/^\d+\n$/);
    const sleeper = Number(await readFile(noted, 'utf8'));
    stopping.abort(new Error('the program stops'));
    await expect(restarted).rejects.toThrow('the program stops');
    expect(await hasEnded(sleeper)).toBe(true);
  });

  it('of a program without further work neither delays its end nor outlives it', async () => {
    const program = `
      import { startEmbedded } from ${JSON.stringify(new URL('../../src/embedded/embedded.ts', import.meta.url).href)};
      await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, durable: false });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    others.push(child);
    expect(await once(child, 'exit')).toEqual([0, null]);
    const pid = await serverPid().catch(() => 0);
    expect(pid === 0 || (await processEnded(pid, 10_000))).toBe(true);
  });
});

describe('findOrphan', () => {
  it('takes no server of a folder whose name begins alike, and removes the mark', async () => {
    const data = join(dataDir, 'alike');
    await mkdir(data);
    const pid = await otherProgram(STAY, '-D', `${data}2`, 'x');
    await writeFile(join(data, 'postmaster.pid'), `${pid}\n${data}\n0\n5432\n`);
    expect(await findOrphan(data)).toBeNull();
    await expect(stat(join(data, 'postmaster.pid'))).rejects.toThrow('ENOENT');
    await rm(data, { recursive: true });
  });

  it('stops a server that does not shut down in time all the same', async () => {
    const data = join(dataDir, 'slow');
    await mkdir(data);
    const program = `process.on('SIGINT', () => undefined); process.on('SIGQUIT', () => process.exit()); ${STAY}`;
    const pid = await otherProgram(program, '-D', data, 'x');
    await writeFile(join(data, 'postmaster.pid'), `${pid}\n${data}\n0\n5432\n`);
    const orphan = await findOrphan(data);
    expect(orphan?.port).toBe(5432);
    await orphan?.stop();
    expect(await hasEnded(pid)).toBe(true);
    await rm(data, { recursive: true });
  });
});
