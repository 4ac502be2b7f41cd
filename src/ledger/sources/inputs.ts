/** Finds the files to load: named files, the files in named folders, and standard input. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CrossfootError } from '../../errors.ts';
import { type CsvRow, readCsv } from '../load/csv.ts';
import { type Pages, pageRows, readPages } from '../load/pages.ts';
import { readNdjson } from './ndjson.ts';
import { type ForeignParquet, readParquet } from './parquet.ts';

const STANDARD_INPUT = '-';

/** The forms of files that can be loaded, by the end of the file's name. */
const FORMS: readonly (readonly [
  ending: string,
  rows: (path: string, foreign?: ForeignParquet) => AsyncGenerator<CsvRow>,
])[] = [
  ['.csv', (path) => readCsv(createReadStream(path))],
  ['.csv.gz', (path) => readCsv(unzipped(path))],
  ['.ndjson', (path) => readNdjson(createReadStream(path))],
  ['.parquet', readParquet],
];
const ENDINGS = FORMS.map(([ending]) => ending);

/** The files of a load, each as if it were the CSV file of its table. */
export interface LoadFolder {
  /** The names as if all were CSV files, sorted: `users.csv` is the name of `users.ndjson`, too. */
  readonly names: readonly string[];
  /** The names that several files have, or a file and a folder of Markdown. */
  readonly twice: readonly string[];
  readonly pages: Pages;
  /** The real name of the file with one of these names, for messages. */
  readonly shown: (name: string) => string;
  /** The rows of the file with one of these names, header first. */
  readonly rows: (name: string) => AsyncGenerator<CsvRow>;
}

export interface InputOptions {
  /** The table of standard input. */
  readonly table?: string;
  readonly stdin?: Readable;
}

interface Input {
  readonly name: string;
  readonly shown: string;
  readonly rows: () => AsyncGenerator<CsvRow>;
}

/**
 * Finds the files of all paths: named files, and the loadable files and Markdown of folders. Throws `usage_invalid` for a
 * named file that cannot be loaded; ignores such files in folders.
 */
export async function openInputs(
  paths: readonly string[],
  { table, stdin = process.stdin }: InputOptions = {},
): Promise<LoadFolder> {
  const inputs: Input[] = [];
  const pages: Pages[] = [];
  for (const path of paths) {
    if (path === STANDARD_INPUT) inputs.push(standardInput(table, stdin));
    else if (await isFolder(path)) {
      const names = await readdir(path);
      inputs.push(...names.flatMap((name) => inputOf(join(path, name)) ?? []));
      pages.push(await readPages(path));
    } else inputs.push(inputOf(path) ?? refuseName(path));
  }
  const withPages = pages.filter(({ files, faults }) => files.size > 0 || faults.length > 0);
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
  const byName = new Map(inputs.map((input) => [input.name, input]));
  const all = [...inputs.map(({ name }) => name), ...markdown.files.keys()].toSorted(byText);
  return {
    names: [...new Set(all)],
    twice: [...new Set(all.filter((name, place) => all[place + 1] === name))],
    pages: markdown,
    shown: (name) => byName.get(name)?.shown ?? name,
    rows: (name) => byName.get(name)?.rows() ?? pageRows(markdown, name),
  };
}

/** A file in the format of another program, such as a bill in FOCUS. */
export interface ForeignFile {
  readonly shown: string;
  readonly rows: (foreign: ForeignParquet) => AsyncGenerator<CsvRow>;
}

/**
 * The readable files of all paths, in the order of the paths; those in and below a folder, sorted by name. Throws if there
 * are none.
 */
export async function findForeignFiles(paths: readonly string[]): Promise<readonly ForeignFile[]> {
  const files: ForeignFile[] = [];
  for (const path of paths) {
    const below = (await isFolder(path)) ? await readdir(path, { recursive: true }) : null;
    for (const name of below?.toSorted() ?? ['']) {
      const form = FORMS.find(([ending]) => join(path, name).toLowerCase().endsWith(ending));
      if (form === undefined && below === null) {
        throw new CrossfootError('usage_invalid', `${path} is no file of FOCUS that can be read.`, {
          hint: `Name files that end with ${ENDINGS.join(', ')}, or a folder that holds them.`,
        });
      }
      if (form === undefined) continue;
      const [, rows] = form;
      files.push({
        shown: name === '' ? basename(path) : name,
        rows: (foreign) => rows(join(path, name), foreign),
      });
    }
  }
  if (files.length > 0) return files;
  throw new CrossfootError('usage_invalid', `${paths.join(', ')} holds no file of FOCUS that can be read.`, {
    hint: `The names of such files end with ${ENDINGS.join(', ')}.`,
  });
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    throw new CrossfootError('usage_invalid', `${path} is not a file or folder that can be read.`, { cause });
  }
}

/** Null for a file that cannot be loaded. */
function inputOf(path: string): Input | null {
  const shown = basename(path);
  const form = FORMS.find(([ending]) => shown.toLowerCase().endsWith(ending));
  if (form === undefined) return null;
  const [ending, rows] = form;
  return { name: `${shown.slice(0, -ending.length)}.csv`, shown, rows: () => rows(path) };
}

function refuseName(path: string): never {
  throw new CrossfootError('usage_invalid', `${path} is no file that can be loaded.`, {
    hint: `Name it after a table of the ledger, with one of the endings ${ENDINGS.join(', ')}.`,
  });
}

function standardInput(table: string | undefined, stdin: Readable): Input {
  if (table === undefined) {
    throw new CrossfootError('usage_invalid', 'Standard input has no name that says its table.', {
      hint: 'Name the table with --table, such as --table cost_entries.',
    });
  }
  return { name: `${table}.csv`, shown: 'standard input', rows: () => readCsv(stdin) };
}

function unzipped(path: string): Readable {
  const file = createReadStream(path);
  const text = file.pipe(createGunzip());
  // pipe() passes on data, not errors.
  file.on('error', (error) => text.destroy(error));
  return text;
}
