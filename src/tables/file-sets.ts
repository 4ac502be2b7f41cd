/** The sets of files of a snapshot. */
import { REPORTING } from './all.ts';
import { COMPANION_SET } from './companions.ts';
import type { FileSet } from './file-set.ts';
import { FOCUS_SET } from './focus.ts';
import { SUMS_SET } from './sums.ts';
import type { Table } from './table.ts';

/** Every set, in the order of the audit. */
export const FILE_SETS = [REPORTING, COMPANION_SET, FOCUS_SET, SUMS_SET] as const;

/** The sets beside the reporting tables. */
export const [, ...SETS_BESIDE] = FILE_SETS;

export type SetBeside = (typeof SETS_BESIDE)[number];

const byTable: ReadonlyMap<string, { readonly set: FileSet; readonly table: Table }> = new Map(
  FILE_SETS.flatMap((set) => set.tables.map((table) => [table.name, { set, table }] as const)),
);

/** The table of that name, and its set; undefined if there is none. */
export function tableInSet(name: string): { readonly set: FileSet; readonly table: Table } | undefined {
  return byTable.get(name);
}

/** True if every figure of a snapshot can be read without these files. Damage without a name may be anywhere. */
export function areDerived(files: readonly string[]): boolean {
  return files.length > 0 && files.every(isDerived);
}

function isDerived(file: string): boolean {
  const [name = ''] = file.split('.');
  const sets: readonly FileSet[] = FILE_SETS;
  return (tableInSet(name)?.set ?? sets.find(({ report }) => report === file))?.derived === true;
}

/** Every table that servers send: those of the contract, and the FOCUS file. */
export const SERVED_TABLES: readonly Table[] = FILE_SETS.flatMap(({ served, tables }) =>
  served ? tables : [],
);

/** A table of the sharing protocol. */
export interface SharedTable {
  /** Its name there. */
  readonly name: string;
  /** The table whose file it is. */
  readonly table: Table;
  /** Why a snapshot lacks it; undefined for a table that every snapshot has. */
  readonly lacking: string | undefined;
}

/** Every table of the sharing protocol: those that servers send, and what they send by this protocol alone. */
export const SHARED_TABLES: readonly SharedTable[] = FILE_SETS.flatMap(
  ({ served, tables, shared }: FileSet) =>
    tables.flatMap((table) => {
      const name = served ? table.name : shared?.names[table.name];
      return name === undefined ? [] : [{ name, table, lacking: shared?.lacking }];
    }),
);

/** The table of that name that servers send; undefined if there is none. */
export function servedTableNamed(name: string): Table | undefined {
  return SERVED_TABLES.find((table) => table.name === name);
}
