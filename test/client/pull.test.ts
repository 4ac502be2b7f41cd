/**
 * What `pull.mjs` does, as its user sees it: exit code, files, words. The same is asked of `pull.py` by
 * `npm run campaign -- python`, which sets PULL_PROGRAM.
 */
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PullProgram, type PullRun, runPull } from './pull-program.ts';
import {
  manifestOf,
  type ScriptedServer,
  sha256,
  SNAPSHOT_ID,
  startScripted,
  TABLES,
} from './scripted-server.ts';
import { itInSweeps } from '../support/sweeps.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const FILES = Object.keys(TABLES).map((name) => `${name}.parquet`);
const COSTS = TABLES['costs'] ?? Buffer.alloc(0);

let to: string;
const servers: ScriptedServer[] = [];
beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), 'crossfoot-pull-'));
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

function pullFrom({ url }: ScriptedServer, ...args: readonly string[]): Promise<PullRun> {
  return runPull(PROGRAM, 'a token', '--url', url, '--to', to, ...args);
}

/** What anybody sees of the folder. */
async function visible(): Promise<readonly string[]> {
  return (await readdir(to)).filter((name) => !name.startsWith('.')).toSorted();
}

/** Waits until so many bytes of a file are on the disk, of a snapshot that is not whole yet. */
async function untilHere(name: string, bytes: number): Promise<void> {
  const path = join(to, `.partial-${SNAPSHOT_ID}`, name);
  while ((await stat(path).catch(() => null))?.size !== bytes) await setImmediate();
}

/** What a pull leaves that was killed; no Linux has a process of that number. */
async function leaveLock(host: string): Promise<void> {
  await writeFile(join(to, '.pull.lock'), JSON.stringify({ pid: 2 ** 22 + 1, host, nonce: '' }));
}

/** How it ended, what it said, and what anybody sees of the folder. */
async function refused(run: Promise<PullRun>): Promise<readonly [number | null, string, readonly string[]]> {
  const { code, stderr } = await run;
  return [code, stderr, await visible()];
}

/** With this code, saying this, and with nothing to see. */
function by(code: number, sentence: string): readonly unknown[] {
  return [code, expect.stringContaining(sentence), []];
}

describe(`a pull by ${PROGRAM}`, () => {
  it('downloads the whole newest snapshot, points latest to it, and then prints its content', async () => {
    const server = await serve();
    const run = await pullFrom(server);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: `${join(to, SNAPSHOT_ID)}\n` });
    expect((await readdir(to)).toSorted()).toEqual([SNAPSHOT_ID, 'latest', 'latest.json']);
    expect(await readlink(join(to, 'latest'))).toBe(SNAPSHOT_ID);
    expect((await readdir(join(to, 'latest'))).toSorted()).toEqual([...FILES, 'manifest.json'].toSorted());
    for (const [name, bytes] of Object.entries(TABLES)) {
      expect(await readFile(join(to, 'latest', `${name}.parquet`))).toEqual(bytes);
    }
    expect(JSON.parse(await readFile(join(to, 'latest', 'manifest.json'), 'utf8'))).toEqual(manifestOf());
    expect(JSON.parse(await readFile(join(to, 'latest.json'), 'utf8'))).toEqual({
      snapshot_id: SNAPSHOT_ID,
      generated_at: '2026-07-15T02:00:00.000000Z',
      account_id: 7,
      folder: SNAPSHOT_ID,
      tables: Object.entries(TABLES).map(([table, bytes]) => ({
        table,
        file: `${table}.parquet`,
        row_count: 1,
        size_bytes: bytes.length,
        sha256: sha256(bytes),
      })),
    });
  });

  it('resolves the newest once, asks for pinned files alone, and sends the token each time', async () => {
    const server = await serve();
    await pullFrom(server);
    const paths = server.asked.map(({ path }) => path).toSorted();
    const pinned = FILES.map((name) => `/v1/reporting/snapshots/${SNAPSHOT_ID}/${name}`);
    // A server older than signatures has no such file.
    const proof = `/v1/reporting/snapshots/${SNAPSHOT_ID}/files/log-entry.json`;
    expect(paths).toEqual(['/v1/reporting/latest', ...pinned, proof].toSorted());
    expect(new Set(server.asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer a token']),
    );
  });

  it('ends with 10 when there is nothing new, and asks for the manifest alone', async () => {
    const server = await serve();
    await pullFrom(server);
    const asked = server.asked.length;
    const again = await pullFrom(server);
    expect([again.code, again.stderr]).toEqual([10, expect.stringContaining('nothing new')]);
    expect(server.asked.slice(asked).map(({ path }) => path)).toEqual(['/v1/reporting/latest']);
  });

  it('brings again what was damaged by its size, and adds the tables that were left out', async () => {
    const server = await serve();
    expect((await pullFrom(server, '--tables', 'costs')).code).toBe(0);
    expect((await readdir(join(to, SNAPSHOT_ID))).toSorted()).toEqual(['costs.parquet', 'manifest.json']);
    await writeFile(join(to, SNAPSHOT_ID, 'costs.parquet'), 'short');
    expect((await pullFrom(server)).code).toBe(0);
    expect(await readFile(join(to, SNAPSHOT_ID, 'costs.parquet'))).toEqual(COSTS);
    expect((await readdir(join(to, SNAPSHOT_ID))).toSorted()).toEqual([...FILES, 'manifest.json'].toSorted());
  });

  it('of a named snapshot leaves alone what latest points to', async () => {
    const run = await pullFrom(await serve(), '--snapshot', SNAPSHOT_ID);
    expect(run.code).toBe(0);
    expect(await visible()).toEqual([SNAPSHOT_ID]);
  });

  it('goes on where it was cut off, for that very file', async () => {
    const server = await serve((request, response, nth) => {
      if (request.url?.endsWith('costs.parquet') !== true || nth > 0) return false;
      response.writeHead(200, { 'content-length': COSTS.length });
      response.write(COSTS.subarray(0, 100));
      void untilHere('costs.parquet', 100).then(() => response.destroy());
      return true;
    });
    expect((await pullFrom(server)).code).toBe(0);
    const [first, second] = server.asked.filter(({ path }) => path.endsWith('costs.parquet'));
    const tag = `"${sha256(COSTS)}"`;
    expect([first?.headers.range, first?.headers['if-match']]).toEqual([undefined, tag]);
    expect([second?.headers.range, second?.headers['if-match']]).toEqual(['bytes=100-', tag]);
    expect(await readFile(join(to, 'latest/costs.parquet'))).toEqual(COSTS);
  });

  it('takes the whole file from a server without range support', async () => {
    await mkdir(join(to, `.partial-${SNAPSHOT_ID}`));
    await writeFile(join(to, `.partial-${SNAPSHOT_ID}`, 'costs.parquet'), COSTS.subarray(0, 50));
    const server = await serve((request, response) => {
      if (request.headers.range === undefined) return false;
      response.end(COSTS);
      return true;
    });
    expect((await pullFrom(server)).code).toBe(0);
    // Its bytes are taken in place of those that were here, and are right at once.
    expect(server.asked.filter(({ path }) => path.endsWith('costs.parquet'))).toHaveLength(1);
    expect(await readFile(join(to, 'latest/costs.parquet'))).toEqual(COSTS);
  });

  it('fetches a half file with wrong bytes once more', async () => {
    await mkdir(join(to, `.partial-${SNAPSHOT_ID}`));
    await mkdir(join(to, '.partial-20260714T020000Z'));
    await writeFile(join(to, `.partial-${SNAPSHOT_ID}`, 'costs.parquet'), 'wrong');
    await writeFile(join(to, `.partial-${SNAPSHOT_ID}`, 'snapshot.parquet'), 'longer than it is');
    expect((await pullFrom(await serve())).code).toBe(0);
    expect(await readFile(join(to, 'latest/costs.parquet'))).toEqual(COSTS);
    expect((await readdir(to)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  itInSweeps.each([429, 503])('waits as long as a %i asks for, and tries again', async (status) => {
    const server = await serve((_, response, nth) => {
      if (nth > 0) return false;
      response.writeHead(status, { 'retry-after': '1' }).end('{"error":{"status":0,"message":"Busy."}}');
      return true;
    });
    const run = await pullFrom(server, '--tables', 'costs');
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(`${status} Busy.; again in 1.0 s`)]);
  });

  it('gives up with 1 on a server that asks for more than ten minutes', async () => {
    const server = await serve((_, response) => {
      response.writeHead(503, { 'retry-after': '601' }).end();
      return true;
    });
    expect(await refused(pullFrom(server))).toEqual(by(1, 'given up'));
  });

  it.each([401, 403, 404, 412])('ends with 3 and nothing to see when refused with %i', async (status) => {
    const server = await serve((_, response) => {
      response.writeHead(status).end('{"error":{"status":0,"message":"So it is."}}');
      return true;
    });
    expect(await refused(pullFrom(server))).toEqual(by(3, `The server refused: ${status} So it is.`));
    expect(server.asked).toHaveLength(1);
  });

  it('ends with 1 for a fault of the server that no try mends', async () => {
    const server = await serve((_, response) => {
      response.writeHead(501).end();
      return true;
    });
    expect(await refused(pullFrom(server))).toEqual(by(1, 'The server refused: 501 without a reason'));
  });

  it('ends with 3 and nothing to see when bytes are not those of the manifest, fetched twice', async () => {
    const server = await serve((request, response) => {
      if (request.url?.endsWith('costs.parquet') !== true) return false;
      const spoiled = Buffer.from(COSTS);
      spoiled.writeUInt8(spoiled.readUInt8(9) ^ 1, 9);
      response.end(spoiled);
      return true;
    });
    expect(await refused(pullFrom(server))).toEqual(by(3, 'costs.parquet: SHA-256 is'));
    expect(server.asked.filter(({ path }) => path.endsWith('costs.parquet'))).toHaveLength(2);
  });

  it('ends with 3 when a file is longer than its manifest says', async () => {
    const server = await serve((request, response) => {
      if (request.url?.endsWith('costs.parquet') !== true) return false;
      response.end(Buffer.concat([COSTS, COSTS]));
      return true;
    });
    expect(await refused(pullFrom(server))).toEqual(by(3, `is longer than the ${COSTS.length} bytes`));
  });

  it.each([
    ['retracted for something that is no reason', { retraction: { reason: 1 } }, 'malformed'],
    ['whose table names a place elsewhere', { tables: [{ ...aTable(), name: '../x' }] }, 'malformed'],
    ['with a size that is no number', { tables: [{ ...aTable(), size_bytes: '1' }] }, 'malformed'],
    ['with an id that is none', { snapshot_id: '../../etc' }, 'malformed'],
  ])('ends with 3 and nothing to see for a snapshot %s', async (_, changed, sentence) => {
    const server = await serve((__, response) => {
      response.end(JSON.stringify(manifestOf(changed)));
      return true;
    });
    expect(await refused(pullFrom(server))).toEqual(by(3, sentence));
    expect(server.asked).toHaveLength(1);
  });

  it('takes its token to no other server', async () => {
    const other = await serve();
    const server = await serve((_, response) => {
      response.writeHead(302, { location: other.url }).end();
      return true;
    });
    expect(await refused(pullFrom(server))).toEqual(by(1, `redirects to ${other.url}`));
    expect(other.asked).toEqual([]);
  });

  it('leaves the folder to another pull that is filling it, and exits with 1', async () => {
    const beside: { run?: Promise<PullRun> } = {};
    const server: ScriptedServer = await serve((request, response, nth) => {
      if (request.url !== '/v1/reporting/latest' || nth > 0) return false;
      // The first waits for its manifest until the second has ended.
      beside.run = pullFrom(server);
      void beside.run.then(() => response.end(JSON.stringify(manifestOf())));
      return true;
    });
    const first = await pullFrom(server);
    const second = await beside.run;
    expect([first.code, second?.code]).toEqual([0, 1]);
    expect(second?.stderr).toMatch(/Another pull, process \d+ on .+, is filling this folder/);
  });

  it('takes over the folder of a killed pull, but not of a pull that may run on another machine', async () => {
    await leaveLock('another.example');
    expect(await refused(pullFrom(await serve()))).toEqual(by(1, 'on another.example'));
    await leaveLock(hostname());
    expect((await pullFrom(await serve())).code).toBe(0);
  });

  it.each([
    ['nothing', []],
    ['no folder', ['--url', 'http://127.0.0.1:1/v1']],
    ['an address that is none', ['--url', 'ftp://x', '--to', 'x']],
    ['an option that is none', ['--url', 'http://127.0.0.1:1/v1', '--to', 'x', '--colour']],
    ['a snapshot that is none', ['--url', 'http://127.0.0.1:1/v1', '--to', '/tmp', '--snapshot', 'newest']],
  ])('ends with 2 when called with %s', async (_, args) => {
    expect((await runPull(PROGRAM, 'a token', ...args)).code).toBe(2);
  });

  it('exits with 2 for an unknown table', async () => {
    expect(await refused(pullFrom(await serve(), '--tables', 'cost'))).toEqual(by(2, 'has no table cost'));
  });
});

function aTable(): Record<string, unknown> {
  return { name: 'costs', row_count: 1, size_bytes: COSTS.length, sha256: sha256(COSTS) };
}
