/**
 * `npm run campaign -- build-memory --rows 1000000 --initiatives 10000 --years 5 --inputs 3000000`: generates an
 * account of that size and one of a quarter of it, builds both, and prints what each step took and held. Fails unless
 * both were published, every table has the rows that the ledger has, the larger build held at most 450 MB and a tenth
 * more than the smaller. What is counted is the process tree of the build: not PostgreSQL, which is the embedded one or
 * that of OWNER_URL and LEDGER_URL, and not whoever asks for a build. The curves stay in the folder that is printed;
 * with --keep <folder> the ledger stays there too, and a second run builds it again.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabases } from '../../src/run/databases.ts';
import { readSettings } from '../../src/config.ts';
import { countBaseRows } from '../../src/ledger/moment/recount-base-tables.ts';
import type { SeedRequest } from '../../tools/seed/seed-account.ts';
import { type BuiltFile, builtFiles } from './built-files.ts';
import { GeneratedLedger, sizeOf } from './ledgers/generated-ledger.ts';
import type { MeasuredBuild } from './measured-build.ts';

const MAX_PEAK_BYTES = 450e6;
const MAX_GROWTH = 1.1;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    initiatives: { type: 'string' },
    years: { type: 'string', default: '5' },
    inputs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});
const rows = Number(values.rows);
const usual = sizeOf(rows);
const full: SeedRequest = {
  ...usual,
  initiatives: Number(values.initiatives ?? usual.initiatives),
  years: Number(values.years),
  inputs: Number(values.inputs ?? usual.inputs),
  seed: BigInt(values.seed),
};
const quarter: SeedRequest = {
  ...full,
  rows: Math.floor(rows / 4),
  initiatives: Math.floor(full.initiatives / 4),
  inputs: Math.floor(full.inputs / 4),
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The tables whose rows are not as many as the bare ledger has; those that are computed have none to compare. */
async function miscounted(
  ledger: GeneratedLedger,
  account: bigint,
  files: readonly BuiltFile[],
): Promise<string[]> {
  return ledger.asReader(account, async (reader) => {
    const wrong: string[] = [];
    for (const { table, rows: built } of files) {
      const bare = await countBaseRows(reader, table, account);
      if (bare !== null && bare !== built) wrong.push(`${table} has ${built} rows, the ledger ${bare}`);
    }
    return wrong;
  });
}

async function buildAndCheck(
  ledger: GeneratedLedger,
  folder: string,
  request: SeedRequest,
): Promise<MeasuredBuild> {
  const account = await ledger.accountOf(request);
  const { build, files } = await builtFiles(ledger, account, folder, `store-${randomUUID()}`);
  for (const { line, peak_bytes } of build.steps) say(`  ${line}, peak ${megabytes(peak_bytes)} MB`);
  const curve = build.samples.map(({ ms, rss_bytes }) => `${ms},${rss_bytes}\n`);
  const curveFile = join(folder, `curve-${request.rows}.csv`);
  await writeFile(curveFile, `ms,rss_bytes\n${curve.join('')}`);
  const wrong = await miscounted(ledger, account, files);
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  const bytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  say(
    `${request.rows} rows: ${files.length} tables, ${megabytes(bytes)} MB, ${seconds(build.seconds * 1000)} s, ` +
      `peak RSS ${megabytes(build.peak_bytes)} MB, curve in ${curveFile}`,
  );
  return build;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'crossfoot-size-')));
await mkdir(folder, { recursive: true });
say(`${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${megabytes(totalmem())} MB, Node ${process.version}`);
const stop = new AbortController();
process.on('SIGINT', () => stop.abort(new Error('stopped')));
const databases = await openDatabases(
  readSettings({ ...process.env, DATA_DIR: join(folder, 'data') }),
  stop.signal,
  undefined,
  { creates: true },
);
const ledger = new GeneratedLedger(databases, say);
try {
  const small = await buildAndCheck(ledger, folder, quarter);
  const large = await buildAndCheck(ledger, folder, full);
  const growth = large.peak_bytes / small.peak_bytes;
  say(`peak RSS ${megabytes(large.peak_bytes)} MB, ${growth.toFixed(2)} times that of a quarter`);
  if (large.peak_bytes > MAX_PEAK_BYTES || growth > MAX_GROWTH) {
    say(`failed: at most ${megabytes(MAX_PEAK_BYTES)} MB and ${MAX_GROWTH} times were promised`);
    process.exitCode = 1;
  }
} finally {
  await databases[Symbol.asyncDispose]();
  if (values.keep === undefined) await rm(join(folder, 'data'), { recursive: true });
}
