/** Finds the files of named paths, and takes the fingerprint of each before any is read. */
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CrossfootError } from '../../errors.ts';
import { shellWord } from '../../next-step.ts';
import { CsvBroken } from '../staging/row.ts';
import { collectFaults } from '../staging/faults.ts';
import { fingerprintOf } from './fingerprint.ts';
import { ENDINGS, formOf, wayOut } from './forms.ts';
import { didYouMean } from './nearest-file.ts';
import { type OpenFile, type ReadingOptions, worded } from './reading.ts';
import { CONTROL, type Walk, walkFolder } from './walk.ts';

export interface FindOptions extends ReadingOptions {
  /** Patterns of the names, in folders, that are left out. */
  readonly ignore?: readonly string[];
}

interface Finding extends FindOptions {
  /** The subfolders that may hold Markdown. If absent, all subfolders are looked through for files. */
  readonly pages?: readonly string[];
  /** A file that is read in another way. */
  readonly besides?: string;
}

/**
 * The files of all paths, in the order of the paths; those of a folder, sorted by name. Throws `load_rejected` with all files
 * that can be neither loaded nor ignored.
 */
export async function findFiles(paths: readonly string[], finding: Finding): Promise<readonly OpenFile[]> {
  const faults = collectFaults();
  const refuse = (file: string, expected: string): void =>
    faults.add({ file, line: null, column: null, value: basename(file), expected });
  const files: OpenFile[] = [];
  const shownBefore = new Set<string>();
  for (const path of paths) {
    const walk = (await isFolder(path)) ? await walkAll(path, finding) : await namedFile(path);
    for (const [why, names] of walk.leftOut) finding.onNote?.(`ignored ${names.join(', ')}: ${why}`);
    for (const { name, expected } of walk.refused) {
      refuse(name, `${expected}; or leave it out with --ignore ${shellWord(name)}`);
    }
    for (const { path: place, name } of walk.files) {
      const form = formOf(place);
      // Two folders may have files of one name.
      const shown = shownBefore.has(name) ? place : name;
      shownBefore.add(shown);
      const fingerprint = await fingerprintOf(place).catch((error: unknown) => {
        const why = worded(error);
        if (!(why instanceof CsvBroken)) throw error;
        refuse(shown, why.message);
      });
      const control = await controlOf(place).catch((error: unknown) => {
        if (!(error instanceof CsvBroken)) throw error;
        refuse(`${shown}${CONTROL}`, error.message);
        return null;
      });
      if (form !== undefined && fingerprint !== undefined)
        files.push({ path: place, shown, form, fingerprint, control });
    }
  }
  faults.refuse();
  return files;
}

/** The control line beside a file; null if there is none. Throws `CsvBroken` if it cannot be read. */
async function controlOf(path: string): Promise<string | null> {
  return await readFile(`${path}${CONTROL}`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    if (error.code === 'EISDIR') {
      throw new CsvBroken(
        null,
        'a file with a line such as rows=3,USD=100.00; this is a folder: rename it',
        error,
      );
    }
    throw worded(error);
  });
}

async function walkAll(path: string, { ignore = [], pages, besides }: Finding): Promise<Walk> {
  const markdown = (pages ?? []).map((folder) => join(path, folder));
  const others = [...markdown, ...(besides === undefined ? [] : [besides])].map((each) => resolve(each));
  return await walkFolder(path, { recursive: pages === undefined, ignore, others });
}

async function namedFile(path: string): Promise<Walk> {
  const isFile = (await stat(path)).isFile();
  if (isFile && formOf(path) !== undefined)
    return { files: [{ path, name: basename(path) }], refused: [], leftOut: new Map() };
  throw new CrossfootError('usage_invalid', `${path} is no file that can be loaded.`, {
    hint: isFile
      ? `Name a file of one of the endings ${ENDINGS.join(', ')}. Expected: ${wayOut(path)}.`
      : 'Name a file. This is a pipe, a socket or a device; - is standard input.',
  });
}

/** True for a folder, false for a file; throws if there is neither. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    const end = await didYouMean(path, { files: (name) => formOf(name) !== undefined, folders: true });
    throw new CrossfootError('usage_invalid', `${path} is not a file or folder that can be read${end}`, {
      hint: 'Name a file or folder that is there, and that this user may read.',
      cause,
    });
  }
}
