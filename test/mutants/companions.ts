/** The rows beside the reporting tables: the companion tables and the file of FOCUS, their audit, and lists as of a snapshot. */
import type { Mutants } from './mutant.ts';

export const COMPANION_TABLES: Mutants = {
  'companions-entries-of-the-initiative': {
    rule: 'the entries of an initiative as of a snapshot are its own, not those of other initiatives',
    file: 'src/serve/live/snapshot-lists.ts',
    find: 'if (owner !== initiative_id) continue;\n      const start = cellAt(starts, row);',
    replace:
      'if (owner !== initiative_id && starts[row] !== null) continue;\n      const start = cellAt(starts, row);',
    caughtBy: ['test/serve/live/snapshot-lists.test.ts'],
  },
  'companions-filter-without-a-value': {
    rule: 'a filter shows only the rows that have the value, not those that have none',
    file: 'src/serve/live/snapshot-lists.ts',
    find: 'return [{ column: name, holds: (value) => value === wanted }];',
    replace: 'return [{ column: name, holds: (value) => value === wanted || value === null }];',
    caughtBy: ['test/serve/live/snapshot-lists.test.ts'],
  },
  'companions-empty-table': {
    rule: 'a companion table that is empty although the ledger has rows refuses the snapshot',
    file: 'schema/companions/audit/20-check-control.sql',
    find: 'where expected.content is distinct from found.content',
    replace: 'where expected.content <> found.content',
    caughtBy: ['test/snapshot/audit/companions.test.ts'],
  },
  'companions-spend-of-an-initiative': {
    rule: 'an initiative whose spend is missing from api_budget_spend refuses the snapshot',
    file: 'schema/companions/audit/22-check-spend.sql',
    find: 'and b.capex_actual_cents + b.opex_actual_cents + b.spent_before_budget_cents <> coalesce(spent.cents, 0)\norder by all;',
    replace:
      'and b.capex_actual_cents + b.opex_actual_cents + b.spent_before_budget_cents <> spent.cents\norder by all;',
    caughtBy: ['test/snapshot/audit/companions.test.ts'],
  },
  'companions-later-snapshot': {
    rule: 'a companion row of another snapshot refuses the snapshot, also of a later one',
    file: 'schema/companions/audit/23-each-check-snapshot-ids.sql',
    find: 'where snapshot_id not in (select snapshot_id from snapshot)',
    replace: 'where snapshot_id < (select min(snapshot_id) from snapshot)',
    caughtBy: ['test/snapshot/audit/companions.test.ts'],
  },
  'companions-text-agrees': {
    rule: 'a text that a companion and its reporting table both have must be equal',
    file: 'src/tables/companion-table.ts',
    find: 'if (its === undefined) return [];',
    replace: "if (its === undefined || kind === 'text') return [];",
    caughtBy: ['test/snapshot/audit/companions.test.ts'],
  },
  'companions-all-agree': {
    rule: 'each part of a template is repeated for every table: all companions agree with their reporting tables',
    file: 'src/snapshot/audit/script.ts',
    find: 'if (index % 2 === 0) return piece;',
    replace: 'if (index !== 1) return piece;',
    caughtBy: ['test/snapshot/audit/script.test.ts'],
  },
  'companions-focus-last-day': {
    rule: 'a cost without a first day has no period: its charge ends with the day on which it was created',
    file: 'src/tables/focus.ts',
    find: 'const LAST_DAY = `coalesce(case when period_start is not null then period_end end, ${DAY})`;',
    replace: 'const LAST_DAY = `coalesce(period_end, ${DAY})`;',
    caughtBy: ['test/snapshot/audit/focus.test.ts'],
  },
  'companions-focus-undated': {
    rule: 'the charge of a cost without a period is dated on the UTC day on which the entry was created',
    file: 'src/tables/focus.ts',
    find: 'const DAY = "coalesce(period_start, (created_at at time zone \'UTC\')::date)";',
    replace: 'const DAY = "coalesce(period_start, period_end, (created_at at time zone \'UTC\')::date)";',
    caughtBy: ['test/snapshot/audit/focus.test.ts'],
  },
  'companions-focus-fewer-dollars': {
    rule: 'a FOCUS file whose dollars are less than reported_totals says refuses the snapshot',
    file: 'schema/focus/23-check-dollars.sql',
    find: 'where cents <> cost_cents',
    replace: 'where cents > cost_cents',
    caughtBy: ['test/snapshot/audit/focus.test.ts'],
  },
  'companions-focus-account': {
    rule: 'a FOCUS file that names another account refuses the snapshot',
    file: 'schema/focus/24-check-snapshot.sql',
    find: "where (x_SnapshotId, BillingAccountId, BillingAccountName) not in (\n  select (snapshot_id, 'crossfoot-account-' || account_id, account_name) from snapshot",
    replace:
      'where (x_SnapshotId, BillingAccountName) not in (\n  select (snapshot_id, account_name) from snapshot',
    caughtBy: ['test/snapshot/audit/focus.test.ts'],
  },
  'companions-negative-decimals': {
    rule: 'the audit adds up the decimals of a negative amount as negative',
    file: 'schema/companions/audit/00-view-companions.sql',
    find: "if(starts_with(written, '-'), '-', '') || ",
    replace: '',
    caughtBy: ['test/schema/exact-sums.test.ts'],
  },
  'companions-list-of-nothing': {
    rule: 'a companion with rows of a list of which the ledger has none refuses the snapshot',
    file: 'schema/companions/audit/20-check-control.sql',
    find: 'from expected full join found on',
    replace: 'from expected left join found on',
    caughtBy: ['test/schema/companion-checks.test.ts'],
  },
  'companions-spend-as-compared': {
    rule: 'the audit names the spend that it compares, also what was spent before the budget began',
    file: 'schema/companions/audit/22-check-spend.sql',
    find: 'b.opex_actual_cents + b.spent_before_budget_cents)::varchar as expected',
    replace: 'b.opex_actual_cents)::varchar as expected',
    caughtBy: ['test/schema/companion-checks.test.ts'],
  },
  'companions-partial-cost': {
    rule: 'a sum of usage is partial where a row has a quantity and no cost',
    file: 'schema/companions/audit/24-check-usage-sums.sql',
    find: '(quantity is null or billed_cost is null)',
    replace: '(quantity is null)',
    caughtBy: ['test/schema/companion-checks.test.ts'],
  },
  'companions-rest-beside-files': {
    rule: 'a quantity of a file takes nothing of the cost of its bill',
    file: 'schema/companions/control/rows.sql',
    find: 'where u.account_id = :account_id and u.load_ref is null\n    group by u.bill_id',
    replace: 'where u.account_id = :account_id\n    group by u.bill_id',
    caughtBy: ['test/snapshot/audit/companions.test.ts'],
  },
  'companions-focus-blank': {
    rule: 'the audit of the FOCUS file counts the same descriptions as blank as the ledger',
    file: 'schema/focus/21-check-rows.sql',
    find: "trim(description, ' ')",
    replace: 'trim(description)',
    caughtBy: ['test/snapshot/audit/focus.test.ts'],
  },
};
