/**
 * Downloads of a table's file, every block of which is checked on its way: one stream beside nginx, fifty at once, the
 * wait for the first byte, small ranges as query engines ask for them, and what a download costs in memory.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Benchmark, type Figure, figure } from './benchmark.ts';
import { builtFiles } from './built-files.ts';
import { sizeOf } from './ledgers/generated-ledger.ts';
import { load, type Load } from './load.ts';
import { median, p99 } from './rounds.ts';
import { serveAccount } from './served-account.ts';

const ROWS = 1_000_000;
const ROUNDS = 5;
const PARALLEL = 50;
const READERS = 8;
const RANGES = 1_000;
const RANGE_BYTES = 64 * 1024;

export const downloads: Benchmark = {
  name: 'downloads',
  title: 'the largest file of a snapshot, every block checked',
  run: async ({ rows, ledger, folder, say }) => {
    const generated = await ledger();
    const account = await generated.accountOf(sizeOf(rows ?? ROWS));
    const { files } = await builtFiles(generated, account, folder);
    const [largest] = files.toSorted((a, b) => b.size_bytes - a.size_bytes);
    if (largest === undefined) throw new Error('a snapshot without files');
    const { table, path: stored, size_bytes } = largest;
    say(`  ${table}.parquet has ${(size_bytes / 1e6).toFixed(1)} MB`);
    await using served = await serveAccount(generated, account, folder);
    const headers = { authorization: `Bearer ${served.token}` };
    const path = (): string => `/v1/reporting/latest/${table}.parquet`;
    const ours: Load = { port: served.port, path, headers, connections: 1, times: 1 };
    const before_bytes = await served.rssBytes();
    const parallel = await load({ ...ours, connections: PARALLEL, times: PARALLEL });
    const after_bytes = await served.rssBytes();
    if (parallel.bytes !== size_bytes * PARALLEL) throw new Error(`${parallel.bytes} bytes came`);

    const single: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) single.push(rate(await load(ours)));
    const peer = await besideNginx(stored, folder, say);
    let place = 0;
    const inRanges = {
      ...ours,
      times: RANGES,
      status: 206,
      headersOf: () => {
        place = (place + 7919 * RANGE_BYTES) % (size_bytes - RANGE_BYTES);
        return { ...headers, range: `bytes=${place}-${place + RANGE_BYTES - 1}` };
      },
    };
    // As DuckDB and Polars read, one column chunk after the other, and as eight of them do at once.
    const alone = await load(inRanges);
    const ranges = await load({ ...inRanges, connections: READERS });
    const figures: Figure[] = [
      figure('downloads: size of the file', size_bytes / 1e6, 'MB'),
      figure('downloads: one stream', median(single), 'MB/s', { runs: ROUNDS, target: { at_least: 400 } }),
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
        target: { at_most: 10 },
      }),
      figure(
        'downloads: memory of each of them',
        Math.max(0, after_bytes - before_bytes) / PARALLEL / 1e6,
        'MB',
        { runs: PARALLEL },
      ),
    ];
    if (peer !== null) {
      figures.push(
        figure('downloads: one stream against nginx', median(single) / peer, 'times', {
          against: 'nginx with sendfile, which checks nothing',
          runs: ROUNDS,
          target: { at_least: 0.25 },
        }),
      );
    }
    return figures;
  },
};

function rate({ bytes, seconds }: { readonly bytes: number; readonly seconds: number }): number {
  return bytes / 1e6 / seconds;
}

/** The rate of nginx over the same file to the same client; null, and said, where there is none. */
async function besideNginx(
  stored: string,
  folder: string,
  say: (line: string) => void,
): Promise<number | null> {
  const there = await promisify(execFile)('nginx', ['-v']).then(
    () => true,
    () => false,
  );
  if (!there) {
    say('  not measured against nginx: it is not on the PATH');
    return null;
  }
  const root = join(folder, 'nginx');
  await mkdir(join(root, 'files'), { recursive: true });
  await copyFile(stored, join(root, 'files', 'table.parquet'));
  const port = 20_000 + (process.pid % 20_000);
  await writeFile(
    join(root, 'nginx.conf'),
    `daemon off; master_process off; pid ${root}/pid; error_log ${root}/error.log;
     events {} http { access_log off; sendfile on; client_body_temp_path ${root}/body; proxy_temp_path ${root}/proxy;
     fastcgi_temp_path ${root}/fastcgi; uwsgi_temp_path ${root}/uwsgi; scgi_temp_path ${root}/scgi;
     server { listen 127.0.0.1:${port}; root ${root}/files; } }`,
  );
  const nginx = spawn('nginx', ['-p', root, '-c', join(root, 'nginx.conf')], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  try {
    const asked: Load = { port, path: () => '/table.parquet', headers: {}, connections: 1, times: 1 };
    for (let tries = 0; ; tries += 1) {
      try {
        await load(asked);
        break;
      } catch (error) {
        if (tries === 50) throw error;
        await sleep(100);
      }
    }
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rates.push(rate(await load(asked)));
    return median(rates);
  } finally {
    nginx.kill('SIGTERM');
    await ended;
  }
}
