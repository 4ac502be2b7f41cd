/** Running servers over a real database: what they share, what they write down, and what they say when a part is gone. */
import { mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { openObjectStore } from '../../../src/run/object-store.ts';
import type { Service } from '../../../src/run/server/service.ts';
import { leaveMark } from '../../../src/run/store-mark.ts';
import { CLOCK } from '../../../src/run/machine.ts';
import { listTokens, revokeToken } from '../../../src/ledger/tokens.ts';
import { formTokenIn } from '../../serve/pages/browser.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { issueToken, startOver } from './service-harness.ts';
import { get } from '../../commands/published.ts';
import { itInSweeps } from '../../support/sweeps.ts';

// Five seconds is what is promised; a look-up and a busy machine get one more.
const PROMISED_MS = 6_000;
const POLL_MS = 50;

let database: TestDatabase;
let folder: string;
let records: Pool;
const lines: string[] = [];
const services: Service[] = [];

beforeAll(async () => {
  database = await createDatabase('template_company');
  records = database.pool('cf_service', 1);
  folder = await realpath(await mkdtemp(join(tmpdir(), 'crossfoot-service-')));
});
afterAll(async () => {
  for (const service of services) await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

async function start(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await startOver(database, { DATA_DIR: folder, ...settings }, lines);
  services.push(service);
  return service;
}

const issue = (): ReturnType<typeof issueToken> => issueToken(database);

/** Asks until the status is this one, for as long as was promised; gives the last status. */
async function statusWithin(url: string, token: string, wanted: number): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { status } = await get(url, token);
    if (status === wanted || performance.now() - from > PROMISED_MS) return status;
    await sleep(POLL_MS);
  }
}

/** A token, used once, whose minute does not end during the test: each has a minute of its own. */
async function issueWithTime({ baseUrl }: Service): Promise<{ token: string; id: bigint }> {
  for (;;) {
    const issued = await issue();
    const { headers } = await get(`${baseUrl}/decisions`, issued.token);
    const seconds = /"token";r=\d+;t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
    if (Number(seconds) >= 30) return issued;
  }
}

/** What all servers together know that a token has spent. */
async function shared(token_id: bigint): Promise<number> {
  const { rows } = await records.query<{ points: bigint }>(
    'select points from ops.rate_limits where subject = $1',
    [`token:${token_id}`],
  );
  return rows.reduce((sum, { points }) => sum + Number(points), 0);
}

async function untilShared(token_id: bigint, points: number): Promise<void> {
  while ((await shared(token_id)) < points) await sleep(POLL_MS);
}

describe('a token', () => {
  itInSweeps(
    'A-12: that was revoked, or whose holder left, is dead within five seconds, and a new one alive at once (F-48)',
    async () => {
      const owner = await database.client('cf_owner');
      const { baseUrl } = await start({
        TOKEN_REQUESTS_PER_MINUTE: '100000',
        ADDRESS_REQUESTS_PER_MINUTE: '100000',
      });
      const url = `${baseUrl}/decisions`;
      const [revoked, left] = [await issue(), await issue()];
      expect([(await get(url, revoked.token)).status, (await get(url, left.token)).status]).toEqual([
        200, 200,
      ]);
      await revokeToken(owner, 1n, revoked.id);
      expect(await statusWithin(url, revoked.token, 401)).toBe(401);
      const { rows } = await owner.query<{ issued_by_id: bigint }>(
        'select issued_by_id from vault.access_tokens where account_id = 1 and id = $1',
        [left.id],
      );
      const leaving = 'update ledger.memberships set removed_at = $2 where account_id = 1 and user_id = $1';
      expect((await get(url, left.token)).status).toBe(200);
      await owner.query(leaving, [rows[0]?.issued_by_id, '2026-11-20T00:00:00Z']);
      expect(await statusWithin(url, left.token, 401)).toBe(401);
      await owner.query(leaving, [rows[0]?.issued_by_id, null]);
      expect((await get(url, (await issue()).token)).status).toBe(200);
    },
  );

  it('has its last use written down by the role that writes, at the latest when the server stops', async () => {
    const owner = await database.client('cf_owner');
    const service = await start();
    const { token, id } = await issue();
    const before = BigInt(Date.now()) * 1_000n;
    await get(`${service.baseUrl}/decisions`, token);
    await service[Symbol.asyncDispose]();
    const used = (await listTokens(owner, 1n)).find((each) => each.id === id)?.last_used_at ?? 0n;
    expect(used >= before && used <= BigInt(Date.now()) * 1_000n).toBe(true);
  });
});

describe('two servers', () => {
  it('refuse as one what a token has spent at either', async () => {
    const [one, two] = [
      await start({ TOKEN_REQUESTS_PER_MINUTE: '20' }),
      await start({ TOKEN_REQUESTS_PER_MINUTE: '20' }),
    ];
    const { token, id } = await issueWithTime(one);
    for (let times = 1; times < 19; times += 1) await get(`${one.baseUrl}/decisions`, token);
    await untilShared(id, 19);
    // The other has heard of it once it has told of its own first: 20 of 20.
    expect((await get(`${two.baseUrl}/decisions`, token)).status).toBe(200);
    await untilShared(id, 20);
    expect(await statusWithin(`${two.baseUrl}/decisions`, token, 429)).toBe(429);
    const { headers } = await get(`${two.baseUrl}/decisions`, token);
    expect(headers.get('ratelimit-policy')).toBe('"address";q=1200;w=60, "token";q=20;w=60');
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    // The answer that told it of 20 may have crossed one more request, and no second one.
    expect(await shared(id)).toBeLessThanOrEqual(21);
  });
});

/** What a browser sends: a page, or a form where it has fields. */
function send(service: Service, path: string, cookie: string, fields?: Record<string, string>) {
  const url = new URL(path, service.baseUrl);
  const headers = { cookie, origin: url.origin };
  const form = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) };
  return fetch(url, { ...form, headers, redirect: 'manual' });
}

describe('a session of the pages', () => {
  it('is over at every server within five seconds of its sign-out at one of them', async () => {
    const [one, two] = [await start(), await start()];
    const { token } = await issue();
    const signedIn = await send(one, '/sign-in', '', { token });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const page = async (service: Service) => await (await send(service, '/', cookie)).text();
    const form_token = formTokenIn(await page(one));
    expect(await page(two)).toContain('<h1>What was spent, what came back, what moved</h1>');
    expect((await send(one, '/sign-out', cookie, { form_token })).status).toBe(303);
    expect(await page(one)).toContain('<h1>Sign in</h1>');
    const from = performance.now();
    while (
      (await page(two)).includes('<h1>What was spent, what came back, what moved</h1>') &&
      performance.now() - from < PROMISED_MS
    ) {
      await sleep(POLL_MS);
    }
    expect(await page(two)).toContain('<h1>Sign in</h1>');
  });
});

describe('a server', () => {
  itInSweeps(
    'is not ready without what its store holds, says which part, and is ready again when it is back',
    async () => {
      await leaveMark(await openObjectStore(readSettings({ DATA_DIR: folder })), CLOCK);
      const { baseUrl } = await start();
      const url = new URL('/readyz', baseUrl).href;
      expect((await get(url)).status).toBe(200);
      await rename(join(folder, 'objects'), join(folder, 'elsewhere'));
      expect(await statusWithin(url, '', 503)).toBe(503);
      const body = (await (await get(url)).json()) as { error: { message: string } };
      expect(body.error.message).toBe('Not ready: no answer from the store.');
      expect((await get(new URL('/healthz', baseUrl).href)).status).toBe(200);
      await rename(join(folder, 'elsewhere'), join(folder, 'objects'));
      expect(await statusWithin(url, '', 200)).toBe(200);
    },
  );

  itInSweeps(
    'answers 503 in the one error shape when its database hangs, on pooled and on new sessions (F-7)',
    async () => {
      const url = new URL(database.url('cf_reader'));
      const proxy = await startCuttingProxy(Number(url.port), { allowance: () => null });
      url.port = String(proxy.port);
      const { baseUrl } = await start({ LEDGER_URL: url.href });
      const { token } = await issue();
      // One session is in the pool, and the token is known for four seconds.
      expect((await get(`${baseUrl}/initiatives`, token)).status).toBe(200);
      proxy.hang();
      const paths = ['initiatives', 'decisions', 'roi'];
      const answers = await Promise.all(paths.map((path) => get(`${baseUrl}/${path}`, token)));
      for (const answer of answers) {
        expect(await answer.json()).toEqual({
          error: {
            status: 503,
            message: 'The service cannot answer right now; try again in some seconds.',
          },
        });
      }
      // No cache has this token: its look-up needs a session, too.
      expect((await get(`${baseUrl}/initiatives`, (await issue()).token)).status).toBe(503);
      await proxy.close();
    },
  );

  it('serves metrics on a separate port only', async () => {
    lines.splice(0);
    const { baseUrl } = await start({ METRICS_PORT: '0' });
    const started = lines.map((line) => JSON.parse(line) as { event: string; port: number });
    const port = started.find(({ event }) => event === 'metrics.started')?.port;
    const text = await (await get(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('crossfoot_database_sessions{role="service",state="open"}');
    // Account 1 and account 2 report, and nothing was built.
    expect(text).toContain('crossfoot_accounts{state="missing"} 2\n');
    expect((await get(new URL('/metrics', baseUrl).href)).status).toBe(404);
  });
});
