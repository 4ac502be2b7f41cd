/** Figures of a snapshot that are read once and then kept: none of another snapshot, window or initiative, and no last one lost. */
import type { Mutants } from './mutant.ts';

export const FROZEN: Mutants = {
  'frozen-last-initiative': {
    rule: 'the last initiative of a file has its sums',
    file: 'src/serve/live/snapshot-sums.ts',
    find: '  return close() ? each : null;',
    replace: '  return each;',
    caughtBy: ['test/serve/live/frozen-figures.test.ts'],
  },
  'frozen-cut-month': {
    rule: 'a window that cuts a stored month is added up from the entries',
    file: 'src/serve/live/snapshot-sums.ts',
    find: '    return groups !== null;',
    replace: '    return true;',
    caughtBy: ['test/serve/live/frozen-figures.test.ts'],
  },
  'frozen-other-window': {
    rule: 'the figures of one window are not answered for another',
    file: 'src/serve/live/snapshot-roi.ts',
    find: 'await comparisons.get(JSON.stringify([digestsOf(files, READ), window]), async () => {',
    replace: 'await comparisons.get(JSON.stringify([digestsOf(files, READ)]), async () => {',
    caughtBy: ['test/serve/live/frozen-figures.test.ts'],
  },
  'frozen-last-day': {
    rule: 'an entry of the last day of a window counts',
    file: 'src/serve/live/snapshot-roi.ts',
    find: 'if (days !== null && (day === null || day < days.from || day > days.through)) continue;',
    replace: 'if (days !== null && (day === null || day < days.from || day >= days.through)) continue;',
    caughtBy: ['test/serve/live/frozen-figures.test.ts'],
  },
  'frozen-fiscal-year': {
    rule: 'a snapshot with the same entries and another fiscal year has its own windows',
    file: 'src/serve/live/snapshot-roi.ts',
    find: "const READ = ['snapshot', 'initiatives', 'costs', 'reported_value'] as const;",
    replace: "const READ = ['costs', 'reported_value'] as const;",
    caughtBy: ['test/serve/live/frozen-figures.test.ts'],
  },
  'months-other-snapshot': {
    rule: 'the months of an initiative are those of the asked snapshot',
    file: 'src/serve/money/months.ts',
    find: 'const keyOf = (id: bigint): string => `${key} ${id}`;',
    replace: 'const keyOf = (id: bigint): string => `${id}`;',
    caughtBy: ['test/serve/money/months.test.ts'],
  },
  'months-all-groups': {
    rule: 'the months of several initiatives are read from all of their row groups',
    file: 'src/serve/money/months.ts',
    find: 'const groups = groupsOf(sums, missing);',
    replace: 'const groups = groupsOf(sums, missing.slice(0, 1));',
    caughtBy: ['test/serve/money/months.test.ts'],
  },
  'windows-two-groups': {
    rule: 'an initiative whose windows lie in two row groups has those of both',
    file: 'src/serve/rows/window-totals.ts',
    find: 'for (const { first, rows: count } of groupsOf(rows, [id])) {',
    replace: 'for (const { first, rows: count } of groupsOf(rows, [id]).slice(0, 1)) {',
    caughtBy: ['test/serve/rows/window-totals.test.ts'],
  },
  'windows-other-initiative': {
    rule: 'the windows of one initiative are not shown for another',
    file: 'src/serve/money/overview.ts',
    find: "return windows.get(`${digestsOf(files, ['reported_totals'])} ${id}`, async () =>",
    replace: "return windows.get(`${digestsOf(files, ['reported_totals'])}`, async () =>",
    caughtBy: ['test/serve/money/second-view.test.ts'],
  },
};
