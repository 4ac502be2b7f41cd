/**
 * `npm run bench -- [name ...] [--rows 1000000] [--accounts 1000] [--keep <folder>] [--json] [--record]`: measures what the
 * performance page says, each figure beside what it is held against in the same run. Without names all benchmarks are
 * run. With --keep the ledger stays in that folder, and a later run need not make it again. With --json one line a
 * figure: name, value, unit, against, runs, and where something was promised target and met. With --record the figures
 * go into test/.tmp/bench.json, too. Exit code 1 when a benchmark found what it measures to be wrong, or could not be
 * run; a promise that is not kept is said and is no failure.
 *
 * `npm run bench -- --page` measures nothing: for a release, it writes what is recorded into the performance page. A table
 * that this machine did not measure again stays as it is.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabases } from '../../src/run/databases.ts';
import type { Databases } from '../../src/run/opened-databases.ts';
import { readSettings } from '../../src/config.ts';
import { type Benchmark, type Figure, isMet } from './benchmark.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { GeneratedLedger } from './ledgers/generated-ledger.ts';
import { writePage } from './performance-page.ts';
import { type Machine, readRecord, recordRun } from './record.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string' },
    accounts: { type: 'string' },
    keep: { type: 'string' },
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
});

const ORDER = BENCHMARKS.map(({ name }) => name);

if (values.page) {
  const runs = await readRecord();
  if (runs.length === 0) process.stderr.write('nothing is recorded: run benchmarks with --record first\n');
  else await writePage(runs, ORDER);
  process.exit(runs.length === 0 ? 2 : 0);
}

/** For people; what --json prints stays alone on standard output. */
function say(line: string): void {
  (values.json ? process.stderr : process.stdout).write(`${line}\n`);
}

function chosen(): readonly Benchmark[] {
  const unknown = positionals.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    const known = BENCHMARKS.map(({ name }) => name).join(', ');
    process.stderr.write(`no benchmark is called ${unknown.join(', ')}; there are ${known}\n`);
    process.exit(2);
  }
  return positionals.length === 0 ? BENCHMARKS : BENCHMARKS.filter(({ name }) => positionals.includes(name));
}

function tell(figure: Figure): void {
  const met = isMet(figure);
  if (values.json) {
    const { target, ...rest } = figure;
    process.stdout.write(
      `${JSON.stringify({ ...rest, ...(target === undefined ? {} : { target, met }) })}\n`,
    );
    return;
  }
  const { name, value, unit, against, target } = figure;
  const beside = against === null ? '' : ` (against ${against})`;
  const [[bound, limit] = []] = Object.entries(target ?? {});
  const promised =
    bound === undefined ? '' : `, ${bound.replace('_', ' ')} ${limit} promised: ${met ? 'met' : 'NOT MET'}`;
  say(`  ${name}: ${Number(value.toPrecision(4))} ${unit}${beside}${promised}`);
}

const kept = values.keep;
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'crossfoot-bench-')));
await mkdir(folder, { recursive: true });
const stop = new AbortController();
process.on('SIGINT', () => stop.abort(new Error('stopped')));
let databases: Databases | undefined;
let opened: Promise<GeneratedLedger> | undefined;

async function openLedger(): Promise<GeneratedLedger> {
  const settings = readSettings({ ...process.env, DATA_DIR: join(folder, 'data') });
  databases = await openDatabases(settings, stop.signal, undefined, { creates: true });
  return new GeneratedLedger(databases, say);
}

async function record(
  { name, title }: Benchmark,
  machine: Machine,
  figures: readonly Figure[],
): Promise<void> {
  const size = (['rows', 'accounts'] as const).flatMap((option) =>
    values[option] === undefined ? [] : [` --${option} ${values[option]}`],
  );
  const command = `npm run bench -- ${name}${size.join('')}`;
  const date = new Date().toISOString().slice(0, 10);
  await recordRun({ name, title, command, date, machine, figures }, ORDER);
}

function machineNow(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'CPU',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 1e9),
    node: process.version,
    load: Number(loadavg()[0]?.toFixed(1)),
  };
}

say(JSON.stringify(machineNow()));
try {
  for (const benchmark of chosen()) {
    const { name, title, run } = benchmark;
    say(`${name}: ${title}`);
    const machine = machineNow();
    const own = await mkdtemp(join(folder, `${name}-`));
    try {
      const rows = values.rows === undefined ? null : Number(values.rows);
      const accounts = values.accounts === undefined ? null : Number(values.accounts);
      const figures = await run({
        rows,
        accounts,
        ledger: () => (opened ??= openLedger()),
        folder: own,
        say,
      });
      for (const figure of figures) tell(figure);
      if (values.record) await record(benchmark, machine, figures);
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(
        `${name} FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    } finally {
      await rm(own, { recursive: true });
    }
  }
} finally {
  await databases?.[Symbol.asyncDispose]();
  if (kept === undefined) await rm(folder, { recursive: true });
}
