/** Writes checked rows in the only order that the ledger's triggers accept for every valid load. */
import type { Client } from 'pg';
import { hasSqlState, SQLSTATE_CLASS } from '../../postgres-errors.ts';
import { recordApprovals } from '../identity/approvals.ts';
import { refuseCarried } from './carried-rows.ts';
import type { LoadTable } from '../staging/load-table.ts';
import type { LoadFaults } from '../staging/faults.ts';
import {
  type Missing,
  type MergePart,
  countMissing,
  deleteMissing,
  insertNew,
  refuseChanged,
  updateChanged,
} from './merge.ts';
import { refusedLoad } from '../staging/refusals.ts';
import type { StagedFile } from '../staging/staged-file.ts';

/** The outcome for one table's rows. */
export interface LoadedTable {
  readonly table: string;
  inserted: number;
  updated: number;
  /** Rows of the file that equal the ledger's. */
  unchanged: number;
  deleted: number;
  /** Rows of the ledger that are not in the file and were not deleted. */
  missing: number;
  /** The first keys of the missing rows; the columns of a key are separated by a slash. */
  missingKeys: readonly string[];
  /** Approvals that the load recorded for approved value entries. */
  approvals: number;
}

export interface WritePlan {
  /** In key order. */
  readonly files: readonly StagedFile[];
  /** Rows to delete, in key order of their tables. */
  readonly deletes: readonly Missing[];
  /** Rows to count only. */
  readonly lists: readonly Missing[];
  /** All loadable tables. */
  readonly tables: readonly LoadTable[];
  readonly faults: LoadFaults;
  readonly onTable: (table: string, rows: number) => void;
}

const MONTHS = 'accounting_months';
const VENDORS = 'vendors';
const LOCKED = `r.status = 'locked'`;
const UNLOCKED = `r.status <> 'locked'`;

/**
 * Writes everything, and adds a fault for each refused row. The order:
 *
 * 1. Months that are open after the load, so that their entries can be written.
 * 2. All vendors, because a cost entry would create a missing vendor.
 * 3. Changes, before deletions: a row that stops referencing a deleted row must not be deleted with it.
 * 4. Deletions, referencing tables first, before new rows, which may reuse unique values.
 * 5. New rows, referenced tables first.
 * 6. Approvals of value entries, after the decisions of the files.
 * 7. Months that are locked after the load, because entries of a locked month cannot be written.
 */
export async function writeRows(client: Client, plan: WritePlan): Promise<readonly LoadedTable[]> {
  const { faults } = plan;
  const results = new Map<string, LoadedTable>();
  const resultOf = ({ name }: LoadTable): LoadedTable => {
    const found = results.get(name) ?? empty(name);
    results.set(name, found);
    return found;
  };
  const update = async (part: MergePart): Promise<void> => {
    resultOf(part.staged.table).updated += await updateChanged(client, part, faults);
  };
  const insert = async (part: MergePart): Promise<void> => {
    resultOf(part.staged.table).inserted += await insertNew(client, part, faults);
  };
  const named = (name: string): readonly StagedFile[] =>
    plan.files.filter(({ table }) => table.name === name);
  const others = plan.files.filter(({ table }) => table.name !== MONTHS && table.name !== VENDORS);

  for (const staged of named(MONTHS)) await update({ staged, only: UNLOCKED });
  for (const staged of named(VENDORS)) {
    await update({ staged });
    await insert({ staged });
  }
  for (const staged of others) await update({ staged });
  for (const missing of plan.deletes.toReversed()) {
    resultOf(missing.table).deleted += await deleteRows(client, missing, plan);
  }
  for (const staged of others) {
    if (staged.table.immutable) await refuseChanged(client, staged, faults);
    await insert({ staged });
    plan.onTable(staged.table.name, staged.rowCount);
  }
  for (const staged of named('value_entries')) {
    resultOf(staged.table).approvals = await recordApprovals(client, staged, faults);
  }
  for (const staged of named(MONTHS)) {
    await insert({ staged, only: UNLOCKED });
    await update({ staged, only: LOCKED });
    await insert({ staged, only: LOCKED });
  }
  for (const staged of plan.files) {
    const result = resultOf(staged.table);
    result.unchanged = staged.rowCount - result.inserted - result.updated;
  }
  for (const missing of plan.lists) {
    const { count, keys } = await countMissing(client, missing);
    Object.assign(resultOf(missing.table), { missing: count, missingKeys: keys });
  }
  return [...results.values()].toSorted((a, b) => (a.table < b.table ? -1 : 1));
}

/** Deletes rows; adds a fault if rows of the table are never deleted, or if the ledger refuses. */
async function deleteRows(
  client: Client,
  missing: Missing,
  { files, faults, tables }: WritePlan,
): Promise<number> {
  const { name, immutable, key } = missing.table;
  if (immutable) {
    const { keys } = await countMissing(client, missing);
    const expected = 'every row that the ledger has: those of this table are never deleted';
    for (const value of keys)
      faults.add({ file: `${name}.csv`, line: null, column: key.join('/'), value, expected });
    return 0;
  }
  if (await refuseCarried(client, missing, { tables, faults })) return 0;
  await client.query('savepoint deletion');
  try {
    return await deleteMissing(client, missing);
  } catch (error) {
    if (!hasSqlState(error, SQLSTATE_CLASS.integrity_constraint_violation)) throw error;
    await client.query('rollback to savepoint deletion');
    faults.add(await refusedLoad(client, files, error, name));
    return 0;
  }
}

function empty(table: string): LoadedTable {
  return {
    table,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    missing: 0,
    missingKeys: [],
    approvals: 0,
  };
}
