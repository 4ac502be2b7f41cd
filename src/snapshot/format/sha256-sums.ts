/** The digests of a snapshot's files, in the format of `sha256sum -c`. */
import type { Manifest } from './manifest.ts';

/** One line for the file of each table and for each further file, with the names under which the API serves them. */
export function sha256Sums({ tables, files }: Pick<Manifest, 'files' | 'tables'>): string {
  return [...tables.map(({ name, sha256 }) => ({ name: `${name}.parquet`, sha256 })), ...files]
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join('');
}
