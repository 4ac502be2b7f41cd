/** Finds the rows of the ledger that are missing from a load, and decides which to delete. */
import type { Client } from 'pg';
import { type LoadTable, accountColumn } from './catalogue.ts';
import { type Missing, accountsOf } from './merge.ts';
import type { LoadMode } from './mode.ts';
import type { StagedFile } from './stage.ts';

export interface MissingPlan {
  /** Rows to delete, their tables in key order. */
  readonly deletes: readonly Missing[];
  /** Rows to count, not delete. */
  readonly lists: readonly Missing[];
}

interface PlanInput {
  readonly mode: LoadMode;
  /** True for a file, or for a table without a file, whose missing rows are deleted. */
  readonly deletesFrom: (staged: StagedFile | undefined) => boolean;
  readonly accounts: readonly bigint[] | null;
  readonly files: readonly StagedFile[];
  /** All loadable tables, in key order. */
  readonly tables: readonly LoadTable[];
}

/** True for tables whose rows belong to an account. Only those are deleted; people, rates and catalogues are shared. */
export function canMiss(table: LoadTable): boolean {
  return accountColumn(table) === 'account_id';
}

// People without a membership in the accounts of the load do not count as missing.
const PEOPLE = new Set(['users', 'user_emails']);

/** The rows to delete and the rows to count; none in insert mode, in which files hold only new rows. */
export async function planMissing(client: Client, input: PlanInput): Promise<MissingPlan> {
  if (input.mode === 'insert') return { deletes: [], lists: [] };
  const deletes: Missing[] = [];
  const lists: Missing[] = [];
  for (const table of input.tables) {
    const staged = input.files.find((file) => file.table === table);
    // An account without a row in a file has no missing rows, unless the load is for that account.
    const accounts = input.accounts ?? (staged === undefined ? [] : await accountsOf(client, staged));
    // In mode replace-account only rows of the files stay. In other modes, a file without ids replaces rows of its source only.
    const source = input.mode === 'replace-account' ? null : (staged?.source ?? null);
    if (canMiss(table) && input.deletesFrom(staged)) {
      deletes.push({ table, staged, accounts, source });
    } else if (staged !== undefined && table.name !== 'accounts' && !PEOPLE.has(table.name)) {
      lists.push({ table, staged, accounts: canMiss(table) ? accounts : null, source });
    }
  }
  return { deletes, lists };
}
