/**
 * `npm run campaign -- pauses --rows 150000`: every route, page and tool with hostile arguments, over an account of so many
 * costs. Prints the longest pause of the event loop for each, and exits 1 if it is above 10 ms without a token or 50 ms with
 * one. Then one reader asks for 120 pages at once while another account reads; prints what that account waits and the
 * memory of the server. With `--short`: 10,000 costs, two servers instead of three, and the wait is not judged, because
 * `.ci/run` runs another campaign on the same cores; and an address above its bound is asked in further servers.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Asked, readersAsk, strangersAsk } from './asked-addresses.ts';
import { openSeeded, type PausedServer, type Seeded, signIn } from './paused-server.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const ROWS = Number(values.rows ?? (values.short ? 10_000 : 150_000));
/** An address counts with the least of as many servers: garbage is not collected at the same place in each. */
const ROUNDS = Number(values.rounds ?? (values.short ? 2 : 3));
/** Work of another campaign slows an address in one server or two; a pause of our own is there in each. */
const FURTHER_ROUNDS = values.short ? 3 : 0;
const MAX_PAUSE_MS = { stranger: 10, reader: 50 } as const;
/** The heartbeat's fixed piece of work on the machine of the bounds; a slower machine has longer bounds. */
const CALIBRATED_MS = 3;
const PARALLEL = 120;
/** With `--only`: the routes or addresses to ask. */
const ONLY = new RegExp(values.only);
const MAX_P99_MS = 200;
const MAX_MB = 1_024;

type Who = keyof typeof MAX_PAUSE_MS;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const listedTools = z.object({
  result: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        inputSchema: z.looseObject({
          required: z.array(z.string()).optional(),
          properties: z.record(z.string(), z.unknown()).optional(),
        }),
      }),
    ),
  }),
});

async function readTools({ origin }: PausedServer, token: string) {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
  });
  const text = await response.text();
  return listedTools.parse(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)).result.tools;
}

async function ask({ origin }: PausedServer, { path, init }: Asked): Promise<number> {
  const request = (): Promise<Response> => fetch(`${origin}${path}`, { redirect: 'manual', ...init });
  // The server may close an idle connection just as the client uses it again.
  const response = await request().catch(request);
  // A download is read to its end: it is made in pieces.
  for await (const _ of response.body ?? []);
  return response.status;
}

interface Pause {
  readonly who: Who;
  readonly asked: Asked;
  ms: number;
  statuses: Set<number>;
}

function isAbove({ who, ms }: Pause, slower: number): boolean {
  return ms > MAX_PAUSE_MS[who] * slower;
}

/** The longest pause of each address, the least of all rounds. */
async function measure(seeded: Seeded): Promise<{ pauses: readonly Pause[]; slower: number }> {
  const pauses = new Map<string, Pause>();
  let slower = 1;
  const isAsked = (round: number): boolean =>
    round < ROUNDS ||
    (round < ROUNDS + FURTHER_ROUNDS && pauses.values().some((each) => isAbove(each, slower)));
  for (let round = 0; isAsked(round); round += 1) {
    await using server = await seeded.serve();
    // As a probe does before any reader: the first request compiles what every request needs.
    await ask(server, { route: '', path: '/readyz', init: {} });
    slower = Math.max(1, (await server.calibrate()) / CALIBRATED_MS);
    const { token, snapshots, initiative } = seeded.large;
    const stranger = { token: '', cookie: '', snapshots };
    const look = async (who: Who, asked: readonly Asked[]): Promise<void> => {
      for (const [index, each] of asked.entries()) {
        if (!ONLY.test(`${each.route} ${each.path}`)) continue;
        await server.longest();
        const status = await ask(server, each);
        const ms = await server.longest();
        const key = `${who} ${index}`;
        const pause = pauses.get(key) ?? { who, asked: each, ms: Infinity, statuses: new Set() };
        pauses.set(key, pause);
        pause.ms = Math.min(pause.ms, ms);
        pause.statuses.add(status);
      }
    };
    await look('stranger', strangersAsk(stranger, initiative));
    const account = { token, cookie: await signIn(server, token), snapshots };
    const contract: unknown = await (await fetch(`${server.origin}/v1/openapi.json`)).json();
    await look('reader', readersAsk(account, initiative, contract, await readTools(server, token)));
  }
  return { pauses: [...pauses.values()], slower };
}

interface Crowd {
  /** Milliseconds that another account waits, without what the machine took from the server. */
  readonly p99: number;
  readonly waits: number;
  readonly before_mb: number;
  readonly after_mb: number;
  readonly answered: number;
  readonly refused: number;
}

/** What another account waits while one reader asks for many pages at once. */
async function crowd(seeded: Seeded): Promise<Crowd> {
  await using server = await seeded.serve();
  const cookie = await signIn(server, seeded.large.token);
  const { small } = seeded;
  const headers = { authorization: `Bearer ${small.token}` };
  const own = async (): Promise<number> => {
    const began = performance.now();
    await ask(server, { route: '', path: '/v1/reporting/latest', init: { headers } });
    return performance.now() - began;
  };
  const pages = Array.from({ length: 2 * PARALLEL }, (_, index) => ({
    route: '',
    path: `/snapshots/${seeded.large.snapshots[0]}/tables/costs?sort=-description&cost_entry_id_from=${index}`,
    init: { headers: { cookie } },
  }));
  // The first pages compile the server.
  for (const page of pages.slice(PARALLEL, PARALLEL + 3)) await ask(server, page);
  for (let warm = 0; warm < 20; warm += 1) await own();
  const before_mb = await server.resident();
  const [began, spent] = [performance.now(), await server.spent()];
  const over = new AbortController();
  const statuses = Promise.all(pages.slice(0, PARALLEL).map((page) => ask(server, page))).finally(() =>
    over.abort(),
  );
  const waits: number[] = [];
  let after_mb = before_mb;
  while (!over.signal.aborted) {
    waits.push(await own());
    after_mb = Math.max(after_mb, await server.resident());
  }
  const answers = await statuses;
  // The server has work all the time: what it did not get of the clock, other programs had.
  const share = Math.min(1, ((await server.spent()) - spent) / (performance.now() - began));
  waits.sort((a, b) => a - b);
  return {
    p99: (waits[Math.ceil(waits.length * 0.99) - 1] ?? 0) * share,
    waits: waits.length,
    before_mb,
    after_mb,
    answered: answers.filter((status) => status === 200).length,
    refused: answers.filter((status) => status === 429).length,
  };
}

await using seeded = await openSeeded(ROWS);
const { pauses, slower } = await measure(seeded);
const bad: string[] = [];
for (const who of ['stranger', 'reader'] as const) {
  const own = pauses.filter((pause) => pause.who === who);
  const worst = new Map<string, Pause>();
  for (const pause of own) {
    const before = worst.get(pause.asked.route);
    if (before === undefined || pause.ms > before.ms) worst.set(pause.asked.route, pause);
  }
  say(
    `${who}: ${own.length} requests of ${worst.size} routes and tools; at most ${(MAX_PAUSE_MS[who] * slower).toFixed(0)} ms`,
  );
  for (const [route, pause] of [...worst].toSorted((a, b) => b[1].ms - a[1].ms)) {
    const { ms, asked, statuses } = pause;
    const line = `${ms.toFixed(1).padStart(7)} ms  ${route}  ${[...statuses].join(' ')}  ${asked.path.slice(0, 120)}`;
    say(line);
    if (isAbove(pause, slower)) bad.push(`${who}: ${line.trim()}`);
  }
}
const seen = await crowd(seeded);
const waited = `another account waits ${seen.p99.toFixed(0)} ms (p99 of ${seen.waits}, by the share of the processor)`;
const memory = `memory ${seen.before_mb.toFixed(0)} to ${seen.after_mb.toFixed(0)} MB`;
say(
  `${PARALLEL} parallel pages of one reader: ${seen.answered} answered, ${seen.refused} refused; ${waited}; ${memory}`,
);
// Another campaign runs beside the short form, on the same cores: its wait is told and not judged.
if (!values.short && seen.p99 > MAX_P99_MS * slower) bad.push(waited);
if (seen.after_mb > MAX_MB) bad.push(memory);
for (const line of bad) say(`bad: ${line}`);
say(
  `${pauses.length} requests, ${ROUNDS} servers, ${bad.length} bad; a fixed piece of work takes ${slower.toFixed(2)} times the reference`,
);
process.exitCode = bad.length === 0 ? 0 : 1;
