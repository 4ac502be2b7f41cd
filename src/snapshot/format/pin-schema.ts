/** The schema in which the snapshots of a pin are shared with warehouses and spreadsheets. */

import { meansNewest } from './snapshot-id.ts';

/** The schema of all snapshots; no pin may have its name. */
export const REPORTING_SCHEMA = 'reporting';
/** The same in a DuckLake catalogue, where `main` is what a reader sees without naming a schema. */
export const MAIN_SCHEMA = 'main';

/** The schema of a pin: schema names have no period, and do not depend on upper or lower case. */
export function schemaOfPin(name: string): string {
  return name.toLowerCase().replaceAll('.', '-');
}

/** Why a pin of this name would clash with the newest snapshot, the schema of all, or another pin; null if it does not. */
export function pinClash(name: string, others: Iterable<string>): string | null {
  if (meansNewest(name)) return `${name} means the newest snapshot. Choose another name.`;
  const schema = schemaOfPin(name);
  if (schema === REPORTING_SCHEMA || schema === MAIN_SCHEMA) {
    return `${schema} is the schema in which every snapshot is shared. Choose another name.`;
  }
  for (const other of others) {
    if (other !== name && schemaOfPin(other) === schema) {
      return `${name} and the pin ${other} would be shared as one schema, ${schema}. Choose another name.`;
    }
  }
  return null;
}
