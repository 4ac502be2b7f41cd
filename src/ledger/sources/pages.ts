/** Reads folders of Markdown as if they were CSV files, so that one loader checks both. */
import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CsvRow } from '../staging/row.ts';
import type { LoadFault, LoadFaults } from '../staging/faults.ts';
import { PAGE_KINDS, type PageKind } from './page-kinds.ts';
import { type PageRow, readPageRows } from './page-rows.ts';

/** A row and the page it came from. */
interface PlacedRow extends PageRow {
  readonly file: string;
}

/** The rows and faults of a folder's Markdown. */
export interface Pages {
  /** By the name that a CSV file of the table would have; the first row counts as line 2. */
  readonly files: ReadonlyMap<string, readonly PlacedRow[]>;
  /** Faults of pages, each with the names of the files that therefore lack rows. */
  readonly faults: readonly { readonly fault: LoadFault; readonly files: readonly string[] }[];
}

/** Every page in the folders that `PAGE_KINDS` names. */
export async function readPages(folder: string): Promise<Pages> {
  const files = new Map<string, PlacedRow[]>();
  const faults: { fault: LoadFault; files: string[] }[] = [];
  for (const kind of PAGE_KINDS) {
    for (const name of await markdownFiles(join(folder, kind.folder))) {
      const file = `${kind.folder}/${name}`;
      const read = readBytes(kind, name, await readFile(join(folder, file)));
      for (const { line, field: column, value, expected } of read.faults) {
        const fault = { file, line, column, value, expected };
        faults.push({ fault, files: kind.tables.map(({ table }) => `${table}.csv`) });
      }
      for (const row of read.rows) {
        const rows = files.get(`${row.table}.csv`) ?? [];
        rows.push({ ...row, file });
        files.set(`${row.table}.csv`, rows);
      }
    }
  }
  return { files, faults };
}

/** The rows of one of these files in the form of CSV rows, header first. */
export async function* pageRows(pages: Pages, name: string): AsyncGenerator<CsvRow> {
  const table = PAGE_KINDS.flatMap(({ tables }) => tables).find((each) => `${each.table}.csv` === name);
  const columns = Object.keys(table?.columns ?? {});
  yield { line: 1, cells: columns };
  for (const [before, { cells }] of (pages.files.get(name) ?? []).entries()) {
    const row = columns.map((column) => cells.get(column)?.text ?? null);
    yield { line: before + 2, cells: row };
  }
}

/**
 * Wraps the faults, so that they name what a person knows: the real name of a file, and for a row from a page, the file and
 * line of the page.
 */
export function placeFaults(
  { pages, shown }: { readonly pages: Pages; readonly shown: (name: string) => string },
  faults: LoadFaults,
): LoadFaults {
  const unreadable = new Set(pages.faults.flatMap(({ files }) => files));
  for (const { fault } of pages.faults) faults.add(fault);
  const lines = new Map<string, number[]>();
  return {
    room: () => faults.room(),
    refuse: () => faults.refuse(),
    has: (name) => unreadable.has(name) || faults.has(shown(name)),
    linesOf: (name) => lines.get(name) ?? [],
    add: (fault) => {
      const { file, line } = fault;
      const own = lines.get(file) ?? [];
      if (line !== null) own.push(line);
      lines.set(file, own);
      const rows = pages.files.get(fault.file);
      if (rows !== undefined) unreadable.add(fault.file);
      faults.add(rows === undefined ? { ...fault, file: shown(fault.file) } : placed(rows, fault));
    },
  };
}

function placed(rows: readonly PlacedRow[], fault: LoadFault): LoadFault {
  const row = rows[(fault.line ?? 0) - 2];
  if (row === undefined) return fault;
  const lines = (fault.column ?? '').split(', ').map((column) => row.cells.get(column)?.line ?? 1);
  // Replace the line of the row with the same key, too.
  const expected = fault.expected.replace(/(?<=^a key of its own; )line (\d+)/, (all, line: string) => {
    return rows[Number(line) - 2]?.file ?? all;
  });
  return { ...fault, file: row.file, line: Math.max(...lines), expected };
}

function readBytes(kind: PageKind, name: string, bytes: Buffer): ReturnType<typeof readPageRows> {
  if (isUtf8(bytes))
    return readPageRows(kind, name.slice(0, -'.md'.length), bytes.toString('utf8').replace(/^\uFEFF/, ''));
  return { rows: [], faults: [{ line: 1, field: null, value: null, expected: 'text in UTF-8' }] };
}

/** What lies in the folders of Markdown and is no Markdown, sorted by name: no row is read from it. */
export async function besidePages(folder: string): Promise<readonly string[]> {
  const names = await Promise.all(
    PAGE_KINDS.map(async (kind) => {
      const pages = new Set(await markdownFiles(join(folder, kind.folder)));
      const entries = await entriesOf(join(folder, kind.folder));
      return entries.filter(({ name }) => !pages.has(name)).map(({ name }) => `${kind.folder}/${name}`);
    }),
  );
  return [...new Set(names.flat())].toSorted();
}

async function markdownFiles(folder: string): Promise<readonly string[]> {
  return (await entriesOf(folder))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => entry.name)
    .toSorted();
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    // The subfolder is optional. An earlier check has read the folder above it.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return [];
    throw error;
  });
}
