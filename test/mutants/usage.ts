/** What was used of bills: the shared table, and list costs beside tokens at list prices. */
import type { Mutants } from './mutant.ts';

const SHARED = ['test/serve/sharing/usage.test.ts'];
const COMPARED = ['test/figures/usage.test.ts'];

export const USAGE: Mutants = {
  'usage-ratio-once': {
    rule: 'a quantity of tokens is rounded once: 180 million stays 180 million',
    file: 'src/figures/usage.ts',
    find: 'return Number(decimalOf((a * 10n ** BigInt(PLACES)) / b));',
    replace: 'return Number((a * 10n ** BigInt(PLACES)) / b) / 10 ** PLACES;',
    caughtBy: COMPARED,
  },
  'sharing-usage-listed': {
    rule: 'a schema lists usage only where its newest version has it',
    file: 'src/serve/sharing/chosen-version.ts',
    find: '  return snapshot === null || hasTable(snapshot, shared);',
    replace: '  return true;',
    caughtBy: SHARED,
  },
  'sharing-usage-absent': {
    rule: 'a version without usage says so in words',
    file: 'src/serve/sharing/chosen-version.ts',
    find: '  if (!hasTable(snapshot, shared)) {',
    replace: '  if (lacking === undefined && !hasTable(snapshot, shared)) {',
    caughtBy: SHARED,
  },
  'sharing-usage-alone': {
    rule: 'usage is the only companion that is shared',
    file: 'src/snapshot/format/manifest.ts',
    find: '    set.served ? tables : tables.filter(({ name }) => set.shared?.names[name] !== undefined),',
    replace: '    set.served ? tables : tables,',
    caughtBy: [...SHARED, 'test/snapshot/audit/companions.test.ts'],
  },
  'sharing-usage-in-reporting': {
    rule: 'the reporting routes send no companion',
    edits: [
      {
        file: 'src/serve/reporting/table-parameter.ts',
        find: "import { servedTables, type sharedTables } from '../../snapshot/format/manifest.ts';",
        replace: "import { sharedTables as servedTables } from '../../snapshot/format/manifest.ts';",
      },
    ],
    caughtBy: SHARED,
  },
  'sharing-usage-changes': {
    rule: 'usage has no change feed',
    file: 'src/serve/sharing/changes.ts',
    find: '  return INSTEAD[name] === undefined;',
    replace: "  return name !== 'focus';",
    caughtBy: SHARED,
  },
  'list-unpriced-classes': {
    rule: 'the whole list cost of a credit, tax or correction without a price stands beside what was used',
    file: 'src/figures/usage.ts',
    find: '  if (list_cost === null || (priced_cost === null && !UNUSED.includes(cost_class))) return null;',
    replace: '  if (list_cost === null || priced_cost === null) return null;',
    caughtBy: COMPARED,
  },
  'list-unpriced-use': {
    rule: 'use without a list price is not compared',
    file: 'src/figures/usage.ts',
    find: '  if (list_cost === null || (priced_cost === null && !UNUSED.includes(cost_class))) return null;',
    replace: '  if (list_cost === null) return null;',
    caughtBy: COMPARED,
  },
  'list-not-compared': {
    rule: 'what is not compared stands apart with its billed cost',
    file: 'src/figures/usage.ts',
    find: '    not_compared: found === null ? cost : 0n,',
    replace: '    not_compared: 0n,',
    caughtBy: COMPARED,
  },
  'list-not-compared-summed': {
    rule: 'sums of usage add up what is not compared',
    file: 'src/figures/usage.ts',
    find: '    not_compared: a.not_compared + b.not_compared,',
    replace: '    not_compared: a.not_compared,',
    caughtBy: COMPARED,
  },
  'list-parts': {
    rule: 'the parts of a list cost add up to it by largest remainder',
    file: 'src/figures/usage.ts',
    find: "  const parts = spread(list_cost_cents, [total('priced'), ...rests], EXACT_CENT);",
    replace: "  const parts = [total('priced'), ...rests].map((part) => divideRounded(part, EXACT_CENT));",
    caughtBy: COMPARED,
  },
  'list-sums-in-sql': {
    rule: 'rows with a list price are compared beside rows of the same model without one',
    edits: [
      {
        file: 'schema/views/usage_sums.sql',
        find: '  u.list_cost is not null as has_list_cost,\n  u.priced_cost is not null as has_priced_cost,',
        replace: '  true as has_list_cost,\n  true as has_priced_cost,',
      },
      {
        file: 'schema/views/usage_sums.sql',
        find: '  u.account_id, bill.month, bill.currency, u.is_ai, u.model, u.unit, u.recorded, u.cost_class, u.list_cost is not null,\n  u.priced_cost is not null;',
        replace:
          '  u.account_id, bill.month, bill.currency, u.is_ai, u.model, u.unit, u.recorded, u.cost_class;',
      },
    ],
    caughtBy: ['test/ledger/focus/list-prices.test.ts'],
  },
  'assistant-usage-of-vendor': {
    rule: 'the assistant reads no usage for a vendor, which has no models',
    file: 'src/serve/assistant/get_ai_spend.ts',
    find: '(vendor === undefined ? await reads.aiUsage(days) : null)',
    replace: '(await reads.aiUsage(days))',
    caughtBy: ['test/serve/assistant/frozen-tables.test.ts'],
  },
};
