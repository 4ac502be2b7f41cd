/** Chance that a seed decides: the same seed draws the same numbers on every machine. */

export interface Chance {
  /** A number in [0, 1). */
  readonly next: () => number;
  /** A whole number from 0 up to, not including, that. */
  readonly below: (limit: number) => number;
  /** True so often of one. */
  readonly happens: (of_one: number) => boolean;
  /** One of these; there must be one. */
  readonly oneOf: <One>(these: readonly One[]) => One;
  /** So many digits of lower-case hex. */
  readonly hex: (digits: number) => string;
}

/** The chance of a seed: Marsaglia's and Steele's mulberry32, which is small, quick and good enough to choose faults by. */
export function chanceOf(seed: number): Chance {
  // Neighbouring seeds begin far apart.
  let state = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) >>> 0;
  function next(): number {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    happens: (of_one) => next() < of_one,
    oneOf(these) {
      const [first] = these;
      if (first === undefined) throw new Error('there is nothing to choose from');
      return these[below(these.length)] ?? first;
    },
    hex(digits) {
      let text = '';
      while (text.length < digits) text += below(0x1_0000_0000).toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
}
