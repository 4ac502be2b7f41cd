/**
 * Tables mounted by the sharing protocol: the wait for a query and for the first byte of a file, and the memory of the
 * server while one client reads all tables at once. A bare server with the same answers and files is the floor.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Benchmark, type Figure, figure } from './benchmark.ts';
import { builtFiles } from './built-files.ts';
import { sizeOf } from './ledgers/generated-ledger.ts';
import { publishLarge } from './ledgers/large-snapshot.ts';
import { load, type Load, type Loaded } from './load.ts';
import { median, p99 } from './rounds.ts';
import { portOf, serveAccount, type ServedAccount } from './served-account.ts';

const ROWS = 10_000;
/** Of each table: 300 MB in all. */
const FILE_BYTES = 21_500_000;
const QUERIES = 420;
const ROUNDS = 5;
const HEAD_BYTES = 64 * 1024;
const SAMPLE_MS = 20;
const FLOOR = fileURLToPath(new URL('./peers/bare-sharing.ts', import.meta.url));

const fileLine = z.object({ file: z.object({ url: z.url() }) });

export const sharing: Benchmark = {
  name: 'sharing',
  title: 'tables mounted by the sharing protocol, 300 MB of files read by links',
  run: async ({ rows, ledger, folder, say }) => {
    const generated = await ledger();
    const account = await generated.accountOf(sizeOf(rows ?? ROWS));
    await builtFiles(generated, account, folder);
    const files = await publishLarge(account, folder, () => FILE_BYTES);
    const size_bytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
    say(`  ${files.length} files have ${(size_bytes / 1e6).toFixed(1)} MB`);
    await using served = await serveAccount(generated, account, folder);
    const paths = files.map(
      ({ table }) => `/delta-sharing/shares/crossfoot/schemas/reporting/tables/${table}/query`,
    );
    const asked = await Promise.all(paths.map((path) => ask(served, path)));
    const answers = join(folder, 'answer');
    await writeFile(
      answers,
      asked.map(({ lines }) => lines).toSorted((a, b) => b.length - a.length)[0] ?? '',
    );
    await using floor = await startFloor(answers, folder);

    const headers = { authorization: `Bearer ${served.token}` };
    const queries: Load = {
      port: served.port,
      path: inTurn(paths),
      headers,
      body: '{}',
      connections: 1,
      times: QUERIES,
    };
    const links = asked.map(({ url }) => new URL(url).pathname);
    const waits = await load(queries);
    const bare = await load({ ...queries, port: floor.port });
    const ranged = await load({
      port: served.port,
      path: inTurn(links),
      headers: { range: `bytes=0-${HEAD_BYTES - 1}` },
      connections: 1,
      times: QUERIES,
      status: 206,
    });

    const wholeFiles = (port: number, each: readonly string[]): Load => {
      return { port, path: inTurn(each), headers: {}, connections: each.length, times: each.length };
    };
    const stored = files.map(({ path }) => `/${relative(folder, path)}`);
    const ours: number[] = [];
    const theirs: number[] = [];
    await load(wholeFiles(served.port, links)); // the first round warms both
    const before_bytes = await served.rssBytes();
    let peak_bytes = before_bytes;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [loaded, peak] = await withPeak(served, load(wholeFiles(served.port, links)));
      if (loaded.bytes !== size_bytes) throw new Error(`${loaded.bytes} bytes came`);
      peak_bytes = Math.max(peak_bytes, peak);
      ours.push(rate(loaded));
      theirs.push(rate(await load(wholeFiles(floor.port, stored))));
    }
    const figures: Figure[] = [
      figure('sharing: size of all files', size_bytes / 1e6, 'MB'),
      figure('sharing: first byte of a query, p99', p99(waits.first_byte_ms), 'ms', {
        runs: QUERIES,
        against: `a bare server that sends the same response, ${p99(bare.first_byte_ms).toFixed(2)} ms`,
        target: { at_most: 50 },
      }),
      figure('sharing: first byte of a range of a link, p99', p99(ranged.first_byte_ms), 'ms', {
        runs: QUERIES,
        target: { at_most: 10 },
      }),
      figure('sharing: all files at once', median(ours), 'MB/s', {
        runs: ROUNDS,
        against: `a bare server that checks nothing, ${Math.round(median(theirs))} MB/s`,
      }),
      figure('sharing: additional memory while all files are read', (peak_bytes - before_bytes) / 1e6, 'MB', {
        runs: ROUNDS,
        against: `${(size_bytes / 1e6).toFixed(0)} MB of files`,
        target: { at_most: 64 },
      }),
    ];
    return figures;
  },
};

/** The lines of a query, and the link in them. */
async function ask(
  { port, token }: ServedAccount,
  path: string,
): Promise<{ readonly lines: string; readonly url: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: '{}', headers });
  const lines = await answer.text();
  const { file } = fileLine.parse(JSON.parse(lines.split('\n')[2] ?? ''));
  return { lines, url: file.url };
}

async function startFloor(
  lines: string,
  folder: string,
): Promise<AsyncDisposable & { readonly port: number }> {
  const child = spawn(process.execPath, [FLOOR, lines, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    port: await portOf(child),
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function inTurn(paths: readonly string[]): () => string {
  let index = -1;
  return () => {
    index = (index + 1) % paths.length;
    return paths[index] ?? '';
  };
}

/** The load, and the most memory that the server was seen to hold meanwhile. */
async function withPeak(
  served: ServedAccount,
  running: Promise<Loaded>,
): Promise<readonly [loaded: Loaded, peak_bytes: number]> {
  const ended = new AbortController();
  let peak_bytes = 0;
  const watched = (async () => {
    while (!ended.signal.aborted) {
      peak_bytes = Math.max(peak_bytes, await served.rssBytes());
      await sleep(SAMPLE_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  try {
    const loaded = await running;
    return [loaded, Math.max(peak_bytes, await served.rssBytes())];
  } finally {
    ended.abort();
    await watched;
  }
}

function rate({ bytes, seconds }: Loaded): number {
  return bytes / 1e6 / seconds;
}
