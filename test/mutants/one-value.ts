/** One figure, one value: names of billers, plans that promise, budgets that have ended, and the duration of a build. */
import type { Mutants } from './mutant.ts';

export const ONE_VALUE: Mutants = {
  'one-name-case': {
    rule: 'names of billers that differ only in case are one line',
    file: 'src/figures/ai-spend.ts',
    find: '    const key = name.toLowerCase();',
    replace: '    const key = name;',
    caughtBy: ['test/serve/money/billers.test.ts'],
  },
  'one-name-gateway': {
    rule: "a gateway's bill names the provider and not its account",
    file: 'src/figures/ai-spend.ts',
    find: "  return account !== '' && name.endsWith(end) ? name.slice(0, -end.length) : name;",
    replace: '  return name;',
    caughtBy: ['test/serve/money/billers.test.ts'],
  },
  'one-name-key': {
    rule: 'the key of a platform is never shown to people',
    file: 'src/figures/ai-spend.ts',
    find: '  return connection?.platform_name ?? (platform === null ? connection_name : wordsOf(platform));',
    replace: '  return platform ?? connection_name;',
    caughtBy: ['test/serve/money/billers.test.ts'],
  },
  'one-name-link': {
    rule: 'the link of a line of AI spend has the rows of that line',
    file: 'src/serve/money/ai-spend-page.ts',
    find: "        link: links.table('ai_spend', [...BILLS, ['biller', biller ?? '']]),",
    replace: "        link: links.table('ai_spend', BILLS),",
    caughtBy: ['test/serve/money/billers.test.ts'],
  },
  'one-name-vendors': {
    rule: 'the spellings of a vendor are one line of an initiative, and its link has all of them',
    file: 'src/serve/money/sums-by.ts',
    find: "  const groups = Map.groupBy(sums, ({ value }) => (typeof value === 'string' ? spelling(value) : value));",
    replace: '  const groups = Map.groupBy(sums, ({ value }) => value);',
    caughtBy: ['test/serve/money/billers.test.ts'],
  },
  'one-promise-unconfirmed': {
    rule: 'an unconfirmed plan is in no promise',
    file: 'src/serve/money/initiative.ts',
    find: '  const plan = planOf(row, { ...days, approved_on: dayOf(approved_at ?? null), confirmed });',
    replace:
      '  const plan = planOf(row, { ...days, approved_on: dayOf(approved_at ?? null), confirmed: true });',
    caughtBy: ['test/serve/money/initiative-views.test.ts'],
  },
  'one-promise-assistant': {
    rule: 'the assistant says that nobody confirmed a plan',
    file: 'src/serve/assistant/initiative-text.ts',
    find: '    ...(plan.confirmed === false',
    replace: '    ...(plan.confirmed === null',
    caughtBy: ['test/serve/assistant/comparison.test.ts'],
  },
  'one-currency-share': {
    rule: 'a plan is compared in its own currency',
    file: 'src/serve/money/initiative-page.ts',
    find: "  if (money.row.currency === 'USD') return (overview.windows.get('all') ?? NO_ENTRIES).cash_value;",
    replace:
      "  if (money.row.currency !== null) return (overview.windows.get('all') ?? NO_ENTRIES).cash_value;",
    caughtBy: ['test/serve/money/initiative-views.test.ts'],
  },
  'one-currency-recorded': {
    rule: 'value in the currency of a plan counts as recorded',
    file: 'src/ledger/moment/plan-value.ts',
    find: '      case when v.currency = i.currency then v.amount_cents else v.usd_amount_cents end as cents,',
    replace: '      v.usd_amount_cents as cents,',
    caughtBy: ['test/ledger/moment/plan-value.test.ts'],
  },
  'one-currency-complete': {
    rule: 'other value counts for a plan only once its period is complete',
    file: 'src/ledger/moment/plan-value.ts',
    find: '    where not rate.usd_rate_provisional',
    replace: '',
    caughtBy: ['test/ledger/moment/plan-value.test.ts'],
  },
  'one-day-budgets': {
    rule: 'a budget that has ended is compared on the day of the snapshot',
    file: 'src/serve/money/budgets-page.ts',
    find: '  const ended = await compareBegun(files, (id) => newest.get(id)?.as_of !== files.as_of);',
    replace: '  const ended = await compareBegun(files, () => false);',
    caughtBy: ['test/serve/money/initiative-views.test.ts'],
  },
  'one-day-initiative': {
    rule: 'the page of an initiative compares an ended budget on the day of the snapshot',
    file: 'src/serve/money/initiative.ts',
    find: '  const [ended] = isCompared ? [] : await compareBegun(files, (each) => each === id);',
    replace: '  const [ended] = isCompared ? [] : await compareBegun(files, () => false);',
    caughtBy: ['test/serve/money/initiative-views.test.ts'],
  },
  'one-day-end': {
    rule: 'a budget that covers the day has not ended',
    file: 'src/figures/budget.ts',
    find: '  return in_effect || ends_on === null ? null : lastOfMonth(ends_on);',
    replace: '  return ends_on === null ? null : lastOfMonth(ends_on);',
    caughtBy: ['test/figures/budget-end.test.ts'],
  },
  'one-day-webhook': {
    rule: 'a budget that was passed after its end is told',
    file: 'src/run/worker/ended-budgets.ts',
    find: '  return over.filter(({ initiative_id }) => within.has(initiative_id)).map(passed);',
    replace: '  return over.filter(() => within.size < 0).map(passed);',
    caughtBy: ['test/run/worker/ended-budgets.test.ts'],
  },
  'one-duration-record': {
    rule: '/night tells the duration that the build told',
    file: 'src/run/builders/attempt-recorder.ts',
    find: '    const ended_at = instant(before.began_at + BigInt(event.ms) * MICROSECONDS_PER_MILLISECOND);',
    replace: '    const ended_at = instant(PACE.now());',
    caughtBy: ['test/run/builders/attempt-recorder.test.ts'],
  },
  'one-duration-status': {
    rule: 'status tells the duration of the build, not of its job',
    file: 'src/ops/night-status.ts',
    find: "      case when jsonb_typeof(output -> 'ms') = 'number' then (output ->> 'ms')::float8 / 1000",
    replace: "      case when jsonb_typeof(output -> 'ms') = 'text' then (output ->> 'ms')::float8 / 1000",
    caughtBy: ['test/ops/night-status.test.ts'],
  },
};
