/** Sums of entries by initiative, month and segment, and of what has no dollars. */
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
  'sums-floor-of-month': {
    rule: 'capacity realised on another day of the month reduces the capacity freed in it',
    file: 'src/figures/entry-fold.ts',
    find: "monthOf(day === null ? '' : firstOfMonth(day))",
    replace: "monthOf(day ?? '')",
    caughtBy: ['test/figures/entry-fold.test.ts'],
  },
  'sums-months-of-capacity': {
    rule: 'a month with freed capacity alone is shown',
    file: 'src/figures/month-series.ts',
    find: "const index = indexOf(entry);\n      if (entry_type === 'capacity') return;",
    replace: "if (entry_type === 'capacity') return;\n      const index = indexOf(entry);",
    caughtBy: ['test/figures/month-series.test.ts'],
  },
  'sums-no-use-no-price': {
    rule: 'a cost of a month in which nothing was used is no change of the price',
    file: 'src/figures/price-and-use.ts',
    find: 'q0 === 0n || q1 === 0n',
    replace: 'q0 === 0n',
    caughtBy: ['test/figures/price-and-use.test.ts'],
  },
  'sums-capacity-left': {
    rule: 'capacity without dollars is stated where its currency has no cash value without dollars',
    file: 'src/figures/unsettled.ts',
    find: '.filter(({ entries, capacity_entries }) => entries + capacity_entries > 0n)',
    replace: '.filter(({ entries }) => entries > 0n)',
    caughtBy: ['test/figures/unsettled.test.ts'],
  },
  'sums-reason-of-cash': {
    rule: 'the reason of capacity alone is not told of the cash value in its currency',
    file: 'src/figures/left-out-words.ts',
    find: 'return is_capacity ? of_capacity > 0 : entries > of_capacity;',
    replace: 'return is_capacity ? of_capacity > 0 : entries > 0;',
    caughtBy: ['test/figures/unsettled.test.ts'],
  },
};
