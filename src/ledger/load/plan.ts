/** Finds the rows of the ledger that are missing from a load, and decides which to delete. */
import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { shownCents } from '../../format.ts';
import { accountColumn, tableName } from '../staging/catalogue.ts';
import type { LoadTable } from '../staging/load-table.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { type Missing, accountsOf, isMissing } from './merge.ts';
import type { LoadMode } from '../staging/mode.ts';
import type { StagedFile } from '../staging/staged-file.ts';

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

const ALLOWED = 'or --allow-removal';

/**
 * Adds a fault for each file that would remove rows and has none itself, or would remove over a tenth of an amount: an export
 * that failed or was cut holds no row, or only the first ones.
 */
export async function refuseRemovals(
  client: Client,
  deletes: readonly Missing[],
  faults: LoadFaults,
): Promise<void> {
  for (const missing of deletes) {
    const { staged, source, table } = missing;
    if (staged === undefined || source === null) continue;
    const hasAmounts = ['amount_cents', 'currency'].every((name) =>
      table.columns.some((column) => column.name === name),
    );
    const refuse = (value: string, expected: string): void =>
      faults.add({ file: staged.file, line: null, column: null, value, expected: `${expected}, ${ALLOWED}` });
    const sums = await removedSums(client, missing, hasAmounts);
    const rows = sums.reduce((sum, { removed_rows }) => sum + removed_rows, 0);
    if (staged.rowCount === 0 && rows > 0) {
      refuse(`no row, which removes ${rows} rows of ${source}`, 'at least one row with --complete');
      continue;
    }
    for (const { currency, removed, all } of sums) {
      if (10n * BigInt(removed) <= BigInt(all)) continue;
      const amounts = `${shownCents(BigInt(removed))} of ${shownCents(BigInt(all))} ${currency}`;
      refuse(`removes ${amounts} of ${source}`, "at most a tenth of the source's amounts");
    }
  }
}

/** What the source has and would lose, by currency; amounts count without their sign. */
async function removedSums(client: Client, missing: Missing, hasAmounts: boolean) {
  const { table, accounts, source } = missing;
  const amount = hasAmounts ? 'abs(t.amount_cents)' : '0';
  const account = accountColumn(table);
  const ofAccounts =
    accounts === null || account === null
      ? 'true'
      : `t.${escapeIdentifier(account)} = any (array[${accounts.join(', ')}]::bigint[])`;
  return await readStatement(client, {
    name: table.name,
    text: `select ${hasAmounts ? 't.currency::text' : "''"} as currency, coalesce(sum(${amount}), 0)::text as all,
        coalesce(sum(${amount}) filter (where ${isMissing(missing)}), 0)::text as removed,
        (count(*) filter (where ${isMissing(missing)}))::int4 as removed_rows
      from ${tableName(table)} t
      where t.load_source = ${escapeLiteral(source ?? '')} and ${ofAccounts}
      group by 1 order by 1`,
    columns: { currency: 'text', all: 'text', removed: 'text', removed_rows: 'int4' },
  });
}
