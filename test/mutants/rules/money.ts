/** The web pages of cost and value: sums by month, payback, and the rows behind an amount. */
import type { Mutants } from '../mutant.ts';

export const MONEY: Mutants = {
  'money-capacity': {
    rule: 'freed capacity is no cash value of a month',
    file: 'src/figures/month-series.ts',
    find: "if (entry_type === 'capacity') return;",
    replace: '',
    caughtBy: ['test/figures/month-series.test.ts'],
  },
  'money-earlier': {
    rule: 'cumulative net begins with the months before the shown ones',
    file: 'src/figures/month-series.ts',
    find: 'let cumulative_net_cents = netOf(earlier.cash_value_cents, earlier.cost_cents);',
    replace: 'let cumulative_net_cents = cents(0n);',
    caughtBy: ['test/figures/month-series.test.ts'],
  },
  'money-undated': {
    rule: 'an entry without a month counts in all time alone',
    file: 'src/figures/month-series.ts',
    find: 'undated: amounts.get(null) ?? NONE',
    replace: 'undated: NONE',
    caughtBy: ['test/figures/month-series.test.ts'],
  },
  'money-step-window': {
    rule: "what an initiative adds to a step is of the window's months",
    file: 'src/figures/moves-by-initiative.ts',
    find: 'month >= from_date && month <= through_date',
    replace: 'month >= from_date',
    caughtBy: ['test/figures/moves-by-initiative.test.ts'],
  },
  'money-step-reason': {
    rule: 'what an initiative adds to a step is of its reason',
    file: 'src/figures/moves-by-initiative.ts',
    find: 'const key = `${kind} ${reason}`;',
    replace: 'const key = `${kind} entry_added`;',
    caughtBy: ['test/figures/moves-by-initiative.test.ts'],
  },
  'money-other-snapshot': {
    rule: 'no file of rows is of another snapshot than the address names',
    file: 'src/serve/rows/row-routes.ts',
    find: 'if (parameters.has(OTHER_SNAPSHOT)) {',
    replace: "if (parameters.has('')) {",
    caughtBy: ['test/serve/rows/rows-page.test.ts'],
  },
  'money-own-rows': {
    rule: "the page of an initiative shows no other initiative's decisions",
    file: 'src/serve/money/initiative.ts',
    find: 'values: new Set([id]), from: null',
    replace: 'values: new Set<bigint>(), from: null',
    caughtBy: ['test/serve/money/money-pages.test.ts'],
  },
  'money-payback': {
    rule: 'payback is the month since which value covers cost without a break',
    file: 'src/figures/plan-path.ts',
    find: 'months.findLastIndex(({ net }) => net < 0n)',
    replace: 'months.findIndex(({ net }) => net < 0n)',
    caughtBy: ['test/figures/plan-path.test.ts'],
  },
  'money-behind-cash': {
    rule: 'the rows behind cash value are without freed capacity',
    file: 'src/serve/money/row-links.ts',
    find: "type !== 'capacity'",
    replace: "type !== ''",
    caughtBy: ['test/serve/money/overview-page.test.ts'],
  },
  'money-behind-window': {
    rule: 'the rows behind a figure of a window are those of its months',
    file: 'src/serve/money/row-links.ts',
    find: "['period_month_from', from],",
    replace: '',
    caughtBy: ['test/serve/money/overview-page.test.ts'],
  },
  'money-behind-cards': {
    rule: 'card charges are in no sum of bills',
    file: 'src/serve/money/ai-spend-page.ts',
    find: "['source_kind', 'ai_vendor'],",
    replace: "['source_kind', 'ai_vendor'], ['source_kind', 'card'],",
    caughtBy: ['test/serve/money/money-pages.test.ts'],
  },
  'money-session': {
    rule: 'figures need a session',
    file: 'src/serve/money/money-routes.ts',
    find: "routes.get('/budgets', requireSession(parts, './'), ",
    replace: "routes.get('/budgets', ",
    caughtBy: ['test/serve/money/money-pages.test.ts'],
  },
};
