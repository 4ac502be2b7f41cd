/** Decides which rows of the ledger a load is missing, and which of those it deletes. */
import type { Client } from 'pg';
import { type LoadTable, accountColumn } from './catalogue.ts';
import { type Missing, accountsOf } from './merge.ts';
import type { LoadMode } from './mode.ts';
import type { StagedFile } from './stage.ts';

export interface MissingPlan {
  /** Rows to delete, their tables in key order. */
  readonly deletes: readonly Missing[];
  /** Rows to count and leave. */
  readonly lists: readonly Missing[];
}

interface PlanInput {
  readonly mode: LoadMode;
  readonly deletes: boolean;
  readonly accounts: readonly bigint[] | null;
  readonly files: readonly StagedFile[];
  /** All loadable tables, in key order. */
  readonly tables: readonly LoadTable[];
}

/** True for rows that belong to an account: only those are ever deleted. People, rates and catalogues are shared. */
export function canMiss(table: LoadTable): boolean {
  return accountColumn(table) === 'account_id';
}

// Whoever belongs to other accounts only is missing from nothing.
const PEOPLE = new Set(['users', 'user_emails']);

/** What to delete and what to count; nothing in insert mode, where a file says only what is new. */
export async function planMissing(client: Client, input: PlanInput): Promise<MissingPlan> {
  if (input.mode === 'insert') return { deletes: [], lists: [] };
  const deletes: Missing[] = [];
  const lists: Missing[] = [];
  for (const table of input.tables) {
    const staged = input.files.find((file) => file.table === table);
    // An account that has no row in a file is not the file's to judge, unless the load is that account's.
    const accounts = input.accounts ?? (staged === undefined ? [] : await accountsOf(client, staged));
    if (input.deletes && canMiss(table) && (staged !== undefined || input.mode === 'replace-account')) {
      deletes.push({ table, staged, accounts });
    } else if (staged !== undefined && table.name !== 'accounts' && !PEOPLE.has(table.name)) {
      lists.push({ table, staged, accounts: canMiss(table) ? accounts : null });
    }
  }
  return { deletes, lists };
}
