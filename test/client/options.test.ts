/** What `pull.mjs`, or the program that PULL_PROGRAM names, makes of its token, address, tables and signals. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PullProgram, runPull, startPull } from './pull-program.ts';
import { type ScriptedServer, SNAPSHOT_ID, startScripted, TABLES } from './scripted-server.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone

let to: string;
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScripted();
});
afterAll(() => server.close());
beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), 'crossfoot-options-'));
});
afterEach(() => rm(to, { recursive: true }));

const pull = (...args: readonly string[]) =>
  runPull(PROGRAM, 'a token', '--url', server.url, '--to', to, ...args);

async function control(): Promise<unknown> {
  return JSON.parse(await readFile(join(to, 'latest.json'), 'utf8'));
}

describe(`a pull by ${PROGRAM}`, () => {
  it('takes blanks around the token and slashes behind the address', async () => {
    const asked = server.asked.length;
    const address = server.url.replace(/\/v1$/, '//');
    expect((await runPull(PROGRAM, ' a token\n', '--url', address, '--to', to)).code).toBe(0);
    const [manifest] = server.asked.slice(asked);
    expect([manifest?.path, manifest?.headers.authorization]).toEqual([
      '/v1/reporting/latest',
      'Bearer a token',
    ]);
  });

  it('takes the token of --token before that of the environment, and explains itself with --help', async () => {
    const asked = server.asked.length;
    expect((await pull('--token', 'another token')).code).toBe(0);
    expect(new Set(server.asked.slice(asked).map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer another token']),
    );
    const { code, stdout } = await runPull(PROGRAM, '', '--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('10 nothing new')]);
  });

  it.each(['', '  \n'])('ends with 2 and asks nothing without a token: %j', async (token) => {
    const asked = server.asked.length;
    const { code, stderr } = await runPull(PROGRAM, token, '--url', server.url, '--to', to);
    expect([code, stderr]).toEqual([2, expect.stringContaining('CROSSFOOT_TOKEN')]);
    expect(server.asked.length).toBe(asked);
  });

  it('names in the control file the tables that were pulled, and all of them once they are', async () => {
    expect((await pull('--tables', 'costs')).code).toBe(0);
    expect(await control()).toMatchObject({ tables: [{ table: 'costs' }] });
    expect((await pull()).code).toBe(0);
    expect(await control()).toMatchObject({ tables: Object.keys(TABLES).map((table) => ({ table })) });
  });

  it.each(['', 'no JSON', '{}'])('writes the control file anew where it holds %j', async (text) => {
    expect((await pull()).code).toBe(0);
    await writeFile(join(to, 'latest.json'), text);
    expect((await pull()).code).toBe(0);
    expect(await control()).toMatchObject({ snapshot_id: SNAPSHOT_ID });
  });

  it('points latest to the snapshot where something else of that name was pointed to before', async () => {
    expect((await pull()).code).toBe(0);
    await rm(join(to, 'latest.json'));
    await writeFile(join(to, '.latest'), 'left by a pull that was killed');
    expect((await pull()).code).toBe(0);
    expect((await readdir(to)).toSorted()).toEqual([SNAPSHOT_ID, 'latest', 'latest.json']);
  });

  it('leaves a folder that bears the name latest, and still writes the control file', async () => {
    await mkdir(join(to, 'latest', 'of a person'), { recursive: true });
    expect((await pull()).code).toBe(0);
    expect((await readdir(to)).toSorted()).toEqual([SNAPSHOT_ID, 'latest', 'latest.json']);
    expect(await readdir(join(to, 'latest'))).toEqual(['of a person']);
    expect(await control()).toMatchObject({ folder: SNAPSHOT_ID });
  });

  it.each(['SIGINT', 'SIGHUP'] as const)(
    'ends with 1 and leaves no lock when it gets a %s',
    async (signal) => {
      const silent = await startScripted(() => true);
      const running = startPull(PROGRAM, 'a token', '--url', silent.url, '--to', to);
      while (silent.asked.length === 0) await setImmediate();
      running.stop(signal);
      const { code, stderr } = await running.ended;
      await silent.close();
      expect([code, stderr, await readdir(to)]).toEqual([1, `pull: Stopped by ${signal}.\n`, []]);
    },
  );

  it('ends with 3 and brings nothing if the server keeps its log from the token', async () => {
    const guarded = await startScripted((request, response) => {
      if (request.url?.endsWith('/files/log-entry.json') !== true) return false;
      response.writeHead(403).end('{"error":{"message":"Not for you."}}');
      return true;
    });
    const { code, stderr } = await runPull(PROGRAM, 'a token', '--url', guarded.url, '--to', to);
    await guarded.close();
    expect([code, stderr, await readdir(to)]).toEqual([
      3,
      'pull: The server refused: 403 Not for you.\n',
      [],
    ]);
  });

  it('stops at once when it is aborted while it waits for a Retry-After of ten minutes, the longest', async () => {
    const busy = await startScripted((request, response) => {
      if (request.url?.endsWith('.parquet') !== true) return false;
      response.writeHead(503, { 'retry-after': '600' }).end();
      return true;
    });
    const running = startPull(PROGRAM, 'a token', '--url', busy.url, '--to', to);
    const parts = () => busy.asked.filter(({ path }) => path.endsWith('.parquet'));
    while (parts().length < Object.keys(TABLES).length) await setImmediate();
    running.stop();
    const { code, stderr } = await running.ended;
    await busy.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped by SIGTERM.')]);
    expect((await readdir(to)).filter((name) => !name.startsWith('.partial-'))).toEqual([]);
  });
});
