/**
 * Every table that a build reads, through views and selects or straight. A build locks them all before it takes its
 * snapshot, because a table rewritten after that would read as empty without an error. A test holds this list to
 * what the views and selects really read.
 */
export const SOURCE_TABLES: readonly string[] = [
  'ledger.accounting_months',
  'ledger.accounts',
  'ledger.ai_spend_links',
  'ledger.approval_decisions',
  'ledger.bill_shares',
  'ledger.books_accounts',
  'ledger.budget_versions',
  'ledger.card_charges',
  'ledger.connections',
  'ledger.cost_entries',
  'ledger.document_citations',
  'ledger.documents',
  'ledger.euro_reference_rates',
  'ledger.formula_versions',
  'ledger.formulas',
  'ledger.initiatives',
  'ledger.memberships',
  'ledger.metrics',
  'ledger.observations',
  'ledger.platforms',
  'ledger.portfolio_decisions',
  'ledger.provider_bills',
  'ledger.time_studies',
  'ledger.users',
  'ledger.value_entries',
  'ledger.vendor_bills',
  'ledger.vendors',
];
