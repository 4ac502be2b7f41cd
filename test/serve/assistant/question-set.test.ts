/** The questions of `question-set.ts`, each through the tools: at most three calls, and the figures worked by hand. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as CurrentClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diffs } from '../../../src/diff/diff-cache.ts';
import { asAccount } from '../../../src/ledger/account-session.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { COMPANION_SET } from '../../../src/tables/companions.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import type { Listener } from '../../../src/serve/http/server.ts';
import { pin } from '../../../src/snapshot/keep/pins.ts';
import { DAY, clockAt, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, change, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { fakeApp } from '../fake-parts.ts';
import { openServer } from './open-server.ts';
import { type Asking, askingOf } from './questions.ts';
import { QUESTIONS } from './question-set.ts';

const runProgram = promisify(execFile);
const unused = () => Promise.reject(new Error('unused'));

let harness: BuildHarness;
let diffs: Diffs;
let asking: Asking;
let application: ReturnType<typeof fakeApp>['app'];
beforeAll(async () => {
  harness = await openBuildHarness();
  const store = memoryStore(new Map());
  const owner = await harness.database.client('cf_owner');
  const checksBeside = await readChecksBeside([COMPANION_SET]);
  await change(
    owner,
    `insert into ledger.cost_entries
      (account_id, id, initiative_id, amount_cents, currency, cost_type, cost_category, period_start, source_type)
    values (1, 9001, 101, 100000, 'USD', 'software', 'opex', '2026-07-01', 'manual')`,
  );
  await harness.build({ store, checksBeside });
  const marks = { account_id: 1n, snapshot_id: '20260715T020000Z', by: 'test', now: AT };
  const tools = { store, clock: clockAt(AT), newNonce: () => 'a'.repeat(32) };
  await pin({ ...marks, name: 'july-preview', until: AT + 100n * DAY }, tools);
  await change(owner, 'delete from ledger.cost_entries where account_id = 1 and id = 9001');
  await harness.build({ store, checksBeside, at: AT + DAY });
  const snapshots = readerAt(store, () => AT + DAY);
  diffs = await openDiffs({ snapshots, root: `${harness.root}/diffs` });
  const pool = harness.database.pool('cf_reader', 4);
  const { app } = fakeApp({
    snapshots,
    diffs,
    readToday: async () => '2026-07-15',
    inAccount: (session, run) => asAccount(pool, session, run),
    authenticate: async () => ({
      token_id: 1n,
      account_id: 1n,
      user_id: 1n,
      kind: 'personal',
      api_access: true,
      reporting_enabled: true,
    }),
  });
  application = app;
  asking = askingOf({ database: harness.database, app, ask: unused, close: async () => {} });
});
afterAll(async () => {
  await diffs.close();
  await harness.close();
});

/** The names by which a row of a list is found. */
const NAMES = ['id', 'figure', 'month', 'name', 'snapshot_id'];

/** The value at a path such as `moved.cost_cents.change_cents`; the first step may be the place in a list of initiatives. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, step) => {
    if (typeof found !== 'object' || found === null) return undefined;
    if (!Array.isArray(found)) return Reflect.get(found, step);
    const rows = found as Record<string, unknown>[];
    return rows.find((row) => NAMES.some((name) => String(row[name]) === step)) ?? rows[Number(step)];
  }, value);
}

describe('the question set', () => {
  it('holds sixty questions and more, none twice, each of at most three calls', () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(QUESTIONS.map(({ asks }) => asks)).size).toBe(QUESTIONS.length);
    for (const { calls } of QUESTIONS) expect([1, 2, 3]).toContain(calls.length);
  });

  it.each(QUESTIONS)('is answered: $asks', async ({ calls, finds }) => {
    let structured: Record<string, unknown> | undefined;
    let texts = '';
    for (const [tool, asked] of calls) {
      const told = await asking.call(tool, asked);
      expect([told.isError, told.text]).toEqual([false, told.text]);
      ({ structured } = told);
      texts += told.text;
    }
    const rows = structured?.['initiatives'];
    const found = Object.keys(finds).map((path) => [path, at(/^\d/.test(path) ? rows : structured, path)]);
    expect(Object.fromEntries(found)).toEqual(finds);
    // What a later call names was found by an earlier one.
    for (const [, { initiative_id }] of calls.slice(1)) expect(texts).toContain(`${initiative_id as number}`);
  });
});

const IDENTITY = { name: 'a client', version: '1' };
const LIVE = { name: 'get_roi_summary', arguments: {} };
const THEN = { name: 'get_roi_summary', arguments: { snapshot: 'july-preview' } };

describe('official clients', () => {
  let server: Listener;
  beforeAll(async () => {
    server = await openServer(TOOLS, application);
  });
  afterAll(() => server.close(0));
  const address = (): URL => new URL(`http://127.0.0.1:${server.port}/mcp`);

  it('of both protocols get the same answers, live and as of a snapshot', async () => {
    const current = new CurrentClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await current.connect(new StreamableHTTPClientTransport(address()));
    const earlier = new EarlierClient(IDENTITY);
    await earlier.connect(new EarlierTransport(address()));
    for (const [call, total_cost_cents] of [
      [LIVE, 3_061_155],
      [THEN, 3_161_155],
    ] as const) {
      const { structuredContent } = await current.callTool(call);
      expect(structuredContent).toMatchObject({ total_cost_cents });
      expect((await earlier.callTool(call)).structuredContent).toEqual(structuredContent);
    }
    await Promise.all([current.close(), earlier.close()]);
  });

  it('in the inspector get the same answers, live and as of a snapshot', async () => {
    const home = await mkdtemp(join(tmpdir(), 'crossfoot-inspector-'));
    for (const [asked, total_cost_cents] of [
      [[], 3_061_155],
      [['--tool-arg', 'snapshot=july-preview'], 3_161_155],
    ] as const) {
      const given = ['--cli', address().href, '--transport', 'http', '--method', 'tools/call'];
      const { stdout } = await runProgram('mcp-inspector', [...given, '--tool-name', LIVE.name, ...asked], {
        env: { ...process.env, HOME: home },
      });
      expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { total_cost_cents } });
    }
    await rm(home, { recursive: true });
  });
});
