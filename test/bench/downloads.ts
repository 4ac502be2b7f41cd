/**
 * Downloads of a table's file, every block of which is checked on its way: one stream beside nginx, fifty at once, the
 * wait for the first byte, small ranges as query engines ask for them, and what a download costs in memory. Then one
 * stream of a file that is larger than the server's cache, so that every block is read and checked anew.
 */
import { type Benchmark, type BenchRequest, type Figure, figure } from './benchmark.ts';
import { type BuiltFile, builtFiles } from './built-files.ts';
import { type GeneratedLedger, sizeOf } from './ledgers/generated-ledger.ts';
import { publishLarge } from './ledgers/large-snapshot.ts';
import { load, type Load, type Loaded } from './load.ts';
import { startNginx } from './peers/nginx.ts';
import { median, p99 } from './rounds.ts';
import { serveAccount } from './served-account.ts';

const ROWS = 1_000_000;
const ROUNDS = 5;
const PARALLEL = 50;
const READERS = 8;
const RANGES = 1_000;
const RANGE_BYTES = 64 * 1024;
/** Five times the cache of checked blocks. */
const LARGE_BYTES = 320_000_000;
const LARGE_ROUNDS = 9;

export const downloads: Benchmark = {
  name: 'downloads',
  title: 'the largest file of a snapshot, every block checked',
  run: async (request) => {
    const ledger = await request.ledger();
    const account = await ledger.accountOf(sizeOf(request.rows ?? ROWS));
    const { files } = await builtFiles(ledger, account, request.folder);
    const largest = largestOf(files);
    const { table, size_bytes } = largest;
    request.say(`  ${table}.parquet has ${(size_bytes / 1e6).toFixed(1)} MB`);
    const built = await ofBuilt(request, ledger, account, largest);
    const made = await publishLarge(account, request.folder, (name) => (name === table ? LARGE_BYTES : 1));
    return [...built, ...(await ofLarge(request, ledger, account, largestOf(made)))];
  },
};

function largestOf(files: readonly BuiltFile[]): BuiltFile {
  const [largest] = files.toSorted((a, b) => b.size_bytes - a.size_bytes);
  if (largest === undefined) throw new Error('a snapshot without files');
  return largest;
}

async function ofBuilt(
  { folder, say }: BenchRequest,
  ledger: GeneratedLedger,
  account: bigint,
  { table, path: stored, size_bytes }: BuiltFile,
): Promise<readonly Figure[]> {
  await using served = await serveAccount(ledger, account, folder);
  const headers = { authorization: `Bearer ${served.token}` };
  const path = (): string => `/v1/reporting/latest/${table}.parquet`;
  const ours: Load = { port: served.port, path, headers, connections: 1, times: 1 };
  const before_bytes = await served.rssBytes();
  const parallel = await load({ ...ours, connections: PARALLEL, times: PARALLEL });
  const after_bytes = await served.rssBytes();
  if (parallel.bytes !== size_bytes * PARALLEL) throw new Error(`${parallel.bytes} bytes came`);

  await using nginx = await startNginx(stored, folder, say);
  const one = await besidePeer(ours, nginx, ROUNDS);
  let index = 0;
  const inRanges = {
    ...ours,
    times: RANGES,
    status: 206,
    headersOf: () => {
      index = (index + 7919 * RANGE_BYTES) % (size_bytes - RANGE_BYTES);
      return { ...headers, range: `bytes=${index}-${index + RANGE_BYTES - 1}` };
    },
  };
  // As DuckDB and Polars read, one column chunk after the other, and as eight of them do at once.
  const alone = await load(inRanges);
  const ranges = await load({ ...inRanges, connections: READERS });
  return [
    figure('downloads: size of the file', size_bytes / 1e6, 'MB'),
    figure('downloads: one stream', one.rate, 'MB/s', { runs: ROUNDS, target: { at_least: 400 } }),
    figure(`downloads: ${PARALLEL} at once, together`, rate(parallel), 'MB/s'),
    figure(
      `downloads: ranges of ${RANGE_BYTES / 1024} KiB by ${READERS} readers`,
      ranges.per_second,
      'a second',
      { runs: RANGES },
    ),
    figure('downloads: first byte of a range, p99', p99(alone.first_byte_ms), 'ms', {
      runs: RANGES,
      target: { at_most: 10 },
    }),
    figure(`downloads: first byte of a range by ${READERS} readers, p99`, p99(ranges.first_byte_ms), 'ms', {
      runs: RANGES,
      target: { at_most: 5 },
    }),
    figure(
      `downloads: memory of each of ${PARALLEL} at once`,
      Math.max(0, after_bytes - before_bytes) / PARALLEL / 1e6,
      'MB',
      { runs: PARALLEL },
    ),
    ...one.ratios.map((ratio) =>
      figure('downloads: one stream against nginx', ratio, 'times', {
        against: 'nginx with sendfile, which checks nothing',
        runs: ROUNDS,
        target: { at_least: 0.25 },
      }),
    ),
  ];
}

/** A server of its own, whose cache holds nothing of the file. */
async function ofLarge(
  { folder, say }: BenchRequest,
  ledger: GeneratedLedger,
  account: bigint,
  { table, path: stored, size_bytes }: BuiltFile,
): Promise<readonly Figure[]> {
  await using served = await serveAccount(ledger, account, folder);
  await using nginx = await startNginx(stored, folder, say);
  const asked: Load = {
    port: served.port,
    path: () => `/v1/reporting/latest/${table}.parquet`,
    headers: { authorization: `Bearer ${served.token}` },
    connections: 1,
    times: 1,
  };
  const { bytes } = await load(asked);
  if (bytes !== size_bytes) throw new Error(`${bytes} bytes of a file of ${size_bytes} came`);
  const one = await besidePeer(asked, nginx, LARGE_ROUNDS);
  return [
    figure('downloads: one stream of a file larger than the cache: size', size_bytes / 1e6, 'MB'),
    figure('downloads: one stream of a file larger than the cache', one.rate, 'MB/s', { runs: LARGE_ROUNDS }),
    ...one.ratios.map((ratio) =>
      figure('downloads: one stream of a file larger than the cache, against nginx', ratio, 'times', {
        against: 'nginx with sendfile, which checks nothing',
        runs: LARGE_ROUNDS,
        target: { at_least: 0.5 },
      }),
    ),
  ];
}

/** The rate of a load, and how many times the peer's it is, in turns; no ratio without a peer. */
async function besidePeer(
  ours: Load,
  peer: { readonly port: number } | null,
  rounds: number,
): Promise<{ readonly rate: number; readonly ratios: readonly number[] }> {
  const own: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const mine = rate(await load(ours));
    const theirs = peer === null ? null : rate(await load({ ...ours, port: peer.port, path: () => '/file' }));
    if (round === 0) continue;
    own.push(mine);
    if (theirs !== null) ratios.push(mine / theirs);
  }
  return { rate: median(own), ratios: ratios.length === 0 ? [] : [median(ratios)] };
}

function rate({ bytes, seconds }: Loaded): number {
  return bytes / 1e6 / seconds;
}
