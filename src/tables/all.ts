import { accounting_periods } from './accounting_periods.ts';
import { ai_spend } from './ai_spend.ts';
import { approval_decisions } from './approval_decisions.ts';
import { budget_vs_actual } from './budget_vs_actual.ts';
import { budgets } from './budgets.ts';
import { costs } from './costs.ts';
import type { FileSet } from './file-set.ts';
import { initiatives } from './initiatives.ts';
import { metric_readings } from './metric_readings.ts';
import { portfolio_decisions } from './portfolio_decisions.ts';
import { reported_totals } from './reported_totals.ts';
import { reported_value } from './reported_value.ts';
import { snapshot } from './snapshot.ts';
import type { Table } from './table.ts';
import { value_inputs } from './value_inputs.ts';
import { value_supporting_documents } from './value_supporting_documents.ts';

/** Every reporting table by its name, in published order. */
const tables = {
  snapshot,
  initiatives,
  reported_value,
  value_inputs,
  value_supporting_documents,
  metric_readings,
  costs,
  approval_decisions,
  budgets,
  budget_vs_actual,
  portfolio_decisions,
  accounting_periods,
  ai_spend,
  reported_totals,
};

/** The reporting tables by their names, with the types of their columns. */
export type Reporting = typeof tables;

/** Every reporting table, in published order. */
export const TABLES: readonly Table[] = Object.values(tables);

const byName: ReadonlyMap<string, Table> = new Map(TABLES.map((table) => [table.name, table]));

/** The table of that published name; undefined if there is none. */
export function tableNamed<Name extends keyof Reporting>(name: Name): Reporting[Name];
export function tableNamed(name: string): Table | undefined;
export function tableNamed(name: string): Table | undefined {
  return byName.get(name);
}

/** The reporting tables as a set of files. Their report is one of several files that the manifest lists beside them. */
export const REPORTING = {
  name: 'tables',
  tables: TABLES,
  called: 'reporting table',
  folder: '',
  checks: 'audit',
  control: 'control',
  report: 'audit.json',
  served: true,
  queued: false,
} as const satisfies FileSet;
