/** Finds the files to load: named files, the files in named folders, and standard input. */
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { CrossfootError } from '../../errors.ts';
import type { CsvRow } from '../staging/row.ts';
import { PAGE_KINDS } from './page-kinds.ts';
import { besidePages, type Pages, pageRows, readPages } from './pages.ts';
import { ENDINGS } from './forms.ts';
import { type FindOptions, findFiles, isFolder } from './find-files.ts';
import type { ForeignParquet } from './parquet.ts';
import { type OpenFile, openReading } from './reading.ts';

const STANDARD_INPUT = '-';

/** The files of a load, each as if it were the CSV file of its table. */
export interface LoadFolder {
  /** The names as if all were CSV files, sorted: `users.csv` is the name of `users.ndjson`, too. */
  readonly names: readonly string[];
  /** The names that several files have, or a file and a folder of Markdown. */
  readonly twice: readonly string[];
  readonly pages: Pages;
  /** The real name of the file with one of these names, for messages; all names if several files have it. */
  readonly shown: (name: string) => string;
  /** The rows of the file with one of these names, header first. */
  readonly rows: (name: string) => AsyncGenerator<CsvRow>;
  /** The control line beside the file with one of these names; null if there is none. */
  readonly control?: (name: string) => string | null;
}

export interface InputOptions extends FindOptions {
  /** The table of standard input, or of the only file. */
  readonly table?: string;
  readonly stdin?: Readable;
}

interface Input {
  readonly name: string;
  readonly shown: string;
  readonly control: string | null;
  readonly rows: () => AsyncGenerator<CsvRow>;
}

/**
 * Finds the files of all paths: named files, and the files and Markdown of folders. Throws `usage_invalid` for a named file
 * that cannot be loaded, and `load_rejected` for a folder with a file that can be neither loaded nor ignored.
 */
export async function openInputs(
  paths: readonly string[],
  { table, stdin = process.stdin, ...options }: InputOptions = {},
): Promise<LoadFolder> {
  const reading = openReading(options);
  const fileTable = await tableOfFile(paths, table);
  const named = paths.filter((path) => path !== STANDARD_INPUT);
  const files = await findFiles(named, { ...options, pages: PAGE_KINDS.map(({ folder }) => folder) });
  const inputs: readonly Input[] = [
    ...files.map((file) => inputOf(file, () => reading.rows(file), fileTable)),
    ...paths
      .filter((path) => path === STANDARD_INPUT)
      .map(() => standardInput(table, () => reading.standardInput(stdin))),
  ];
  const folders = await Array.fromAsync(named, async (path) => ((await isFolder(path)) ? [path] : []));
  const pages = await Array.fromAsync(folders.flat(), readPages);
  for (const names of await Array.fromAsync(folders.flat(), besidePages)) {
    if (names.length > 0) options.onNote?.(`ignored ${names.join(', ')}: no Markdown`);
  }
  const withPages = pages.filter((each) => each.files.size > 0 || each.faults.length > 0);
  if (withPages.length > 1) {
    throw new CrossfootError('usage_invalid', 'Two of the folders hold Markdown.', {
      hint: 'Load one folder of Markdown at a time.',
    });
  }
  const markdown = withPages[0] ?? { files: new Map(), faults: [] };
  if (inputs.length === 0 && withPages.length === 0) {
    throw new CrossfootError('usage_invalid', `${paths.join(', ')} holds no file to load, and no Markdown.`, {
      hint: `Name each file after a table of the ledger, such as initiatives.csv. Files end in ${ENDINGS.join(', ')}.`,
    });
  }
  const byName = Map.groupBy(inputs, ({ name }) => name);
  const all = [...inputs.map(({ name }) => name), ...markdown.files.keys()].toSorted(byText);
  return {
    names: [...new Set(all)],
    twice: [...new Set(all.filter((name, index) => all[index + 1] === name))],
    pages: markdown,
    shown: (name) =>
      byName
        .get(name)
        ?.map(({ shown }) => shown)
        .join(', ') ?? name,
    control: (name) => byName.get(name)?.at(-1)?.control ?? null,
    rows: (name) => byName.get(name)?.at(-1)?.rows() ?? pageRows(markdown, name),
  };
}

/** A file in the format of another program, such as a bill in FOCUS. */
export interface ForeignFile {
  readonly path: string;
  readonly shown: string;
  /** The control line beside it; null if there is none. */
  readonly control: string | null;
  readonly rows: (foreign: ForeignParquet) => AsyncGenerator<CsvRow>;
}

/**
 * The files of all paths, in the order of the paths; those in and below a folder, sorted by name. `besides` is read in another
 * way. Throws if there are none, and for a folder with a file that can be neither read nor ignored.
 */
export async function findForeignFiles(
  paths: readonly string[],
  options: FindOptions = {},
  besides?: string,
): Promise<readonly ForeignFile[]> {
  const reading = openReading(options);
  const found = await findFiles(paths, { ...options, ...(besides !== undefined && { besides }) });
  const names = Map.groupBy(found, ({ path }) => basename(path));
  // Files of several paths are told apart by their paths.
  const files = found.map((file) =>
    paths.length > 1 && (names.get(basename(file.path))?.length ?? 0) > 1
      ? { ...file, shown: file.path }
      : file,
  );
  if (files.length === 0) {
    throw new CrossfootError(
      'usage_invalid',
      `${paths.join(', ')} holds no file of FOCUS that can be read.`,
      {
        hint: `The names of such files end with ${ENDINGS.join(', ')}.`,
      },
    );
  }
  return files.map((file) => ({
    path: file.path,
    shown: file.shown,
    control: file.control,
    rows: (foreign: ForeignParquet) => reading.rows(file, foreign),
  }));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function inputOf({ path, shown, form, control }: OpenFile, rows: Input['rows'], table?: string): Input {
  return { name: `${table ?? basename(path).slice(0, -form.ending.length)}.csv`, shown, control, rows };
}

/** The table of the only file, which then may have any name. */
async function tableOfFile(paths: readonly string[], table: string | undefined): Promise<string | undefined> {
  if (table === undefined || paths.includes(STANDARD_INPUT)) return undefined;
  const [path = '', ...others] = paths;
  if (others.length === 0 && !(await isFolder(path))) return table;
  throw new CrossfootError('usage_invalid', '--table goes with standard input or one file.', {
    hint: 'Load one file with it, or name each file after its table.',
  });
}

function standardInput(table: string | undefined, rows: Input['rows']): Input {
  if (table === undefined) {
    throw new CrossfootError('usage_invalid', 'Standard input has no name that says its table.', {
      hint: 'Name the table with --table, such as --table cost_entries.',
    });
  }
  return { name: `${table}.csv`, shown: 'standard input', control: null, rows };
}
