/** Measures for a large account how fast and in how much memory a server answers from a snapshot, and what companion tables cost. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asOwner } from '../../../src/run/as-owner.ts';
import { type Benchmark, type BenchRequest, type Figure, figure } from '../benchmark.ts';
import { load } from '../load.ts';
import { builderEnv, measureBuild } from '../measured-build.ts';
import { p99 } from '../rounds.ts';
import { serveAccount, type ServedAccount } from '../served-account.ts';
import { type GeneratedLedger, sizeOf } from './generated-ledger.ts';

const ROWS = 1_000_000;
const WARM_RUNS = 500;
/** How many pages of each list are measured. The cursor of each page leads to the next one. A short list begins again after its last. */
const PAGES = 300;
/** The first pages do not count: Node still compiles the program of the server. */
const UNCOUNTED = 20;
const MEMORY_PERIOD_MS = 20;
const MAX_FIRST_MS = 2_000;
const MAX_WARM_MS = 15;
const MAX_PAGE_MS = 30;
const MAX_MB_ABOVE_REST = 300;
const LISTS = ['cost_entries', 'value_entries', 'initiatives'] as const;
/** No earlier request asks for these windows, so the server must compute each one. */
const WINDOWS = ['all', '1yr', 'fy2025', 'fy2025-q3'] as const;

export const asOf: Benchmark = {
  name: 'as-of',
  title: 'answers as of a snapshot, and the companion tables of a build',
  run: async (request) => {
    const ledger = await request.ledger();
    const account = await ledger.accountOf(sizeOf(request.rows ?? ROWS));
    const builds = await builtBoth(ledger, account, request);
    await using served = await serveAccount(ledger, account, request.folder);
    const at_rest = await memoryAtRest(served);
    const memory = watch(served);
    const answers = [...(await figuresOf(served)), ...(await pagesOf(served))];
    const peak = await memory.stop();
    return [
      ...answers,
      figure('as of: memory of the server above rest', (peak - at_rest) / 1e6, 'MB', {
        target: { at_most: MAX_MB_ABOVE_REST },
      }),
      ...builds,
    ];
  },
};

/** Builds the account without companions, then with them into the store that is served. */
async function builtBoth(
  { databases }: GeneratedLedger,
  account: bigint,
  { folder }: BenchRequest,
): Promise<readonly Figure[]> {
  const setCompanions = (companions: boolean): Promise<unknown> =>
    asOwner(databases, 'crossfoot bench', (owner) =>
      owner.query('update ledger.accounts set companion_tables = $2 where id = $1', [account, companions]),
    );
  const build = async (companions: boolean, store: string) => {
    await setCompanions(companions);
    const { seconds } = await measureBuild(account, builderEnv(databases, folder, store));
    return { seconds, bytes: await bytesBelow(join(folder, store)) };
  };
  try {
    const without = await build(false, 'without');
    const both = await build(true, 'store');
    return [
      figure('as of: a build with companion tables', both.seconds, 's', {
        against: `${without.seconds.toFixed(1)} s without`,
      }),
      figure('as of: bytes of a snapshot with companion tables', both.bytes / 1e6, 'MB', {
        against: `${(without.bytes / 1e6).toFixed(1)} MB without`,
      }),
    ];
  } finally {
    await setCompanions(true);
  }
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => stat(join(parentPath, name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** The memory of the server when it has answered one request and then nothing for a second. */
async function memoryAtRest(served: ServedAccount): Promise<number> {
  await ask(served, '/v1/metrics?snapshot_id=latest', 1);
  await sleep(1_000);
  return served.rssBytes();
}

/** The highest memory of the server until stopped. */
function watch(served: ServedAccount): { readonly stop: () => Promise<number> } {
  const ended = new AbortController();
  const watching = (async () => {
    let peak = 0;
    while (!ended.signal.aborted) {
      peak = Math.max(peak, await served.rssBytes());
      await sleep(MEMORY_PERIOD_MS);
    }
    return peak;
  })();
  return {
    stop: () => {
      ended.abort();
      return watching;
    },
  };
}

async function ask({ port, token }: ServedAccount, path: string, times: number): Promise<readonly number[]> {
  const headers = { authorization: `Bearer ${token}` };
  return (await load({ port, path: () => path, headers, connections: 1, times })).whole_ms;
}

async function figuresOf(served: ServedAccount): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const window of WINDOWS) {
    const path = `/v1/roi?window=${window}&snapshot_id=latest`;
    const [first = NaN] = await ask(served, path, 1);
    figures.push(
      figure(`as of: /roi of ${window}, first`, first, 'ms', { target: { at_most: MAX_FIRST_MS } }),
    );
    const warm = await ask(served, path, WARM_RUNS);
    figures.push(
      figure(`as of: /roi of ${window}, then p99`, p99(warm), 'ms', {
        runs: WARM_RUNS,
        target: { at_most: MAX_WARM_MS },
      }),
    );
  }
  return figures;
}

async function pagesOf(served: ServedAccount): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const list of LISTS) {
    const times: number[] = [];
    const first = `/v1/${list}?limit=100&snapshot_id=latest`;
    let path = first;
    for (let page = 0; page < UNCOUNTED + PAGES; page += 1) {
      const page_ms = await ask(served, path, 1);
      if (page >= UNCOUNTED) times.push(...page_ms);
      path = (await next(served, path)) ?? first;
    }
    figures.push(
      figure(`as of: a page of 100 ${list}, p99`, p99(times), 'ms', {
        runs: times.length,
        target: { at_most: MAX_PAGE_MS },
      }),
    );
  }
  return figures;
}

/** The address of the page after this one; null after the last. */
async function next({ port, token }: ServedAccount, path: string): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { page } = (await answer.json()) as { page: { next_cursor: string | null } };
  if (page.next_cursor === null) return null;
  const url = new URL(path, 'http://127.0.0.1');
  url.searchParams.set('cursor', page.next_cursor);
  return url.pathname + url.search;
}
