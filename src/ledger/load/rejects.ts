/** The refused rows of a load as CSV, each with its reason: to correct them in a spreadsheet and load them again. */
import type { LoadFolder } from '../sources/inputs.ts';
import type { LoadFault } from './faults.ts';

/** The tables of schema `vault` that can be loaded: no cell of their rows is written down, except keys. */
const SECRETS = ['user_emails.csv', 'connection_secrets.csv', 'document_contents.csv'];
const KEY = /^(?:.+_)?id$/;
const PLACE = ['file', 'line', 'column', 'reason'];

/** The lines of the file. Each fault is a row: where, why, and the cells of the refused row by the columns of its file. */
export async function* rejectedRows(
  folder: LoadFolder,
  faults: readonly LoadFault[],
): AsyncGenerator<string> {
  const files = folder.names.map((name) => ({ name, shown: folder.shown(name) }));
  const refused = files.filter(({ shown }) => faults.some((fault) => fault.file === shown));
  const columns: string[] = [];
  const rows = new Map<string, ReadonlyMap<string, string>>();
  for (const { name, shown } of refused) {
    const lines = new Set(faults.filter(({ file }) => file === shown).map(({ line }) => line));
    const header: string[] = [];
    for await (const { line, cells } of rowsOf(folder, name)) {
      if (header.length === 0) {
        header.push(...cells.map((cell) => cell ?? ''));
        columns.push(...header.filter((column) => !columns.includes(column)));
      } else if (lines.has(line)) {
        rows.set(
          `${shown}:${line}`,
          new Map(cells.map((cell, place) => shownCell(name, header[place], cell))),
        );
      }
    }
  }
  yield csvLine([...PLACE, ...columns]);
  for (const { file, line, column, value, expected } of faults) {
    const cells = rows.get(`${file}:${line}`);
    const found = value === null ? 'empty' : JSON.stringify(value);
    const place = [file, line === null ? '' : String(line), column ?? '', `${found}, expected ${expected}`];
    yield csvLine([...place, ...columns.map((each) => cells?.get(each) ?? '')]);
  }
}

/** Reads the file again. Standard input gives no rows, and a broken file gives those before the fault. */
async function* rowsOf(folder: LoadFolder, name: string) {
  if (folder.shown(name) === 'standard input') return;
  try {
    yield* folder.rows(name);
  } catch {
    // The fault of the file says where it breaks off.
  }
}

function shownCell(file: string, column = '', cell: string | null = null): [string, string] {
  const isSecret = SECRETS.includes(file) && !KEY.test(column);
  return [column, isSecret && cell !== null ? '(not shown)' : (cell ?? '')];
}

function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\n`;
}
