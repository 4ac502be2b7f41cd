/** Runs of several things in turn, so that a machine that slows down slows all of them. */

/** One run of one thing. */
export interface Run {
  readonly wall_s: number;
  /** CPU time of this process and its threads meanwhile. */
  readonly cpu_s: number;
}

/** Runs each `times` times in turn, after one round that does not count. */
export async function inRounds<Name extends string>(
  things: Readonly<Record<Name, () => Promise<unknown>>>,
  times: number,
): Promise<Readonly<Record<Name, readonly Run[]>>> {
  const names = Object.keys(things) as Name[]; // its own keys
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>;
  for (let round = 0; round <= times; round += 1) {
    for (const name of names) {
      const run = await timed(things[name]);
      if (round > 0) runs[name].push(run);
    }
  }
  return runs;
}

/** One run by itself. */
export async function timed(thing: () => Promise<unknown>): Promise<Run> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await thing();
  const { user, system } = process.cpuUsage(cpu);
  return { wall_s: (performance.now() - began) / 1e3, cpu_s: (user + system) / 1e6 };
}

/** The one in the middle, or the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? NaN) + (sorted[Math.floor(half)] ?? NaN)) / 2;
}

/** What ninety-nine of a hundred stay below. */
export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * 0.99) - 1)] ?? NaN;
}

/** The wall time of each round's runs as a ratio, and the one in the middle of these. */
export function wallRatio(ours: readonly Run[], theirs: readonly Run[]): number {
  return median(ours.map(({ wall_s }, round) => wall_s / (theirs[round]?.wall_s ?? NaN)));
}
