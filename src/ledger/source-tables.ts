/**
 * Every table that a build reads, through views and selects or straight. A build locks them all before it takes its
 * snapshot, because a table rewritten after that would read as empty without an error. A test holds this list to
 * what the views and selects really read.
 */
export const SOURCE_TABLES: readonly string[] = [
  'ledger.accounting_months',
  'ledger.accounts',
  'ledger.approval_decisions',
  'ledger.books_accounts',
  'ledger.connections',
  'ledger.cost_entries',
  'ledger.euro_reference_rates',
  'ledger.formula_versions',
  'ledger.formulas',
  'ledger.initiatives',
  'ledger.memberships',
  'ledger.platforms',
  'ledger.users',
  'ledger.value_entries',
];
