/** Asks for the file that is meant by a name that is not there. */
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { nearestOf } from './nearest.ts';

/** What a command can take under the name: files of these names, or folders. */
export interface Meant {
  readonly files: (name: string) => boolean;
  readonly folders: boolean;
}

/** The end of a sentence about a path that is not there: with the file or folder of the most similar name beside it, if any. */
export async function didYouMean(path: string, meant: Meant): Promise<string> {
  const nearest = await nearestFile(path, meant);
  return nearest === null ? '.' : `; did you mean ${nearest}?`;
}

async function nearestFile(path: string, { files, folders }: Meant): Promise<string | null> {
  const own = basename(path);
  const entries = await readdir(dirname(path), { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => (entry.isDirectory() ? folders : files(entry.name)))
    .map(({ name }) => name)
    // A file that is there, and may not be read, is not another one.
    .filter((name) => name !== own);
  const stem = stemOf(own);
  const nearest = names.find((name) => stem !== '' && stemOf(name) === stem) ?? nearestOf(own, names);
  if (nearest === null) return null;
  return path.includes('/') ? `${path.slice(0, path.lastIndexOf('/') + 1)}${nearest}` : nearest;
}

function stemOf(name: string): string {
  return (name.split('.')[0] ?? '').toLowerCase();
}
