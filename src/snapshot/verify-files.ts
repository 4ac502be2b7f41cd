/** Holding the files of a folder to the manifest that names them: whole, and block by block. */
import type { Offence } from './audit-report.ts';
import { DIGEST_BYTES, sha256Hex } from './digest.ts';
import type { Digests } from '../parquet/digest.ts';
import type { Manifest } from './manifest.ts';

/** What an audit is made of, beside the tables. */
const EVIDENCE = ['schema.json', 'control.json', 'audit.sql', 'audit.json'];

interface NamedFile {
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  /** The digest of the list of its blocks' digests; null for a file that is served whole. */
  readonly blocks_sha256: string | null;
}

/** Every file that is not the one the manifest names, with what was expected and what was found. */
export async function wrongFiles(
  manifest: Manifest,
  digestOf: (name: string) => Promise<Digests | null>,
): Promise<readonly Offence[]> {
  const wrong: Offence[] = EVIDENCE.filter((name) => !manifest.files.some((file) => file.name === name)).map(
    (name) => offence(name, 'manifest', 'a file of this name', 'none'),
  );
  for (const file of namedFiles(manifest)) {
    const found = await digestOf(file.name);
    wrong.push(
      ...(found === null ? [offence(file.name, 'bytes', said(file), 'no such file')] : compare(file, found)),
    );
  }
  return wrong;
}

function namedFiles({ tables, files, block_bytes }: Manifest): readonly NamedFile[] {
  return [
    ...tables.flatMap(({ name, size_bytes, sha256, blocks_sha256 }): readonly NamedFile[] => [
      { name: `${name}.parquet`, size_bytes, sha256, blocks_sha256 },
      {
        name: `${name}.blocks`,
        size_bytes: Math.ceil(size_bytes / block_bytes) * DIGEST_BYTES,
        sha256: blocks_sha256,
        blocks_sha256: null,
      },
    ]),
    ...files.map(({ name, size_bytes, sha256 }) => ({ name, size_bytes, sha256, blocks_sha256: null })),
  ];
}

function compare(file: NamedFile, found: Digests): readonly Offence[] {
  if (said(file) !== said(found)) return [offence(file.name, 'bytes', said(file), said(found))];
  const blocks = sha256Hex(found.blocks);
  // The list may be the one named and still not be that of the file: then no block of it could be served.
  if (file.blocks_sha256 === null || file.blocks_sha256 === blocks) return [];
  return [
    offence(file.name, 'blocks', `block digests of SHA-256 ${file.blocks_sha256}`, `SHA-256 ${blocks}`),
  ];
}

function said({ size_bytes, sha256 }: Pick<Digests, 'size_bytes' | 'sha256'>): string {
  return `${size_bytes} bytes with SHA-256 ${sha256}`;
}

function offence(subject: string, place: string, expected: string, found: string): Offence {
  return { subject, place, expected, found };
}
