/** The read API over a large ledger: pages beside a bare server of the same query, the deepest page, and `/roi`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Benchmark, type BenchRequest, type Figure, figure } from './benchmark.ts';
import { asOwner } from '../../src/run/as-owner.ts';
import { sizeOf } from './ledgers/generated-ledger.ts';
import { load } from './load.ts';
import { median, p99 } from './rounds.ts';
import { portOf, serveAccount, type ServedAccount } from './served-account.ts';

const ROWS = 1_000_000;
const PLAIN = fileURLToPath(new URL('./peers/plain-server.ts', import.meta.url));
const CONNECTIONS = 8;
const TIMES = 400;
const ROUNDS = 3;
/** Two pages that take ten milliseconds each: in short turns, or what else the machine does is what is compared. */
const TURNS = 20;
const COLD_RUNS = 10;
const WARM_RUNS = 200;
const FIRST_INITIATIVE = 'select min(initiative_id) from ledger.cost_entries where account_id = $1';
const BUSIEST_INITIATIVE = `select initiative_id from ledger.cost_entries where account_id = $1
  group by initiative_id order by count(*) desc, initiative_id limit 1`;

export const readApi: Benchmark = {
  name: 'read-api',
  title: 'pages of costs, and the figures of a whole account',
  run: async (request) => {
    const ledger = await request.ledger();
    const account = await ledger.accountOf(sizeOf(request.rows ?? ROWS));
    await using served = await serveAccount(ledger, account, request.folder);
    const figures: Figure[] = [];
    for (const rows of [100, 500]) {
      figures.push(await besidePlain(served, ledger.databases.ledgerUrl, account, rows));
    }
    figures.push(...(await deepest(served, request)));
    // A change of the account makes the kept answer stale: what is measured then is the sums themselves.
    const costOf = async (initiative: string): Promise<() => Promise<unknown>> =>
      asOwner(ledger.databases, 'crossfoot bench', async (owner) => {
        const { rows } = await owner.query<{ id: bigint }>(
          `select min(id) as id from ledger.cost_entries where account_id = $1 and initiative_id = (${initiative})`,
          [account],
        );
        return () => touch(rows[0]?.id);
      });
    const touch = (id: bigint | undefined): Promise<unknown> =>
      asOwner(ledger.databases, 'crossfoot bench', (owner) =>
        owner.query('update ledger.cost_entries set notes = notes where account_id = $1 and id = $2', [
          account,
          id,
        ]),
      );
    const first = await costOf(FIRST_INITIATIVE);
    const figuresAfter = { cold: (request.rows ?? ROWS) <= 500_000 ? 150 : 300, warm: 15 };
    figures.push(...(await figuresOf(served, '/v1/roi?window=all', first, figuresAfter)));
    const busiest = await costOf(BUSIEST_INITIATIVE);
    figures.push(
      await afterChanges(served, '/v1/roi?window=all', busiest, {
        name: 'read API: /roi after a change of the busiest initiative, p99',
        at_most: figuresAfter.cold,
      }),
    );
    figures.push(...(await figuresOf(served, '/v1/budgets?limit=500', first, { cold: null, warm: 15 })));
    return figures;
  },
};

function headers({ token }: ServedAccount): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function besidePlain(
  served: ServedAccount,
  url: string,
  account: bigint,
  rows: number,
): Promise<Figure> {
  const plain = spawn(process.execPath, [PLAIN, url, String(account), String(rows)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(plain, 'exit');
  try {
    const port = await portOf(plain);
    const path = (): string => `/v1/cost_entries?limit=${rows}`;
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const asked = { path, connections: CONNECTIONS, times: TIMES, headers: headers(served) };
      const ours = await load({ ...asked, port: served.port });
      const theirs = await load({ ...asked, port });
      if (round > 0) ratios.push(ours.per_second / theirs.per_second);
    }
    return figure(`read API: pages of ${rows} costs a second`, median(ratios), 'times', {
      against: 'the same query through plain pg and JSON.stringify',
      runs: ROUNDS,
      target: { at_least: 0.8 },
    });
  } finally {
    plain.kill('SIGTERM');
    await ended;
  }
}

interface Listed {
  readonly data: readonly { readonly id: number; readonly updated_at: string }[];
  readonly page: { readonly next_cursor: string | null };
}

/**
 * Follows the list to its end once, then asks for the last full page in turn with the first, and with the same rows as the
 * first page of a list that begins with them: rows that hold more take longer wherever they stand.
 */
async function deepest(served: ServedAccount, { say }: BenchRequest): Promise<readonly Figure[]> {
  const first = '/v1/cost_entries?limit=500';
  const read = async (path: string): Promise<Listed> => {
    const answer = await fetch(`http://127.0.0.1:${served.port}${path}`, { headers: headers(served) });
    return (await answer.json()) as Listed;
  };
  let last = first;
  let rows: Listed['data'] = [];
  let pages = 0;
  for (let path: string | null = first; path !== null; pages += 1) {
    const { data, page } = await read(path);
    // The page without a next one may be short.
    if (page.next_cursor !== null) [last, rows] = [path, data];
    path = page.next_cursor === null ? null : `${first}&cursor=${page.next_cursor}`;
    if (pages % 500 === 499) say(`  ${pages + 1} pages read`);
  }
  const same = `${first}&updated_since=${rows[0]?.updated_at}`;
  const [begun] = (await read(same)).data;
  if (begun?.id !== rows[0]?.id)
    throw new Error(`the list since the last full page begins with ${begun?.id}`);

  return [
    figure(
      `read API: time of page ${pages}, the last full one`,
      await inTurns(served, last, first),
      'times',
      {
        against: 'the first page, whose rows are shorter',
        runs: TURNS,
        target: { at_most: 1.1 },
      },
    ),
    figure(`read API: time of page ${pages}, row for row`, await inTurns(served, last, same), 'times', {
      against: 'the same rows, read as the first page of a list',
      runs: TURNS,
      target: { at_most: 1.1 },
    }),
  ];
}

/** How many times as long as `other` this path takes. */
async function inTurns(served: ServedAccount, path: string, other: string): Promise<number> {
  const medianOf = async (asked: string): Promise<number> => {
    const { whole_ms } = await load({
      port: served.port,
      path: () => asked,
      headers: headers(served),
      connections: 1,
      times: 10,
    });
    return median(whole_ms);
  };
  const ratios: number[] = [];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const [beside, own] = [await medianOf(other), await medianOf(path)];
    if (turn > 0) ratios.push(own / beside);
  }
  return median(ratios);
}

async function figuresOf(
  served: ServedAccount,
  path: string,
  change: () => Promise<unknown>,
  most: { readonly cold: number | null; readonly warm: number },
): Promise<readonly Figure[]> {
  const name = path.replace(/\?.*/, '').replace('/v1', '');
  // The first one brings the ledger's pages into memory, where a server that is in use has them.
  await ask(served, path, 1);
  const cold = await afterChanges(served, path, change, {
    name: `read API: ${name} after a change, p99`,
    at_most: most.cold,
  });
  const warm = await ask(served, path, WARM_RUNS);
  return [
    cold,
    figure(`read API: ${name} while nothing changes, p99`, p99(warm), 'ms', {
      runs: warm.length,
      target: { at_most: most.warm },
    }),
  ];
}

async function afterChanges(
  served: ServedAccount,
  path: string,
  change: () => Promise<unknown>,
  { name, at_most }: { readonly name: string; readonly at_most: number | null },
): Promise<Figure> {
  const cold: number[] = [];
  for (let run = 0; run < COLD_RUNS; run += 1) {
    await change();
    cold.push(...(await ask(served, path, 1)));
  }
  return figure(name, p99(cold), 'ms', {
    runs: COLD_RUNS,
    ...(at_most === null ? {} : { target: { at_most } }),
  });
}

async function ask(served: ServedAccount, path: string, times: number): Promise<readonly number[]> {
  const asked = { port: served.port, path: () => path, headers: headers(served), connections: 1 };
  return (await load({ ...asked, times })).whole_ms;
}
