/** Rules of `pull.mjs`, or of the program that PULL_PROGRAM names, each of which a planted fault once outlived. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PullProgram, type PullRun, runPull, startPull } from './pull-program.ts';
import { manifestOf, type ScriptedServer, SNAPSHOT_ID, startScripted, TABLES } from './scripted-server.ts';
import { itInSweeps } from '../support/sweeps.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const COSTS = TABLES['costs'] ?? Buffer.alloc(0);
const LOCK = '.pull.lock';
const PARTIAL = `.partial-${SNAPSHOT_ID}`;
/** After so long without a touch a lock is dead. */
const MINUTE = 60;

let to: string;
const servers: ScriptedServer[] = [];
beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), 'crossfoot-rules-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await rm(to, { recursive: true });
});

async function serve(...script: Parameters<typeof startScripted>): Promise<ScriptedServer> {
  const server = await startScripted(...script);
  servers.push(server);
  return server;
}

function argsOf({ url }: ScriptedServer, ...args: readonly string[]): readonly string[] {
  return ['--url', url, '--to', to, ...args];
}

const pullFrom = (server: ScriptedServer, ...args: readonly string[]): Promise<PullRun> =>
  runPull(PROGRAM, 'a token', ...argsOf(server, ...args));

/** Puts the first bytes of a file where a pull that was cut off left them. */
async function leavePartial(name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(join(to, PARTIAL));
  await writeFile(join(to, PARTIAL, name), bytes);
}

/** The tables that the control file names. */
async function listed(): Promise<readonly string[]> {
  const control = JSON.parse(await readFile(join(to, 'latest.json'), 'utf8')) as {
    readonly tables: readonly { readonly table: string }[];
  };
  return control.tables.map(({ table }) => table);
}

/** Waits until so many bytes of a file are on the disk. */
async function untilHere(name: string, bytes: number): Promise<void> {
  const path = join(to, PARTIAL, name);
  while ((await stat(path).catch(() => null))?.size !== bytes) await setImmediate();
}

/** A lock as a pull writes it, touched so many seconds ago. */
async function leaveLock(text: string, seconds: number): Promise<void> {
  await writeFile(join(to, LOCK), text);
  const touched = Date.now() / 1000 - seconds;
  await utimes(join(to, LOCK), touched, touched);
}
const lockOf = (host: string, pid: number): string => JSON.stringify({ pid, host, nonce: '' });

describe(`the transfer by ${PROGRAM}`, () => {
  it('takes no part of another range, and asks for its own again', async () => {
    await leavePartial('costs.parquet', COSTS.subarray(0, 50));
    const server = await serve((request, response, nth) => {
      if (request.headers.range === undefined || nth > 0) return false;
      // The bytes from 60 on, of as many as are lacking: appended, the file would be of the right size.
      response.writeHead(206, { 'content-range': `bytes 60-${COSTS.length - 1}/${COSTS.length}` });
      response.end(COSTS.subarray(50));
      return true;
    });
    const { code, stderr } = await pullFrom(server);
    expect([code, stderr]).toEqual([0, expect.stringContaining('the answer is another range; again in')]);
    const ranges = server.asked.filter(({ path }) => path.endsWith('costs.parquet'));
    expect(ranges.map(({ headers }) => headers.range)).toEqual(['bytes=50-', 'bytes=50-']);
    expect(await readFile(join(to, 'latest/costs.parquet'))).toEqual(COSTS);
  });

  itInSweeps(
    'goes on for as long as bytes come, also after more cuts than its maximum without bytes',
    async () => {
      // Eight tries without a byte are the end; here each of ten brings ten bytes.
      const CUTS = 10;
      const server = await serve((request, response, nth) => {
        if (request.url?.endsWith('costs.parquet') !== true || nth >= CUTS) return false;
        const from = nth * 10;
        const range = { 'content-range': `bytes ${from}-${COSTS.length - 1}/${COSTS.length}` };
        response.writeHead(from > 0 ? 206 : 200, {
          'content-length': COSTS.length - from,
          ...(from > 0 && range),
        });
        response.write(COSTS.subarray(from, from + 10));
        void untilHere('costs.parquet', from + 10).then(() => response.destroy());
        return true;
      });
      expect((await pullFrom(server)).code).toBe(0);
      expect(server.asked.filter(({ path }) => path.endsWith('costs.parquet'))).toHaveLength(CUTS + 1);
      expect(await readFile(join(to, 'latest/costs.parquet'))).toEqual(COSTS);
    },
  );

  it('asks for no byte of a file that a pull left whole', async () => {
    await leavePartial('costs.parquet', COSTS);
    const server = await serve();
    expect((await pullFrom(server)).code).toBe(0);
    expect(server.asked.map(({ path }) => path).filter((path) => path.endsWith('costs.parquet'))).toEqual([]);
    expect(await readFile(join(to, 'latest/costs.parquet'))).toEqual(COSTS);
  });

  it('brings the tables that are not here, and asks for no table that is', async () => {
    const server = await serve();
    expect((await pullFrom(server, '--tables', 'costs')).code).toBe(0);
    expect((await pullFrom(server)).code).toBe(0);
    const files = server.asked.map(({ path }) => path).filter((path) => path.endsWith('.parquet'));
    expect(files.map((path) => path.split('/').at(-1))).toEqual(['costs.parquet', 'snapshot.parquet']);
    expect((await readdir(join(to, 'latest'))).toSorted()).toEqual([
      'costs.parquet',
      'manifest.json',
      'snapshot.parquet',
    ]);
  });

  it('names every table of a snapshot in the control file, also those that a later pull adds', async () => {
    const server = await serve();
    expect((await pullFrom(server, '--tables', 'costs')).code).toBe(0);
    expect(await listed()).toEqual(['costs']);
    expect((await pullFrom(server)).code).toBe(0);
    expect(await listed()).toEqual(['costs', 'snapshot']);
    expect((await pullFrom(server)).code).toBe(10);
  });

  it('asks for bytes as they are, never compressed', async () => {
    const server = await serve();
    await pullFrom(server);
    expect(new Set(server.asked.map(({ headers }) => headers['accept-encoding']))).toEqual(
      new Set(['identity']),
    );
  });

  it('takes the whole file from the next server after a server that sent too much', async () => {
    const server = await serve((request, response, nth) => {
      if (request.url?.endsWith('costs.parquet') !== true || nth > 0) return false;
      response.end(Buffer.concat([COSTS, COSTS]));
      return true;
    });
    expect((await pullFrom(server)).code).toBe(3);
    expect((await pullFrom(server)).code).toBe(0);
    expect(
      server.asked.filter(({ path }) => path.endsWith('costs.parquet'))[1]?.headers.range,
    ).toBeUndefined();
  });

  it.each([408, 500, 502, 504])('tries again after a %i', async (status) => {
    const server = await serve((request, response, nth) => {
      if (request.url?.endsWith('latest') !== true || nth > 0) return false;
      response.writeHead(status).end();
      return true;
    });
    const { code, stderr } = await pullFrom(server);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${status} without a reason; again in`)]);
  });

  it('gives up on a server that asks for a day more than ten minutes away', async () => {
    const at = new Date(Date.now() + 700_000).toUTCString();
    const server = await serve((_, response) => {
      response.writeHead(503, { 'retry-after': at }).end();
      return true;
    });
    const { code, stderr } = await pullFrom(server);
    expect([code, stderr, server.asked.length]).toEqual([1, expect.stringContaining('given up'), 1]);
  });
});

describe(`the manifest taken by ${PROGRAM}`, () => {
  it.each([
    ['of another id', { snapshot_id: '20260716T020000Z' }, 'another snapshot_id'],
    ['with a digest that is none', { tables: [{ ...aTable(), sha256: 'abc' }] }, 'sha256 of costs'],
    ['with less than no rows', { tables: [{ ...aTable(), row_count: -1 }] }, 'row_count'],
    ['with half a row', { tables: [{ ...aTable(), row_count: 0.5 }] }, 'row_count'],
    ['with a table of a place elsewhere', { tables: [{ ...aTable(), name: '../costs' }] }, 'table name'],
    ['with a file of a place elsewhere', { files: [{ ...aTable(), name: '../audit.json' }] }, 'file name'],
    ['replaced by a place elsewhere', { retraction: { reason: 'No.', replaced_by: '../x' } }, 'replaced_by'],
  ])('is refused %s, with nothing to see', async (_, changed, word) => {
    const server = await serve((__, response) => {
      response.end(JSON.stringify(manifestOf(changed)));
      return true;
    });
    const { code, stderr } = await pullFrom(server, '--snapshot', SNAPSHOT_ID);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(new RegExp(`The manifest is malformed.*${word}`)),
    ]);
    expect([await readdir(to), server.asked.length]).toEqual([[], 1]);
  });

  it('is refused when it is longer than a manifest may be', async () => {
    const server = await serve((_, response) => {
      response.end(JSON.stringify(manifestOf()).padEnd(1_048_577));
      return true;
    });
    const { code, stderr } = await pullFrom(server);
    expect([code, stderr]).toEqual([3, expect.stringContaining('An answer is longer than 1048576 bytes.')]);
  });

  it('is asked for again when it was cut off', async () => {
    const text = JSON.stringify(manifestOf());
    const server = await serve((request, response, nth) => {
      if (request.url?.endsWith('latest') !== true || nth > 0) return false;
      response.writeHead(200, { 'content-length': text.length });
      response.write(text.slice(0, 20), () => response.destroy());
      return true;
    });
    expect((await pullFrom(server)).code).toBe(0);
  });
});

describe(`the lock of ${PROGRAM}`, () => {
  itInSweeps('is refreshed while the pull runs, and removed when it is stopped', async () => {
    const server = await serve((request) => request.url?.endsWith('latest') === true); // no answer, ever
    const running = startPull(PROGRAM, 'a token', ...argsOf(server));
    while (server.asked.length === 0) await setImmediate();
    await utimes(join(to, LOCK), 1, 1);
    // It is touched every five seconds; a pull that does not touch it is waited for no longer than thirty.
    const end = Date.now() + 30_000;
    const touched = async () => (await stat(join(to, LOCK))).mtimeMs > MINUTE * 1000;
    while (!(await touched()) && Date.now() < end) await setImmediate();
    const living = await touched();
    running.stop();
    const { code, stderr } = await running.ended;
    expect(living).toBe(true);
    expect([code, stderr, await readdir(to)]).toEqual([
      1,
      expect.stringContaining('Stopped by SIGTERM.'),
      [],
    ]);
  });

  it.each([
    ['a process elsewhere that touched it a minute ago', lockOf('another.example', 1)],
    ['a living process here that touched it a minute ago', lockOf(hostname(), process.pid)],
    ['a pull that was killed before it wrote its name, a minute ago', ''],
  ])('is taken over from %s', async (_, text) => {
    await leaveLock(text, MINUTE + 1);
    expect((await pullFrom(await serve())).code).toBe(0);
    expect(await readdir(to)).not.toContain(LOCK);
  });

  it.each([
    ['a process elsewhere', lockOf('another.example', 1)],
    ['a living process here', lockOf(hostname(), process.pid)],
    ['a pull that has not written its name yet', ''],
  ])('is left to %s that touched it just now', async (_, text) => {
    await leaveLock(text, MINUTE - 30);
    const { code, stderr } = await pullFrom(await serve());
    expect([code, stderr]).toEqual([1, expect.stringContaining('is filling this folder')]);
    expect(await readFile(join(to, LOCK), 'utf8')).toBe(text);
  });

  it('is not taken away from the pull that took it over', async () => {
    const other = lockOf('another.example', 2);
    const server = await serve((request, response) => {
      if (request.url?.endsWith('latest') !== true) return false;
      void writeFile(join(to, LOCK), other).then(() => response.end(JSON.stringify(manifestOf())));
      return true;
    });
    expect((await pullFrom(server)).code).toBe(0);
    expect(await readFile(join(to, LOCK), 'utf8')).toBe(other);
  });
});

function aTable(): Record<string, unknown> {
  return { name: 'costs', row_count: 1, size_bytes: COSTS.length, sha256: 'a'.repeat(64) };
}
