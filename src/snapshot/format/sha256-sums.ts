/** The digests of a snapshot's files as `sha256sum -c` reads them. */
import type { Manifest } from './manifest.ts';

/** A line for each table's file and for each file beside them, by the names they are served under. */
export function sha256Sums({ tables, files }: Pick<Manifest, 'files' | 'tables'>): string {
  return [...tables.map(({ name, sha256 }) => ({ name: `${name}.parquet`, sha256 })), ...files]
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join('');
}
