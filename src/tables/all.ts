import { costs } from './costs.ts';
import { initiatives } from './initiatives.ts';
import { reported_totals } from './reported_totals.ts';
import { reported_value } from './reported_value.ts';
import { snapshot } from './snapshot.ts';
import type { Table } from './table.ts';

/** Every reporting table, in published order. */
export const TABLES: readonly Table[] = [snapshot, initiatives, reported_value, costs, reported_totals];

const byName: ReadonlyMap<string, Table> = new Map(TABLES.map((table) => [table.name, table]));

/** The table of that published name, letter for letter; undefined when there is none. */
export function tableNamed(name: string): Table | undefined {
  return byName.get(name);
}
