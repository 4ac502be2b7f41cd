import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHILD_ENVIRONMENT } from '../../src/embedded/binaries.ts';
import { processEnded, processLife, sendSignal } from '../../src/processes.ts';
import { superviseEmbedded } from '../../src/embedded/supervisor.ts';
import { type EmbeddedPostgres, startEmbedded } from '../../src/embedded/embedded.ts';
import { itInSweeps } from '../support/sweeps.ts';

let dataDir: string;
let running: EmbeddedPostgres[];
let children: ChildProcess[];

// mkdtemp makes it 0700: a folder that no other user may enter.
const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'crossfoot-embedded-'));

// Making a cluster takes most of a start's time: tests of anything else share one cluster.
beforeAll(async () => {
  dataDir = await makeFolder();
  await (await startEmbedded({ dataDir, durable: false })).stop();
});
afterAll(() => rm(dataDir, { recursive: true }));

beforeEach(() => {
  running = [];
  children = [];
});
afterEach(async () => {
  // A killed process lives on for a moment, and its claim with it.
  await Promise.all(children.map(killed));
  await Promise.all(running.map((server) => server.stop()));
  // What a killed child left running is taken over, and stopped with the rest.
  if (children.length > 0) await (await startEmbedded({ dataDir, durable: false })).stop();
});

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function start(settings: Record<string, string> = {}, folder = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbedded({ dataDir: folder, durable: false, settings });
  running.push(server);
  return server;
}

async function ask(server: Pick<EmbeddedPostgres, 'adminUrl'>, question: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: question, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

const pidFile = (): string => join(dataDir, 'postgres/data/postmaster.pid');
const serverPid = async (): Promise<number> => Number.parseInt(await readFile(pidFile(), 'utf8'), 10);
const hasEnded = async (pid: number): Promise<boolean> => (await processLife(pid)) === null;

/** Another program that starts the server in the same folder, in a process group of its own, and says its URL. */
async function startElsewhere(whileRunning: string): Promise<{ child: ChildProcess; adminUrl: string }> {
  const program = `
    import { startEmbedded } from ${JSON.stringify(new URL('../../src/embedded/embedded.ts', import.meta.url).href)};
    const server = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    ${whileRunning}
    process.stdout.write(server.adminUrl);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [url] = await once(child.stdout, 'data');
  return { child, adminUrl: String(url) };
}

const STAY = 'setInterval(() => undefined, 1000);';

describe('startEmbedded', () => {
  it('gives a PostgreSQL 18 with the C locale, UTF-8, passwords and nothing but loopback', async () => {
    const server = await start();
    const facts = `select current_setting('server_version_num')::integer / 10000, current_database(),
      current_setting('server_encoding'), datcollate, current_setting('listen_addresses'),
      current_setting('unix_socket_directories'), current_setting('password_encryption'), current_setting('timezone')
      from pg_database where datname = current_database()`;
    expect(await ask(server, facts)).toEqual([
      18,
      'crossfoot',
      'UTF8',
      'C',
      '127.0.0.1',
      '',
      'scram-sha-256',
      'UTC',
    ]);
    const wrong = { adminUrl: server.adminUrl.replace(/:[^:@/]+@/, ':wrong@') };
    await expect(ask(wrong, 'select 1')).rejects.toThrow('password authentication failed');
    // Whatever the shell says of another server: PGSSLMODE, PGTZ, PGDATA and PGPORT.
    expect(new URL(server.adminUrl).searchParams.get('sslmode')).toBe('disable');
    expect(Object.keys(CHILD_ENVIRONMENT)).toEqual(['LC_ALL', 'TZ', 'PATH']);
    // A disk with room for a file of the log, 16 MiB, is not full.
    expect(await server.isDiskFull()).toBe(false);
  });

  it('is durable by default', async () => {
    const question = `select current_setting('fsync'), current_setting('full_page_writes')`;
    const durable = await startEmbedded({ dataDir });
    running.push(durable);
    expect(await ask(durable, question)).toEqual(['on', 'on']);
    await durable.stop();
    expect(await ask(await start(), question)).toEqual(['off', 'off']);
  });

  it('keeps its folder and the superuser’s password where only its owner can read them', async () => {
    const modes = ['postgres', 'postgres/superuser.password'].map(async (name) =>
      ((await stat(join(dataDir, name))).mode & 0o777).toString(8),
    );
    expect(await Promise.all(modes)).toEqual(['700', '600']);
  });

  it('reuses the data on the next start and leaves no process in between', async () => {
    const first = await start();
    await ask(first, 'create table survivor_of_stop as select 7 as n');
    const pid = await serverPid();
    await first.stop();
    expect(await hasEnded(pid)).toBe(true);
    expect(await ask(await start(), 'select n from survivor_of_stop')).toEqual([7]);
  });

  itInSweeps('runs beside another instance', async () => {
    const other = await makeFolder();
    const servers = [await start(), await start({}, other)];
    const ports = await Promise.all(servers.map((server) => ask(server, `select current_setting('port')`)));
    expect(new Set(ports.flat()).size).toBe(2);
    await servers[1]?.stop();
    await rm(other, { recursive: true });
  });

  it('is started again on its port after a kill, and its logins and pools go on', async () => {
    const server = await start();
    const events: string[] = [];
    const supervised = superviseEmbedded(server, {
      sleep: async () => undefined,
      clock: () => performance.now(),
      onEvent: (event) => events.push(event),
    });
    const pool = new Pool({ connectionString: server.adminUrl, max: 1 });
    pool.on('error', () => undefined);
    await pool.query('create role stays');
    await pool.query('checkpoint'); // this server commits without waiting for its log
    const once_more = ['database.ended', 'database.restarted'];
    sendSignal(await serverPid(), 'SIGKILL');
    await expect.poll(() => events).toEqual(once_more);
    sendSignal(await serverPid(), 'SIGKILL');
    await expect.poll(() => events).toEqual([...once_more, ...once_more]);
    const { rows } = await pool.query("select rolname::text from pg_roles where rolname = 'stays'");
    expect(rows).toEqual([{ rolname: 'stays' }]);
    await pool.query('drop role stays');
    await pool.end();
    const pid = await serverPid();
    await supervised.stop();
    expect([await hasEnded(pid), events.length]).toEqual([true, 4]);
  });

  it('refuses a folder that a running instance uses, naming its process, and harms nothing', async () => {
    const { child, adminUrl } = await startElsewhere(STAY);
    await expect(start()).rejects.toMatchObject({
      code: 'embedded_in_use',
      message: expect.stringContaining(`in use by process ${child.pid}`),
      data: { pid: child.pid },
    });
    expect(await ask({ adminUrl }, 'select 1')).toEqual([1]);
  });

  it('lets exactly one of two win that start at the same time', async () => {
    const both = await Promise.allSettled([start(), start()]);
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ code: 'embedded_in_use' });
  });

  it('starts afresh, with the data, after its owner was killed and left the server running', async () => {
    const { child, adminUrl } = await startElsewhere(STAY);
    await ask({ adminUrl }, 'create table survivor_of_orphan as select 7 as n');
    const orphan = await serverPid();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await hasEnded(orphan)).toBe(false);
    const server = await start();
    expect(await hasEnded(orphan)).toBe(true);
    expect(await ask(server, 'select n from survivor_of_orphan')).toEqual([7]);
  });

  it('goes on with the server that a killed owner left, on its port, where its program says so', async () => {
    const { child, adminUrl } = await startElsewhere(STAY);
    const orphan = await serverPid();
    await killed(child);
    const ports: number[] = [];
    const mayGoOn = async (port: number): Promise<boolean> => ports.push(port) === 1;
    const server = await startEmbedded({ dataDir, durable: false, mayGoOn });
    running.push(server);
    expect(ports).toEqual([Number(new URL(adminUrl).port)]);
    expect([await serverPid(), await ask({ adminUrl }, 'select 1')]).toEqual([orphan, [1]]);
  });

  it('starts after owner and server were both killed', async () => {
    const { child, adminUrl } = await startElsewhere(STAY);
    await ask({ adminUrl }, 'create table survivor_of_kill as select 7 as n');
    // A server that is not durable keeps over a kill only what a checkpoint wrote.
    await ask({ adminUrl }, 'checkpoint');
    const pid = await serverPid();
    await killed(child);
    sendSignal(pid, 'SIGKILL');
    expect(await processEnded(pid, 10_000)).toBe(true);
    expect(await ask(await start(), 'select n from survivor_of_kill')).toEqual([7]);
  });

  it('is not misled by a mark or a claim whose process id now belongs to another program', async () => {
    await writeFile(pidFile(), `${process.pid}\n${join(dataDir, 'postgres/data')}\n`);
    const claim = JSON.stringify({ pid: process.pid, life: 'an earlier life', claim: 'x' });
    await writeFile(join(dataDir, 'postgres/owner.json'), claim);
    expect(await ask(await start(), 'select 1')).toEqual([1]);
  });

  it('starts where a power cut left half a claim', async () => {
    await writeFile(join(dataDir, 'postgres/owner.json'), '{"pid":');
    expect(await ask(await start(), 'select 1')).toEqual([1]);
  });

  itInSweeps('starts when a power cut left half a claim and half a cluster', async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, 'postgres/data.new'), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'postgres/data.new/PG_VERSION'), '18');
    await writeFile(join(folder, 'postgres/superuser.password'), 'half');
    await writeFile(join(folder, 'postgres/owner.json'), '{"pid":');
    const server = await start({}, folder);
    expect(await ask(server, 'select 1')).toEqual([1]);
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('leaves the server to its owner on Ctrl-C, who then stops it', async () => {
    const { child } = await startElsewhere(`
      import { Client } from 'pg';
      process.on('SIGINT', async () => {
        const client = new Client({ connectionString: server.adminUrl });
        await client.connect();
        await client.query('create table interrupted as select 7 as n');
        await client.end();
        await server.stop();
        process.exit(0);
      });
      ${STAY}`);
    const pid = await serverPid();
    const exited = once(child, 'exit');
    sendSignal(-(child.pid ?? 0), 'SIGINT');
    expect(await exited).toEqual([0, null]);
    expect(await hasEnded(pid)).toBe(true);
    expect(await ask(await start(), 'select n from interrupted')).toEqual([7]);
  });

  it('ends the server when its owner exits without stopping it', async () => {
    const { child } = await startElsewhere(`${STAY} process.on('SIGTERM', () => process.exit(3));`);
    const pid = await serverPid();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([3, null]);
    expect(await processEnded(pid, 10_000)).toBe(true);
  });

  it('says what the server’s log says when it does not start, and gives the folder back', async () => {
    // A durable server does so, too.
    const durable = startEmbedded({ dataDir, settings: { shared_buffers: 'plenty' } });
    await expect(durable).rejects.toMatchObject({ code: 'embedded_failed' });
    await expect(start({ shared_buffers: 'plenty' })).rejects.toMatchObject({
      code: 'embedded_failed',
      message: expect.stringContaining('invalid value for parameter "shared_buffers"'),
    });
    expect(await ask(await start(), 'select 1')).toEqual([1]);
  });
});
