/** The rows of a reporting table as a build reads them: its select, run by the reader inside the account. */
import { tableSelect } from '../../src/ledger/moment/table-select.ts';
import type { ViewLedger } from './ledger-harness.ts';

type Cells = Readonly<Record<string, unknown>>;

/** Every row of the table, in its order. */
export async function tableRows({ home, read }: ViewLedger, table: string): Promise<readonly Cells[]> {
  return read(tableSelect(table, { account_id: home.account, generated_at: 0n }));
}

/** The row with that value in that column, or undefined where the table has none. */
export async function tableRow(
  ledger: ViewLedger,
  table: string,
  column: string,
  value: unknown,
): Promise<Cells | undefined> {
  const rows = await tableRows(ledger, table);
  return rows.find((row) => row[column] === value);
}
