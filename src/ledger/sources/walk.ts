/** Finds all files of a folder: each is to be loaded, refused with its reason, or named as left out. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve, sep } from 'node:path';
import { CrossfootError } from '../../errors.ts';
import { formOf, wayOut } from './forms.ts';

/** What systems and programs write beside the files of people. */
const BESIDE = ['.DS_Store', '._*', '.localized', 'Thumbs.db', 'desktop.ini', '_SUCCESS', '.*.crc', '*.md'];

/** The ending of a file with the control line of another. */
export const CONTROL = '.control';

/** A file, or a reason why it is not one of the load. */
export interface WalkedFile {
  readonly path: string;
  /** The name below the folder. */
  readonly name: string;
}

export interface Walk {
  readonly files: readonly WalkedFile[];
  readonly refused: readonly (WalkedFile & { readonly expected: string })[];
  /** The files that no row is read from, by the reason. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
}

export interface WalkOptions {
  /** True to look below subfolders; otherwise only those in `others` may be there. */
  readonly recursive: boolean;
  /** Patterns of names to leave out. */
  readonly ignore: readonly string[];
  /** The absolute paths of subfolders and files that are read in another way. */
  readonly others?: readonly string[];
}

/** All files of the folder, sorted by name. No link is followed out of the folder. */
export async function walkFolder(folder: string, options: WalkOptions): Promise<Walk> {
  const walk = {
    files: [] as WalkedFile[],
    refused: [] as (WalkedFile & { expected: string })[],
    leftOut: new Map<string, string[]>(),
    links: [] as (WalkedFile & { readonly target: string })[],
  };
  const root = await realpath(folder);
  await walkBelow(folder, '', { ...options, root, walk });
  const real = new Set(walk.files.map(({ name }) => join(root, name)));
  for (const { target, ...entry } of walk.links) {
    if (real.has(target)) leave(walk.leftOut, 'links to files that are read', entry.name);
    else walk.files.push(entry);
  }
  return { ...walk, files: walk.files.toSorted(byName) };
}

interface Walking extends WalkOptions {
  readonly root: string;
  readonly walk: {
    readonly files: WalkedFile[];
    readonly refused: (WalkedFile & { expected: string })[];
    readonly leftOut: Map<string, string[]>;
    readonly links: (WalkedFile & { readonly target: string })[];
  };
}

async function walkBelow(folder: string, below: string, walking: Walking): Promise<void> {
  const { ignore, others = [], recursive, walk } = walking;
  const entries = (await entriesOf(folder)).toSorted(byName);
  const hasFile = (name: string): boolean => entries.some((each) => `${each.name}${CONTROL}` === name);
  for (const entry of entries) {
    const name = join(below, entry.name);
    const path = join(folder, entry.name);
    const matches = (pattern: string): boolean =>
      matchesGlob(entry.name, pattern) || matchesGlob(name, pattern);
    const refuse = (expected: string): unknown => walk.refused.push({ path, name, expected });
    if (ignore.some(matches)) leave(walk.leftOut, '--ignore', name);
    else if (BESIDE.some(matches)) leave(walk.leftOut, 'no files of rows', name);
    else if (others.includes(resolve(path))) continue;
    else if (name.endsWith(CONTROL)) {
      if (!hasFile(entry.name)) refuse('the control line of a file that is there');
    } else if (entry.isSymbolicLink()) await addLink({ path, name }, walking);
    else if (entry.isDirectory()) {
      if (recursive) await walkBelow(path, name, walking);
      else
        refuse(
          'a file: this is a folder; name it to load its files, and join the parts that Spark writes into one file',
        );
    } else if (!entry.isFile()) refuse('a file: this is a pipe, a socket or a device');
    else if (formOf(name) === undefined) refuse(wayOut(name));
    else walk.files.push({ path, name });
  }
}

async function addLink({ path, name }: WalkedFile, { root, walk }: Walking): Promise<void> {
  const refuse = (expected: string): unknown => walk.refused.push({ path, name, expected });
  const target = await realpath(path).catch(() => null);
  const found = target === null ? null : await stat(target).catch(() => null);
  if (target === null || found === null) refuse('a link to a file that is there');
  else if (relative(root, target).split(sep)[0] === '..')
    refuse('a file of this folder: this link leads to another folder; name its target instead');
  else if (found.isDirectory()) leave(walk.leftOut, 'links to folders of this folder', name);
  else if (!found.isFile()) refuse('a link to a file: this one leads to a pipe, a socket or a device');
  else if (formOf(name) === undefined) refuse(wayOut(name));
  else walk.links.push({ path, name, target });
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new CrossfootError('usage_invalid', `${folder} is a folder that cannot be read.`, {
      hint: 'Allow this user to read it, or leave it out with --ignore.',
      cause,
    });
  });
}

function leave(leftOut: Map<string, string[]>, why: string, name: string): void {
  leftOut.set(why, [...(leftOut.get(why) ?? []), name]);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
