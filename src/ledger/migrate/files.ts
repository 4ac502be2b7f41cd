/** Reads the SQL files of `schema`. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface SqlFile {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text in UTF-8, in lower-case hex. */
  readonly sha256: string;
}

/** The `.sql` files of a folder, sorted by name; an empty list if the folder does not exist. */
export async function readSqlFiles(folder: string): Promise<readonly SqlFile[]> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, sha256: sha256(text) };
    }),
  );
}

/** One digest for many files; it depends on their names, texts and order. */
export function digestOf(files: readonly SqlFile[]): string {
  return sha256(files.map((file) => `${file.sha256}  ${file.name}\n`).join(''));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
