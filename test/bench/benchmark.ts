/** What every benchmark of `npm run bench` is: figures measured in one run, each beside what it is held against. */
import type { GeneratedLedger } from './ledgers/generated-ledger.ts';

/** One figure; a ratio where a machine's own speed would otherwise be what is measured. */
export interface Figure {
  /** `table build: wall`, unique in a run. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is measured against in the same run; null for a figure by itself. */
  readonly against: string | null;
  /** How many runs `value` is the median of. */
  readonly runs: number;
  /** What was promised: at most or at least so much. */
  readonly target?: Target;
}

/** A figure by itself and of one run, unless it is said otherwise. */
export function figure(
  name: string,
  value: number,
  unit: string,
  beside: Partial<Pick<Figure, 'against' | 'runs' | 'target'>> = {},
): Figure {
  return { name, value, unit, against: null, runs: 1, ...beside };
}

export type Target = { readonly at_most: number } | { readonly at_least: number };

/** What a benchmark works with. */
export interface BenchRequest {
  /** Cost entries, and as many value entries, of the account to measure; null leaves the choice to the benchmark. */
  readonly rows: number | null;
  /** How many accounts, where many are measured; null leaves that to the benchmark, too. */
  readonly accounts: number | null;
  /** The ledger of made-up accounts, which all benchmarks of a run share. */
  readonly ledger: () => Promise<GeneratedLedger>;
  /** A folder of its own, empty, that is removed afterwards. */
  readonly folder: string;
  /** Tells of progress, and of a peer that is not there. */
  readonly say: (line: string) => void;
}

export interface Benchmark {
  /** As it is asked for by name. */
  readonly name: string;
  readonly title: string;
  /** Measures, after it has made sure that what it measures is right. */
  readonly run: (request: BenchRequest) => Promise<readonly Figure[]>;
}

/** True when the figure is what was promised of it; null where nothing was. */
export function isMet({ value, target }: Figure): boolean | null {
  if (target === undefined) return null;
  return 'at_most' in target ? value <= target.at_most : value >= target.at_least;
}
