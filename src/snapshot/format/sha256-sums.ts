/** The digests of a snapshot's files, in the format of `sha256sum -c`. */
import type { Manifest } from './manifest.ts';

/** One line for each table's file and each other file, under the names that the API serves. */
export function sha256Sums({ tables, files }: Pick<Manifest, 'files' | 'tables'>): string {
  return [...tables.map(({ name, sha256 }) => ({ name: `${name}.parquet`, sha256 })), ...files]
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join('');
}
