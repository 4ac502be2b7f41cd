/** A staged file: its rows are in the database, where later steps check and merge them. */
import type { Client } from 'pg';
import { shownCents } from '../../format.ts';
import type { LoadFaults } from './faults.ts';
import type { LoadColumn, LoadTable } from './load-table.ts';
import type { Sums } from './mode.ts';

/** A file whose rows are in the database: as text in `stage` and, once checked, typed in `rows`. */
export interface StagedFile {
  readonly file: string;
  readonly table: LoadTable;
  /** The columns of the file, in its order. */
  readonly given: readonly LoadColumn[];
  readonly stage: string;
  readonly rows: string;
  readonly rowCount: number;
  readonly lastLine: number;
  /** The source of rows that have a `source_ref` and no id; null for rows with an id. */
  readonly source: string | null;
  /** True if rows were left out: they have faults, or name rows that have. The load is refused, so nothing is lost. */
  readonly isPart: boolean;
  /** The sums of the file by currency; null if it has no amounts, or amounts that only the database can read. */
  readonly sums: Sums | null;
  /** The columns of cents that the file has as amounts with decimals. */
  readonly amounts: ReadonlySet<string>;
  /** For each column of the table that a column of another name fills: that name in the file. */
  readonly names: ReadonlyMap<string, string>;
}

/** The name of a column in the file. */
export function nameInFile({ names }: StagedFile, column: string): string {
  return names.get(column) ?? column;
}

/** A staged cell for people: an amount has the name and the decimals that the file gives it. */
export function shownCell(
  staged: StagedFile,
  column: string,
  value: string | null,
): { readonly column: string; readonly value: string | null } {
  const name = nameInFile(staged, column);
  if (!staged.amounts.has(name)) return { column: name, value };
  const isWhole = value !== null && /^-?\d+$/.test(value);
  return { column: name.slice(0, -'_cents'.length), value: isWhole ? shownCents(BigInt(value)) : value };
}

/** The file without the rows that have faults, so that its other rows can be checked further. */
export async function withoutFaults(
  client: Client,
  staged: StagedFile,
  faults: LoadFaults,
): Promise<StagedFile> {
  const lines = faults.linesOf(staged.file);
  if (lines.length === 0) return staged;
  await client.query(`delete from ${staged.stage} where _line = any ($1)`, [lines]);
  return { ...staged, isPart: true };
}
