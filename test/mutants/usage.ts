/** What was used of bills: unchanged bills, the shared table, and list costs beside tokens at list prices. */
import type { Mutants } from './mutant.ts';

const SHARED = ['test/serve/sharing/usage.test.ts'];
const UNCHANGED = ['test/ledger/focus/unchanged-usage.test.ts'];
const COMPARED = ['test/figures/usage.test.ts'];

export const USAGE: Mutants = {
  'usage-unchanged-beside': {
    rule: 'a bill that did not change is left alone, also beside a changed bill',
    file: 'src/ledger/focus/usage-rows.ts',
    find: `    where not coalesce(p.is_same and p.rows = n.rows and p.rows = o.rows and p.cents = b.amount_cents
       and coalesce(p.is_spread, true), false)`,
    replace: `    where exists (
       select from pg_temp.written_bills w left join pairs q on q.id = w.id
       where not coalesce(q.is_same and q.cents = w.amount_cents, false))`,
    caughtBy: ['test/ledger/focus/unchanged-usage.test.ts'],
  },
  'usage-unchanged-numbers': {
    rule: 'a bill of which a quantity or cost differs is written anew',
    file: 'src/ledger/focus/usage-rows.ts',
    find: 'n.bill_id = o.bill_id and ${equal(NUMBERS)} and o.cents',
    replace: 'n.bill_id = o.bill_id and o.cents',
    caughtBy: UNCHANGED,
  },
  'usage-unchanged-between': {
    rule: 'a row of an unchanged bill has its cents rounded down or up',
    file: 'src/ledger/focus/usage-rows.ts',
    find: 'and o.cents - o.whole in (0, 1), false))',
    replace: 'and o.cents is not null, false))',
    caughtBy: UNCHANGED,
  },
  'usage-unchanged-read-once': {
    rule: 'rows that are kept twice are written anew as one',
    file: 'src/ledger/focus/usage-rows.ts',
    find: 'p.is_same and p.rows = n.rows and',
    replace: 'p.is_same and',
    caughtBy: UNCHANGED,
  },
  'usage-unchanged-kept-once': {
    rule: 'a key that was read in two parts is added up',
    file: 'src/ledger/focus/usage-rows.ts',
    find: 'p.rows = o.rows and p.cents',
    replace: 'p.cents',
    caughtBy: UNCHANGED,
  },
  'usage-unchanged-cents': {
    rule: 'a bill whose rows do not add up to its cents is written anew',
    file: 'src/ledger/focus/usage-rows.ts',
    find: 'p.rows = o.rows and p.cents = b.amount_cents',
    replace: 'p.rows = o.rows',
    caughtBy: UNCHANGED,
  },
  'usage-unchanged-spread': {
    rule: 'a bill whose cents are not spread by largest remainder is written anew',
    file: 'src/ledger/focus/usage-rows.ts',
    find: '       and coalesce(p.is_spread, true), false)`,',
    replace: '       , false)`,',
    caughtBy: UNCHANGED,
  },
  'usage-written-in-turn': {
    rule: 'sums are written one batch after the other',
    file: 'src/ledger/focus/usage-sums.ts',
    find: '    await written;\n    written = write(sums.values());',
    replace: '    written = write(sums.values());',
    caughtBy: UNCHANGED,
  },
  'usage-written-whole': {
    rule: 'the end waits until all sums are written',
    file: 'src/ledger/focus/usage-sums.ts',
    find: '      await flush();\n      await written;',
    replace: '      await flush();',
    caughtBy: UNCHANGED,
  },
  'copy-escapes': {
    rule: 'a tab in a cell ends no cell of COPY',
    file: 'src/database/copy-text.ts',
    find: 'return SPECIAL.test(cell) ?',
    replace: "return cell === '' ?",
    caughtBy: ['test/database/copy-text.test.ts'],
  },
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
  'usage-model-in-its-currency': {
    rule: 'the assistant adds the use of a model in one currency alone',
    file: 'src/serve/assistant/get_ai_spend.ts',
    find: "groupUsage(used, ['currency', 'model', 'unit', 'recorded'])",
    replace: "groupUsage(used, ['model', 'unit', 'recorded'])",
    caughtBy: ['test/serve/frozen/used-models.test.ts'],
  },
  'usage-partial-of-two-tags': {
    rule: 'a sum of use is unknown where a charge of another tag does not say it',
    file: 'src/ledger/focus/usage-rows.ts',
    find: '(column) => `case when count(*) = count(r.${column}) then sum(r.${column}) end as ${column}`,',
    replace: '(column) => `sum(r.${column}) as ${column}`,',
    caughtBy: ['test/ledger/focus/usage.test.ts'],
  },
};
