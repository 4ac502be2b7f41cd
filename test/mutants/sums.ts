/** Sums by initiative, month and segment that a build writes. */
import type { Mutants } from './mutant.ts';

export const SUMS: Mutants = {
  'sums-across': {
    rule: 'a window that ends within a segment is answered from the rows',
    file: 'src/figures/segment-sums.ts',
    find: "    if (used.some((row) => placeOf(row, days) === 'across')) return null;\n",
    replace: '',
    caughtBy: ['test/figures/segment-sums.test.ts'],
  },
  'sums-from': {
    rule: 'a segment that begins with the window is inside',
    file: 'src/figures/segment-sums.ts',
    find: "return from_day >= days.from && through_day <= days.through ? 'inside' : 'across';",
    replace: "return from_day > days.from && through_day <= days.through ? 'inside' : 'across';",
    caughtBy: ['test/figures/segment-sums.test.ts'],
  },
  'sums-outside': {
    rule: 'a segment that ends before the window is outside',
    file: 'src/figures/segment-sums.ts',
    find: "if (through_day < days.from || from_day > days.through) return 'outside';",
    replace: "if (through_day < days.from) return 'outside';",
    caughtBy: ['test/figures/segment-sums.test.ts'],
  },
  'sums-floor': {
    rule: 'the segments of a month are added before they are floored',
    file: 'src/figures/segment-sums.ts',
    find: 'groups.push(inside.reduce<Sums>(addSums, NO_SUMS))',
    replace: 'groups.push(...inside)',
    caughtBy: ['test/figures/segment-sums.test.ts'],
  },
  'sums-whole': {
    rule: 'a whole month of the portfolio has its own rows, floored over the month',
    file: 'src/figures/segment-sums.ts',
    find: 'isWhole && within.length > 0',
    replace: 'within.length > 0 && days !== null && isWhole',
    caughtBy: ['test/figures/segment-sums.test.ts'],
  },
  'sums-undated': {
    rule: 'an entry without a date counts in all time alone',
    file: 'src/figures/segment-sums.ts',
    find: 'if (days === null) groups.push(...own);',
    replace: 'groups.push(...own);',
    caughtBy: ['test/figures/segment-sums.test.ts'],
  },
  'sums-cut': {
    rule: 'a month is cut before the day on which a trailing window begins',
    file: 'src/tables/sums.ts',
    find: "(:as_of - interval '${years} years')::date + 1",
    replace: "(:as_of - interval '${years} years')::date",
    caughtBy: ['test/serve/money/stored-sums.sweep.test.ts'],
  },
};
