/** Choosing some of many, evenly: a short run then looks everywhere. */
import type { Chance } from './chance.ts';

/** So many of them at most, one drawn from each of as many equal stretches, in order. */
export function spread<One>(all: readonly One[], times: number, chance: Chance): readonly One[] {
  if (times >= all.length) return all;
  return Array.from({ length: times }, (_, stretch) => {
    const from = Math.floor((stretch * all.length) / times);
    const to = Math.floor(((stretch + 1) * all.length) / times);
    return all.slice(from, to)[chance.below(to - from)];
  }).filter((one) => one !== undefined);
}
