/**
 * Ties a load out: rows and sums by currency of each file, as the file has them and as the ledger has them, and against what
 * the person expected of them.
 */
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { readStatement } from '../../database/columns.ts';
import { shownCents } from '../../format.ts';
import { tableName } from '../staging/catalogue.ts';
import type { LoadTable } from '../staging/load-table.ts';
import type { Expected, Sums } from '../staging/mode.ts';
import { sameKey } from './rows.ts';
import type { StagedFile } from '../staging/staged-file.ts';

const AMOUNT = 'amount_cents';

/** A file of the load with its rows and sums, as the ledger has them too. */
export interface TiedFile {
  /** The name of the person's own file. */
  readonly file: string;
  readonly rows: number;
  /** Null for a table without amounts. */
  readonly sums: Sums | null;
}

/** The rows and sums of a file as the ledger has them. Throws if they are not those of the file. */
export async function tieOut(client: Client, staged: StagedFile, file: string): Promise<TiedFile> {
  const { table, rowCount, sums } = staged;
  if (!holdsAmounts(table)) return { file, rows: rowCount, sums: null };
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select t.currency::text as currency, count(*)::int4 as rows, sum(t.${AMOUNT})::text as cents
      from ${staged.rows} r join ${tableName(table)} t on ${sameKey(table, 't', 'r')}
      group by 1 order by 1`,
    columns: { currency: 'text?', rows: 'int4', cents: 'text?' },
  });
  const written = new Map(
    rows.flatMap(({ currency, cents }) => (cents === null ? [] : [[currency ?? '', BigInt(cents)] as const])),
  );
  const count = rows.reduce((sum, each) => sum + each.rows, 0);
  // A currency that a file leaves out is that of the row in the ledger, or the default.
  const isNamed = sums !== null && !sums.has('');
  if (count !== rowCount || (isNamed && shown(sums) !== shown(written))) {
    throw new CrossfootError(
      'load_not_tied',
      `${file} has ${line(rowCount, sums)}, and the ledger got ${line(count, written)}; nothing was loaded.`,
      { hint: 'This is a fault of the program. Keep the file, and tell its makers.' },
    );
  }
  return { file, rows: count, sums: written };
}

/** Throws if the files do not hold what was expected of them together; `name` says which files these are. */
export function requireExpected(name: string, files: readonly TiedFile[], expected: Expected): void {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const sums = new Map<string, bigint>();
  for (const [currency, cents] of files.flatMap((file) => [...(file.sums ?? [])]))
    sums.set(currency, (sums.get(currency) ?? 0n) + cents);
  const faults = [
    ...(expected.rows === null || expected.rows === rows
      ? []
      : [`rows: expected ${expected.rows}, found ${rows}${byFile(files)}`]),
    // If one currency is named, each currency of the files must be.
    ...[...new Set([...expected.sums.keys(), ...(expected.sums.size === 0 ? [] : sums.keys())])]
      .map((currency) => ({ currency, wanted: expected.sums.get(currency), found: sums.get(currency) }))
      // An export without rows expects 0.00 of a currency that its file does not have.
      .filter(({ wanted, found }) => (wanted === 0n ? (found ?? 0n) : found) !== wanted)
      .map(
        ({ currency, wanted, found }) =>
          `${currency}: expected ${shownSum(wanted)}, found ${shownSum(found)}`,
      ),
  ];
  if (faults.length === 0) return;
  throw new CrossfootError('load_unexpected', `${name}: ${faults.join('; ')}; nothing was loaded.`, {
    hint: 'Compare the files with their source. A row may be missing, twice, or changed.',
  });
}

/** The rows of each file, if there are several: people may have counted only those with amounts. */
function byFile(files: readonly TiedFile[]): string {
  if (files.length < 2) return '';
  return ` (${files.map(({ file, rows }) => `${file} ${rows}`).join(', ')})`;
}

/** The line of a file, such as `cost_entries.csv: 3 rows, 100.00 USD in the file and in the ledger`. A dry run changes no ledger. */
export function tiedLine(
  { file, rows, sums }: TiedFile,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): string {
  return `${file}: ${line(rows, sums)} in the file${dryRun ? ', and as much would be' : ' and'} in the ledger`;
}

function holdsAmounts(table: LoadTable): boolean {
  return [AMOUNT, 'currency'].every((name) => table.columns.some((column) => column.name === name));
}

function line(rows: number, sums: Sums | null): string {
  return [`${rows} ${rows === 1 ? 'row' : 'rows'}`, ...(sums === null ? [] : [shown(sums)])]
    .filter((part) => part !== '')
    .join(', ');
}

function shown(sums: Sums): string {
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, cents]) => `${shownCents(cents)} ${currency === '' ? 'without a currency' : currency}`)
    .join(', ');
}

function shownSum(cents: bigint | undefined): string {
  return cents === undefined ? 'none' : shownCents(cents);
}
