/** Writes the refused rows of a load as CSV, each with its reason, so that a person can correct and load them again. */
import type { LoadFolder } from '../sources/inputs.ts';
import type { LoadFault } from '../staging/faults.ts';

/** The tables of schema `vault` that can be loaded: no cell of their rows is written down, except keys. */
const SECRETS = ['user_emails.csv', 'connection_secrets.csv', 'document_contents.csv'];
const KEY = /^(?:.+_)?id$/;
const PLACE = ['file', 'line', 'column', 'reason'];

/**
 * The lines of the CSV file. Each fault is a row: its place, its reason, and the cells of the refused row under the columns
 * of the refused file. `faults` must be sorted by file and line, so that only one row at a time is in memory.
 */
export async function* rejectedRows(
  folder: LoadFolder,
  faults: readonly LoadFault[],
): AsyncGenerator<string> {
  const names = new Map(folder.names.map((name) => [folder.shown(name), name]));
  const files = Map.groupBy(faults, ({ file }) => names.get(file) ?? null);
  const headers = new Map<string | null, readonly string[]>();
  for (const name of files.keys()) headers.set(name, await headerOf(folder, name));
  const columns = [...new Set([...headers.values()].flat())];
  yield csvLine([...PLACE, ...columns]);
  for (const [name, own] of files) {
    const header = headers.get(name) ?? [];
    for await (const [{ file, line, column, value, expected }, cells] of withCells(folder, name, own)) {
      const found = value === null ? 'empty' : JSON.stringify(value);
      const place = [file, line === null ? '' : String(line), column ?? '', `${found}, expected ${expected}`];
      const shown = new Map(cells.map((cell, at) => shownCell(name, header[at], cell)));
      yield csvLine([...place, ...columns.map((each) => shown.get(each) ?? '')]);
    }
  }
}

async function headerOf(folder: LoadFolder, name: string | null): Promise<readonly string[]> {
  for await (const { cells } of rowsOf(folder, name)) return cells.map((cell) => cell ?? '');
  return [];
}

type Cells = readonly (string | null)[];

/** Each fault of a file with the cells of its row; none for a fault of the whole file or of its header. */
async function* withCells(
  folder: LoadFolder,
  name: string | null,
  faults: readonly LoadFault[],
): AsyncGenerator<readonly [LoadFault, Cells]> {
  const left = faults.values();
  let next = left.next();
  let inHeader = true;
  for await (const { line, cells } of rowsOf(folder, name)) {
    // The first object of JSON lines stands on the line of the header, too: the next row takes the faults of that line.
    if (inHeader) {
      inHeader = false;
      continue;
    }
    for (; next.done !== true && (next.value.line ?? 0) <= line; next = left.next()) {
      yield [next.value, next.value.line === line ? cells : []];
    }
    if (next.done === true) return;
  }
  for (; next.done !== true; next = left.next()) yield [next.value, []];
}

/** Reads the file again. Standard input gives no rows, and a broken file gives those before the fault. */
async function* rowsOf(folder: LoadFolder, name: string | null) {
  if (name === null || folder.shown(name) === 'standard input') return;
  try {
    yield* folder.rows(name);
  } catch {
    // The fault of the file says where it breaks off.
  }
}

function shownCell(file: string | null, column = '', cell: string | null = null): [string, string] {
  const isSecret = file !== null && SECRETS.includes(file) && !KEY.test(column);
  return [column, isSecret && cell !== null ? '(not shown)' : (cell ?? '')];
}

function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\n`;
}
