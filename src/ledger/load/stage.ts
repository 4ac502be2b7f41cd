/** Streams a file into a staging table of texts, with only a few rows in memory at a time. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { COPY_CHARACTERS, copyLine } from '../../database/copy-text.ts';
import type { LoadTable } from '../staging/load-table.ts';
import { CsvBroken, type CsvRow, PLAIN_VALUE } from '../staging/row.ts';
import { brokenFault, type LoadFaults } from '../staging/faults.ts';
import { redacted } from '../staging/redact.ts';
import { CENTS, type Header, readHeader } from './header.ts';
import type { DecimalSign } from '../staging/mode.ts';
import { type ReadCell, cellReader, holdsJson } from '../sources/cells.ts';
import { openSums } from '../sources/sums.ts';
import type { StagedFile } from '../staging/staged-file.ts';

export interface StageOptions {
  /** The file's rows, header first. They are read to the end, or closed. */
  readonly rows: AsyncGenerator<CsvRow>;
  /** The account of rows without an account column. */
  readonly account: bigint | null;
  readonly faults: LoadFaults;
  /** The sign before decimals; null: amounts must be written so that only one reading is possible. */
  readonly decimal: DecimalSign | null;
  /** Called with the number of rows read so far, after each full message to the database. */
  readonly onRows?: (rows: number) => void;
}

/** Stages one file; null if its header cannot be used. Rows with faults are omitted. */
export async function stageFile(
  client: Client,
  file: string,
  table: LoadTable,
  options: StageOptions,
): Promise<StagedFile | null> {
  const { rows } = options;
  try {
    const header = await readFirst(file, table, options);
    if (header === null) return null;
    const given = header.columns;
    const stage = `pg_temp.${escapeIdentifier(`stage_${table.name}`)}`;
    const columns = given.map((column) => escapeIdentifier(column.name));
    await client.query(
      `create temp table ${escapeIdentifier(`stage_${table.name}`)}
         (_line bigint, ${columns.map((column) => `${column} text`).join(', ')}) on commit drop`,
    );
    const seen = { rowCount: 0, lastLine: 1 };
    const copy = client.query(copyFrom(`copy ${stage} (_line, ${columns.join(', ')}) from stdin`));
    const { decimal } = options;
    const readers = given.map((column, index) =>
      cellReader(table, column, { isAmount: header.amounts.has(index), decimal }),
    );
    const amounts = openSums(given);
    const reading = { file, table, header, readers, onCells: amounts?.add, ...options };
    await pipeline(Readable.from(copyLines(reading, seen)), copy);
    await client.query(`analyze ${stage}`);
    const typed = `pg_temp.${escapeIdentifier(`rows_${table.name}`)}`;
    return {
      file,
      table,
      given,
      stage,
      rows: typed,
      ...seen,
      source: null,
      isPart: options.faults.has(file),
      sums: amounts?.sums() ?? null,
      amounts: new Set([...header.amounts].flatMap((index) => given[index]?.name ?? [])),
      names: new Map(),
    };
  } finally {
    await rows.return(undefined);
  }
}

async function readFirst(file: string, table: LoadTable, options: StageOptions): Promise<Header | null> {
  try {
    const first = await options.rows.next();
    const { cells = [], fault = null } = first.done === true ? {} : first.value;
    const header = cells.length === 0 ? null : readHeader(table, file, cells, options);
    if (options.faults.has(file) || (header !== null && fault === null)) return header;
    const { index = null, expected = 'a header row with column names' } = fault ?? {};
    const name = index === null ? null : (cells[index] ?? null);
    options.faults.add({ file, line: 1, column: name, value: name, expected });
  } catch (error) {
    noteBroken(error, file, options.faults);
  }
  return null;
}

interface Reading extends StageOptions {
  readonly file: string;
  readonly table: LoadTable;
  readonly header: Header;
  /** How the cells of each column are read. */
  readonly readers: readonly ((cell: string, isNumber: boolean) => ReadCell)[];
  readonly onCells: ((cells: readonly (string | null)[]) => void) | undefined;
}

async function* copyLines(
  reading: Reading,
  seen: { rowCount: number; lastLine: number },
): AsyncGenerator<string> {
  let batch = '';
  try {
    for await (const row of reading.rows) {
      if (reading.faults.room() === 0) break;
      seen.lastLine = row.line;
      const cells = wholeRow(row, reading);
      if (cells === null) continue;
      seen.rowCount += 1;
      reading.onCells?.(cells);
      batch += `${row.line}\t${copyLine(cells)}`;
      if (batch.length < COPY_CHARACTERS) continue;
      yield batch;
      batch = '';
      reading.onRows?.(seen.rowCount);
    }
  } catch (error) {
    noteBroken(error, reading.file, reading.faults);
  }
  if (batch !== '') yield batch;
}

/** The cells of a row for staging; null, after adding a fault, if they cannot be staged. */
function wholeRow(
  row: CsvRow,
  { file, table, header, readers, account, faults }: Reading,
): readonly (string | null)[] | null {
  const { columns, amounts, accountAdded } = header;
  const refuse = (index: number | null, expected: string): null => {
    // A cell too many stands beyond the columns of the file, where a load adds its account.
    const isBeyond = accountAdded && index === columns.length - 1;
    const name = index === null || isBeyond ? null : (columns[index]?.name ?? null);
    const column = index !== null && amounts.has(index) ? (name?.slice(0, -CENTS.length) ?? null) : name;
    const value = index === null ? null : redacted(table, column, row.cells[index]);
    faults.add({ file, line: row.line, column, value, expected });
    return null;
  };
  if (row.fault !== undefined) return refuse(row.fault.index, row.fault.expected);
  const nested = row.nested?.values().find((index) => columns[index] && !holdsJson(columns[index]));
  if (nested !== undefined) return refuse(nested, PLAIN_VALUE);
  const cells: (string | null)[] = [];
  for (const [index, cell] of row.cells.entries()) {
    const read = cell === null ? null : (readers[index]?.(cell, row.numbers?.has(index) === true) ?? null);
    if (typeof read === 'object' && read !== null) return refuse(index, read.expected);
    cells.push(read);
  }
  if (accountAdded) cells.push(String(account));
  return cells;
}

function noteBroken(error: unknown, file: string, faults: LoadFaults): void {
  if (!(error instanceof CsvBroken)) throw error;
  faults.add(brokenFault(file, error));
}
