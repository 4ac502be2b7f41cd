/**
 * `npm run campaign -- torn`: readers of ranges read a table while the newest snapshot changes before each request. It
 * prints a matrix: the bytes of one snapshot or a refusal, and the bytes sent. Exits 1 if a reader mixed two snapshots,
 * or could not read the address by id, and 2 without its packages.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { createLogger } from '../../src/log.ts';
import { listen } from '../../src/serve/http/server.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { makePython } from './packages.ts';
import { fakeApp, TOKENS } from '../serve/fake-parts.ts';
import { aBuild, DAY, HOUR, MIDNIGHT, publishNow } from '../snapshot/builder/build-harness.ts';

const RUNS = join(import.meta.dirname, 'runs');
const ACCOUNT = 7n;
const IDS = ['20260301T000000Z', '20260302T000000Z'] as const;
const SIZES = { '1 MB': 60_000, '100 MB': 6_000_000 } as const;
const LONGEST_MS = 300_000;
const READERS = ['duckdb', 'hyparquet', 'fsspec', 'polars', 'clickhouse', 'daft', 'object_store'] as const;

const outcome = z.object({ a: z.array(z.number()), b: z.array(z.number()) });
const run = promisify(execFile);
const now = (): bigint => MIDNIGHT + DAY + HOUR;

/** Publishes two snapshots of a table with that many rows; column `a` and `b` begin with the number of the snapshot. */
async function publishTwo(root: string, python: string, rows: number) {
  const store = await openFolderStore({ fs: promises, root: join(root, 'store'), randomUuid: randomUUID });
  for (const [index, id] of IDS.entries()) {
    const file = join(root, `${id}.parquet`);
    await run(python, [join(RUNS, 'torn-write.py'), file, String(index + 1), String(rows)]);
    const files = new Map([
      ['snapshot', Buffer.from('PAR1 one row PAR1')],
      ['costs', await promises.readFile(file)],
    ]);
    await publishNow(store, aBuild(id, MIDNIGHT + BigInt(index) * DAY, files));
    await promises.rm(file);
  }
  return store;
}

/** What a reader said of both columns: the numbers of the snapshots that it saw, or why it gave up. */
async function read(reader: string, url: string, python: string): Promise<string> {
  const node = reader === 'hyparquet';
  const script = join(RUNS, node ? 'torn-read.mjs' : 'torn-read.py');
  try {
    const { stdout } = await run(node ? process.execPath : python, [script, ...(node ? [] : [reader]), url], {
      timeout: LONGEST_MS,
    });
    const { a, b } = outcome.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    const seen = [...new Set([...a, ...b])];
    return seen.length === 1 ? 'one snapshot' : 'MIXED';
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const line = said.split('\n').findLast((each) => /error/i.test(each)) ?? said;
    return `refused: ${line.trim().replaceAll('|', '/').slice(0, 110)}`;
  }
}

const root = await promises.mkdtemp(join(await promises.realpath(tmpdir()), 'crossfoot-torn-'));
try {
  const made = makePython('torn', join(root, 'python'));
  if ('missing' in made) {
    process.stderr.write(`${made.missing}\n`);
    process.exitCode = 2;
  } else {
    const python = join(made.path, 'python');
    const lines: string[] = [];
    for (const [size, rows] of Object.entries(SIZES)) {
      const store = await publishTwo(join(root, String(rows)), python, rows);
      const snapshots = createReader({ store, now, onFault: () => undefined });
      let asked = 0;
      // The worst time of a reader: a snapshot is published before each of its requests.
      const changing: typeof snapshots = Object.assign(Object.create(snapshots) as typeof snapshots, {
        latest: () => snapshots.pinned(ACCOUNT, IDS[asked++ % 2] ?? ''),
      });
      const { app } = fakeApp({ snapshots: changing });
      let bytes = 0;
      let requests = 0;
      const server = await listen(
        async (request, ...rest) => {
          const headers = new Headers(request.headers);
          headers.set('authorization', `Bearer ${TOKENS.personal}`); // some readers send none
          const answer = await app.fetch(
            new Request(request.url, { method: request.method, headers }),
            ...rest,
          );
          requests += 1;
          if (request.method !== 'HEAD') bytes += Number(answer.headers.get('content-length') ?? 0);
          return answer;
        },
        { host: '127.0.0.1', port: 0, logger: createLogger('silent') },
      );
      const addresses = { latest: 'latest', 'by id': `snapshots/${IDS[1]}` };
      for (const reader of READERS) {
        for (const [title, address] of Object.entries(addresses)) {
          [bytes, requests] = [0, 0];
          const url = `http://127.0.0.1:${server.port}/v1/reporting/${address}/costs.parquet`;
          const said = await read(reader, url, python);
          const sent = `${(bytes / 1e6).toFixed(1)} MB in ${requests} requests`;
          lines.push(`| ${reader} | ${size} | ${title} | ${said} | ${sent} |`);
          process.stdout.write(`${lines.at(-1)}\n`);
          if (said === 'MIXED' || (title === 'by id' && said !== 'one snapshot')) process.exitCode = 1;
        }
      }
      await server.close(0);
    }
  }
} finally {
  await promises.rm(root, { recursive: true, force: true });
}
