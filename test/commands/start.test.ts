/** `crossfoot start` through its life on one data folder: each part goes on from whatever runs there. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { firstStartLines, READY } from './first-start-lines.ts';
import { endedInTime, Folder } from './instances.ts';
import { proveServed } from '../prover/prove-served.ts';
import type { Outcome, Program } from './program.ts';
import { type ServedManifest, get, readFacts, readManifest, wrongTables } from './published.ts';
import { freePort } from '../support/free-port.ts';
import { describeInSweeps, itInSweeps } from '../support/sweeps.ts';

// The first line of a build: its other tables, the audit and publishing are still to come.
const BUILDING = /^ {2}snapshot +1 row /;
const TOKENS = ['TOKEN', 'REPORTING_TOKEN', 'OTHER_TOKEN', 'NO_API_TOKEN'];
let folder: Folder;
let program: Program;
let nameCount = 0;
let demo: Readonly<Record<string, string>>;
const metricsPort = await freePort();
beforeAll(async () => {
  folder = await Folder.make();
  await startAgain();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Starts, waits until it serves, and reads the addresses and tokens it wrote. */
async function startAgain(port = '0', meanwhile?: () => Promise<unknown>): Promise<void> {
  program = folder.run(['start'], { METRICS_PORT: String(metricsPort), PORT: port });
  await meanwhile?.();
  await program.said(READY);
  demo = await folder.demo();
}

/** Changes the company while the program runs: without a change, the next start would build nothing. */
async function changeCompany(): Promise<void> {
  const name = `Company ${(nameCount += 1)}`;
  expect((await folder.run(['account', 'set', '1', '--name', name]).ended).code).toBe(0);
}

const token = (name = 'TOKEN'): string => demo[name] ?? '';
const address = (path: string): string => `${demo['BASE_URL']}/reporting/${path}`;
const latest = (name = 'TOKEN'): Promise<ServedManifest> => readManifest(address('latest'), token(name));
const rowsOf = ({ tables }: ServedManifest): unknown => tables.map((table) => [table.name, table.row_count]);
const digestsOf = ({ tables }: ServedManifest): unknown => tables.map((table) => table.sha256);

describeInSweeps('commands beside a running start', () => {
  it('join its database: they read, write and build, all at once', async () => {
    const commands = [
      ['token', 'issue', '--account', '1', '--user', '1', '--name', 'beside', '--kind', 'personal'],
      ['status'],
      ['build', '--account', '2'],
    ];
    const ended = await Promise.all(commands.map((args) => folder.run(args).ended));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(
      commands.map(() => [0, expect.anything()]),
    );
    const issued = ended[0]?.stdout.at(-1) ?? '';
    expect((await readManifest(address('latest'), issued)).tables).toHaveLength(TABLES.length);
  });

  it('are twenty at once, and none alters or stops what runs', async () => {
    const commands = [
      ['status'],
      ['why', '--account', '1'],
      ['doctor'],
      ['snapshots', '--account', '1'],
      ['prune', '--dry-run'],
      ['token', 'list', '--account', '1'],
      ['webhooks', 'list', '--account', '1'],
      ['account', 'list'],
      ['rates', 'show', 'EUR', '--from', '2026-01-01', '--through', '2026-01-31'],
      ['reporting', 'on', '--account', '1'],
    ];
    const ended = await Promise.all([...commands, ...commands].map((args) => folder.run(args).ended));
    expect(ended.map(({ code, stderr }) => [code, stderr.join()])).toEqual(
      [...commands, ...commands].map(() => [0, expect.anything()]),
    );
    expect((await latest()).tables).toHaveLength(TABLES.length);
  });
});

describe('a first start', () => {
  it('prints every table of every account with its rows and bytes, its audit, how to go on, and where', () => {
    const shapes = firstStartLines();
    for (const [index, shape] of shapes.entries()) expect(program.stdout[index]).toMatch(shape);
    expect(program.stdout).toHaveLength(shapes.length);
  });

  it('writes the address and the tokens where only their owner can read them', async () => {
    const { mode } = await stat(join(folder.path, 'demo.env'));
    expect((mode & 0o777).toString(8)).toBe('600');
    expect(Object.keys(demo).toSorted()).toEqual(['BASE_URL', ...TOKENS].toSorted());
    expect(demo['BASE_URL']).toBe(`${program.stdout.at(-1)?.replace('ready ', '')}/v1`);
  });

  it('lists the key that signed, so that the page proves the snapshots of every account', async () => {
    const origin = new URL(address('')).origin;
    for (const name of ['TOKEN', 'OTHER_TOKEN']) {
      const { snapshot_id } = await latest(name);
      expect(await proveServed(origin, token(name), snapshot_id)).toMatchObject({ outcome: 'proven' });
    }
    const signers = await (await get(address('keys/allowed_signers'))).text();
    expect(signers).toMatch(/^crossfoot namespaces=.+ ssh-ed25519 \S+\n$/);
  });

  it('serves the company to both of its tokens, and another account to the other token', async () => {
    const company = await latest('TOKEN');
    expect(await latest('REPORTING_TOKEN')).toEqual(company);
    expect(company.tables.map((table) => table.name)).toEqual(TABLES.map((table) => table.name));
    const other = await latest('OTHER_TOKEN');
    expect([company.account_id, other.account_id]).toEqual(['1', '2']);
    expect(other.tables.map((table) => table.sha256)).not.toEqual(
      company.tables.map((table) => table.sha256),
    );
  });

  it('describes itself to anyone: a contract that names its own address, and the page that shows it', async () => {
    const base = demo['BASE_URL'] ?? '';
    const contract = await get(`${base}/openapi.json`);
    expect(await contract.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: base }] });
    const page = await get(base.replace(/v1$/, 'docs/api'));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>API reference')]);
    const figures = await get(base.replace(/v1$/, 'docs/api/figures'));
    expect(await figures.text()).toContain(`curl ${base}/roi`);
  });

  it('serves the metrics of its worker, too: two accounts were built', async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(text).toContain('crossfoot_builds_finished_total{outcome="published"} 2\n');
  });

  it('answers live from the same ledger', async () => {
    for (const path of ['roi', 'cost_entries'])
      expect((await get(`${demo['BASE_URL']}/${path}`, token())).status).toBe(200);
  });

  it('refuses a plan without API access, a request without a token and an unknown token', async () => {
    expect((await get(address('latest'), token('NO_API_TOKEN'))).status).toBe(403);
    expect((await get(address('latest'))).status).toBe(401);
    expect((await get(address('latest'), `${token().slice(0, -1)}~`)).status).toBe(401);
  });

  it.each(['TOKEN', 'OTHER_TOKEN'])(
    'serves to %s, at both addresses, the bytes its manifest names',
    async (name) => {
      const manifest = await latest(name);
      expect(await wrongTables(manifest, token(name))).toEqual([]);
      for (const { name: table, size_bytes, sha256 } of manifest.tables) {
        const facts = await readFacts(address(`latest/${table}.parquet`), token(name));
        expect(facts).toEqual({ size_bytes, sha256 });
      }
    },
  );

  itInSweeps('locks its folder: a second start says which process to stop or what to set', async () => {
    const { code, stdout, stderr } = await folder.run(['start']).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: [] });
    expect(stderr.join('\n')).toContain(`in use by process ${program.pid}`);
    expect(stderr.join('\n')).toContain(
      `Stop process ${program.pid} first. For a ledger of its own, set DATA_DIR to another folder.`,
    );
    expect((await get(address('latest'), token())).status).toBe(200);
  });
});

/** Tells whatever runs to stop, so that the next start is not refused. */
async function stopAll(): Promise<void> {
  if ((await folder.processes()).length > 0) program.signal('SIGTERM');
  await program.ended;
}

describeInSweeps('a start after Ctrl-C, and after a kill -9 of the program in the middle of a build', () => {
  let first: { readonly demo: typeof demo; readonly snapshot: ServedManifest };
  let stop: Outcome | null;
  let leftByStop: readonly string[];
  let leftByKill: readonly string[];
  let atOnce: ServedManifest;
  beforeAll(async () => {
    first = { demo, snapshot: await latest() };
    await changeCompany();
    program.signalGroup('SIGINT');
    stop = await endedInTime(program);
    leftByStop = await folder.processesLeft();
    program = folder.run(['start']);
    await program.said(BUILDING);
    program.signal('SIGKILL');
    await program.ended;
    leftByKill = await folder.processesLeft((line) => line.includes('jobs/build.ts'));
    // At the same address: a person asks just before the publish, so that the server has read the log, and just after it.
    await startAgain(new URL(address('')).port, async () => {
      await program.said(/^ {2}audit /).then(() => latest());
      atOnce = await program.said(/^(?:account 2|try .*)$/).then(() => latest());
    });
  });

  it('finds that Ctrl-C ended the earlier start in time, without a complaint or a process', () => {
    expect(stop).toMatchObject({ code: 0, signal: null });
    expect(stop?.stderr).toEqual([
      `data in ${folder.path}, PostgreSQL of its own`,
      'loading the fixture company',
    ]);
    expect(leftByStop).toEqual([]);
  });

  it('finds that the build ended with the program that asked for it', () => expect(leftByKill).toEqual([]));

  it('loads nothing again and keeps the tokens', async () => {
    expect(TOKENS.map((name) => demo[name])).toEqual(TOKENS.map((name) => first.demo[name]));
    expect(rowsOf(await latest())).toEqual(rowsOf(first.snapshot));
  });

  it('publishes a further snapshot and still serves the earlier snapshot at its address', async () => {
    const now = await latest();
    expect(now.snapshot_id > first.snapshot.snapshot_id).toBe(true);
    expect(atOnce.snapshot_id).toBe(now.snapshot_id);
    expect(await wrongTables(now, token())).toEqual([]);
    const old = await readManifest(address(`snapshots/${first.snapshot.snapshot_id}`), token());
    expect(digestsOf(old)).toEqual(digestsOf(first.snapshot));
    expect(await wrongTables(old, token())).toEqual([]);
  });
});

describeInSweeps('a start after kill -9 of everything while it served', () => {
  let before: ServedManifest;
  beforeAll(async () => {
    before = await latest();
    await changeCompany();
    await folder.killAll();
    await program.ended;
    // At the address of the one before, so that its tokens and addresses lead here at once.
    program = folder.run(['start'], { PORT: new URL(address('')).port });
    await program.said(BUILDING);
  });
  afterAll(() => stopAll().then(() => startAgain())); // which makes up for the build that was stopped

  it('serves the last snapshot while it builds the next, and on SIGTERM ends in time leaving no process', async () => {
    const now = await latest();
    expect(now.snapshot_id).toBe(before.snapshot_id);
    expect(await wrongTables(now, token())).toEqual([]);
    program.signal('SIGTERM');
    expect(await endedInTime(program)).toMatchObject({ code: 1, signal: null });
    expect(await folder.processesLeft()).toEqual([]);
  });
});

describe('a start of an unchanged ledger', () => {
  it('is ready from what is published: it builds no account again, nor account 2, which was built by hand', async () => {
    await stopAll();
    await startAgain();
    const ids = [(await latest()).snapshot_id, (await latest('OTHER_TOKEN')).snapshot_id];
    expect(program.stdout.slice(0, 3)).toEqual([
      ...ids.map((id, index) => `account ${index + 1}: nothing has changed since snapshot ${id}`),
      '',
    ]);
  });

  itInSweeps('goes on when its PostgreSQL is killed before it is ready', async () => {
    await stopAll();
    await startAgain('0', () => program.said(/^data in /).then(() => folder.killPostgres()));
    expect((await latest()).account_id).toBe('1');
  });
});

describeInSweeps('Ctrl-C in the middle of a build', () => {
  beforeAll(async () => {
    await changeCompany();
    await stopAll();
    program = folder.run(['start']);
    await program.said(BUILDING);
  });

  it('ends program, build and server in time, says so, and publishes nothing (F-2)', async () => {
    program.signalGroup('SIGINT');
    const stop = await endedInTime(program);
    expect(stop).toMatchObject({ code: 1, signal: null });
    expect(stop?.stderr.at(-1)).toBe('stopped by SIGINT');
    expect(stop?.stdout.join()).not.toContain('published');
    expect(await folder.processesLeft()).toEqual([]);
  });
});

describe('serving alone', () => {
  beforeAll(async () => {
    await stopAll();
    program = folder.run(['serve'], { LOG_LEVEL: 'info', BASE_URL: 'https://figures.example/below/v1' });
    await program.said(/^ready /);
  });

  it('ends in time when the terminal is closed, leaving no process', async () => {
    program.signalGroup('SIGHUP');
    const stop = await endedInTime(program);
    expect(stop).toMatchObject({ code: 0, signal: null });
    expect(await folder.processesLeft()).toEqual([]);
    expect(stop?.stdout).toEqual(['ready https://figures.example/below']);
    const events = stop?.stderr.map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toContain('server.started');
  });
});
