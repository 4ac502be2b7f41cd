/** The web pages of a large account: the first time, and then warm; of a snapshot that is new, and of a server that is new. */
import { setTimeout as sleep } from 'node:timers/promises';
import { asOwner } from '../../../src/run/as-owner.ts';
import { type Benchmark, type Figure, figure } from '../benchmark.ts';
import { load } from '../load.ts';
import { builderEnv, measureBuild } from '../measured-build.ts';
import { p99 } from '../rounds.ts';
import { serveAccount, type ServedAccount } from '../served-account.ts';
import { type GeneratedLedger, sizeOf } from './generated-ledger.ts';

const ROWS = 200_000;
const RUNS = 30;
/** A server looks for a new snapshot every ten seconds, and then takes a moment to prepare its pages. */
const PREPARED_MS = 30_000;
/** What is promised of an account of so many entries, and of any other. `beside`: what another request may wait. */
const SMALL_ROWS = 300_000;
const BOUNDS = {
  small: { first_ms: 150, sorted_ms: 400, warm_ms: 60, beside_ms: 30 },
  large: { first_ms: 300, sorted_ms: 5_000, warm_ms: 100, beside_ms: 50 },
} as const;
/** How many costs are recorded between the two snapshots. */
const RECORDED = 100;
/** Rows of a table on a page. */
const PAGE_ROWS = 50;

export const pages: Benchmark = {
  name: 'pages',
  title: 'web pages of a large account',
  run: async (request) => {
    const ledger = await request.ledger();
    const rows = request.rows ?? ROWS;
    const account = await ledger.accountOf(sizeOf(rows));
    const env = builderEnv(ledger.databases, request.folder, 'store');
    const bounds = rows > SMALL_ROWS ? BOUNDS.large : BOUNDS.small;
    await measureBuild(account, env);
    await using served = await serveAccount(ledger, account, request.folder);
    const cookie = await signIn(served);
    const initiative = await recordCosts(ledger, account);
    await measureBuild(account, env);
    await sleep(PREPARED_MS);
    const snapshot = await newest(served);
    const costs = `/snapshots/${snapshot}/tables/costs`;
    const deep = Math.floor(rows / PAGE_ROWS / 2);
    const asked: readonly (readonly [name: string, path: (run: number) => string])[] = [
      ['overview', () => '/'],
      ['initiatives', () => '/initiatives'],
      ['an initiative', () => `/initiatives/${initiative}`],
      ['budgets', () => '/budgets'],
      ['AI spend', () => '/ai-spend'],
      ['rows', () => costs],
      ['rows, deep', (run) => `${costs}?page=${deep + run}`],
      ['rows, filtered', () => `${costs}?initiative_id=${initiative}`],
      ['rows, sorted', () => `${costs}?sort=-usd_amount_cents`],
      ['changes', () => `/snapshots/${snapshot}/changes`],
      ['nights', () => '/night'],
    ];
    const figures: Figure[] = [];
    for (const [name, path] of asked) {
      const { first, waits } = await askBeside(served, cookie, path(RUNS));
      const warm: number[] = [];
      for (let run = 0; run < RUNS; run += 1) warm.push(...(await ask(served, cookie, path(run), 1)));
      figures.push(
        figure(`pages: ${name}, first`, first, 'ms', {
          target: { at_most: name === 'rows, sorted' ? bounds.sorted_ms : bounds.first_ms },
        }),
        figure(`pages: ${name}, first: longest wait of other requests meanwhile`, Math.max(...waits), 'ms', {
          runs: waits.length,
          target: { at_most: bounds.beside_ms },
        }),
        figure(`pages: ${name}, then p99`, p99(warm), 'ms', {
          runs: RUNS,
          target: { at_most: bounds.warm_ms },
        }),
      );
    }
    return [...figures, ...(await ofNewServer(asked, () => serveAccount(ledger, account, request.folder)))];
  },
};

/** The same pages of a server that has just started: nothing was prepared, and all code runs for the first time. */
async function ofNewServer(
  asked: readonly (readonly [name: string, path: (run: number) => string])[],
  serve: () => Promise<ServedAccount>,
): Promise<readonly Figure[]> {
  await using served = await serve();
  const cookie = await signIn(served);
  const figures: Figure[] = [];
  for (const [name, path] of asked) {
    const [first = NaN] = await ask(served, cookie, path(0), 1);
    figures.push(figure(`pages: ${name}, first after a start`, first, 'ms'));
  }
  return figures;
}

/** Records some costs, so that both snapshots differ, and gives the initiative that they are of. */
async function recordCosts({ databases }: GeneratedLedger, account: bigint): Promise<bigint> {
  return await asOwner(databases, 'crossfoot bench', async (owner) => {
    await owner.query(`begin; set local app.account_id = '${account}'`);
    const { rows } = await owner.query<{ initiative_id: bigint }>(
      `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, period_start, source_type)
       select $1, (select min(id) from ledger.initiatives where account_id = $1 and not is_sample), n, 'USD', current_date, 'manual'
       from generate_series(1, ${RECORDED}) n
       returning initiative_id`,
      [account],
    );
    await owner.query('commit');
    const [first] = rows;
    if (first === undefined) throw new Error('no cost was recorded');
    return first.initiative_id;
  });
}

/** Signs in as a browser does, and gives the cookie. */
export async function signIn({ port, token }: ServedAccount): Promise<string> {
  const origin = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    headers: { origin },
    redirect: 'manual',
  });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`sign-in was answered with ${answer.status}`);
  return cookie.split(';')[0] ?? '';
}

async function newest({ port, token }: ServedAccount): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/reporting/latest`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { snapshot_id: string }).snapshot_id; // as the contract says
}

export async function ask(
  { port }: ServedAccount,
  cookie: string,
  path: string,
  times: number,
): Promise<readonly number[]> {
  return (await load({ port, path: () => path, headers: { cookie }, connections: 1, times })).whole_ms;
}

/** Asks for a page, and meanwhile for the newest manifest again and again, which by itself takes a millisecond. */
export async function askBeside(
  served: ServedAccount,
  cookie: string,
  path: string,
): Promise<{ readonly first: number; readonly waits: readonly number[] }> {
  const headers = { authorization: `Bearer ${served.token}` };
  const other = { port: served.port, path: () => '/v1/reporting/latest', headers, connections: 1, times: 1 };
  await load(other); // its first answer reads the manifest, which is no wait for the page
  const waits: number[] = [];
  const ended = new AbortController();
  const asked = ask(served, cookie, path, 1).finally(() => ended.abort());
  do waits.push(...(await load(other)).whole_ms);
  while (!ended.signal.aborted);
  return { first: (await asked)[0] ?? NaN, waits };
}
