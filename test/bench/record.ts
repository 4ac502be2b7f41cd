/** What benchmarks measured when they last ran with `--record`: a file that is never committed. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure } from './benchmark.ts';

/** Where a run was made. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_gb: number;
  readonly node: string;
  /** Of the minute before it began: what else the machine did. */
  readonly load: number;
}

/** One benchmark's last run. */
export interface RecordedRun {
  readonly name: string;
  readonly title: string;
  /** What gives these figures again. */
  readonly command: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly machine: Machine;
  readonly figures: readonly Figure[];
}

/** The size that a command asks for; null where the benchmark chose. */
export function sizeAsked({
  command,
}: Pick<RecordedRun, 'command'>): { readonly number: number; readonly of: string } | null {
  const [, of, number] = /--(rows|accounts) (\d+)/.exec(command) ?? [];
  return of === undefined ? null : { number: Number(number), of };
}

/** Runs, or their tables, in the order of the benchmarks, and those of one benchmark by their size. */
export function inOrder<Run extends Pick<RecordedRun, 'command'>>(
  runs: readonly Run[],
  order: readonly string[],
): readonly Run[] {
  const place = ({ command }: Run): number =>
    order.indexOf(/^npm run bench -- (\S+)/.exec(command)?.[1] ?? '');
  const size = (run: Run): number => sizeAsked(run)?.number ?? 0;
  return runs.toSorted((a, b) => place(a) - place(b) || size(a) - size(b));
}

const RECORD = fileURLToPath(new URL('../.tmp/bench.json', import.meta.url));

/** The runs on record, in the order of the benchmarks. */
export async function readRecord(): Promise<readonly RecordedRun[]> {
  const text = await readFile(RECORD, 'utf8').catch(() => '[]'); // nothing is recorded yet
  return JSON.parse(text) as readonly RecordedRun[]; // written below, and nowhere else
}

/** Puts a run in the place of the same benchmark's run of as many rows. */
export async function recordRun(run: RecordedRun, order: readonly string[]): Promise<void> {
  const others = (await readRecord()).filter(({ command }) => command !== run.command);
  const runs = inOrder([...others, run], order);
  await mkdir(dirname(RECORD), { recursive: true });
  await writeFile(RECORD, `${JSON.stringify(runs, null, 2)}\n`);
}
