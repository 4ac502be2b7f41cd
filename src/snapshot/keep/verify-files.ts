/** Compares the files of a folder with the manifest that names them: whole, and block by block. */
import type { Offence } from '../audit/report.ts';
import { DIGEST_BYTES, sha256Hex } from '../format/digest.ts';
import type { Digests } from '../../parquet/digest.ts';
import { FOCUS_REPORT, tableFile } from '../format/keys.ts';
import { FOCUS } from '../../tables/focus.ts';
import type { SentManifest } from '../format/manifest.ts';

/**
 * The layout of a snapshot in a folder. `store`: as in the store, with every file. `served`: as downloaded from a server,
 * with some of the tables, and with the files of the audit only after `pull --audit`.
 */
export type Layout = 'store' | 'served';

/** The files that an audit needs besides the tables. */
const EVIDENCE = ['schema.json', 'control.json', 'audit.sql', 'audit.json'];

interface NamedFile {
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  /** The digest of the list of block digests; null for a file without block digests. */
  readonly blocks_sha256: string | null;
}

/** Files that the manifest names and that are missing in a `served` folder. */
export interface AbsentFiles {
  readonly tables: readonly string[];
  /** Missing files that an audit needs. */
  readonly evidence: readonly string[];
}

export const NONE_ABSENT: AbsentFiles = { tables: [], evidence: [] };

interface ComparedFiles {
  /** Each file that differs from the manifest, with what was expected and what was found. */
  readonly wrong: readonly Offence[];
  readonly absent: AbsentFiles;
}

/** Compares each file that the folder holds, or must hold, with the manifest. */
export async function compareFiles(
  manifest: SentManifest,
  layout: Layout,
  digestOf: (name: string) => Promise<Digests | null>,
): Promise<ComparedFiles> {
  const wrong: Offence[] = EVIDENCE.filter((name) => !manifest.files.some((file) => file.name === name)).map(
    (name) => offence(name, 'manifest', 'a file of this name', 'none'),
  );
  const absent = new Set<string>();
  for (const file of [...namedFiles(manifest), ...(layout === 'store' ? focusFiles(manifest) : [])]) {
    const found = await digestOf(file.name);
    if (found !== null) wrong.push(...compare(file, found));
    else if (layout === 'served') absent.add(file.name);
    else wrong.push(offence(file.name, 'bytes', said(file), 'no such file'));
  }
  const tables = manifest.tables.map(({ name }) => `${name}.parquet`).filter((name) => absent.has(name));
  if (tables.length === manifest.tables.length) {
    wrong.push(offence('*.parquet', 'bytes', 'a file of at least one table', 'none'));
  }
  return { wrong, absent: { tables, evidence: EVIDENCE.filter((name) => absent.has(name)) } };
}

/** The parts that cannot be checked, each as a sentence. `inLog`: a log entry states the digest of the manifest. */
export function uncheckedParts(
  layout: Layout,
  inLog: boolean,
  { tables, evidence }: AbsentFiles,
): readonly string[] {
  const own = layout === 'store' ? 'The folder holds no log entry' : 'A server sent it';
  return [
    ...(inLog ? [] : [`manifest.json: ${own}, so no digest of the manifest itself is known.`]),
    ...tables.map((name) => `${name}: The folder has no such file.`),
    ...(tables.length + evidence.length === 0 ? [] : [`The audit: ${needed(tables, evidence)}.`]),
  ];
}

function needed(tables: readonly string[], evidence: readonly string[]): string {
  if (evidence.length === 0) return 'It needs every table';
  const also = tables.length === 0 ? '' : 'every table and ';
  return `It needs ${also}${evidence.join(', ')}; npx --no crossfoot pull --audit brings them`;
}

function namedFiles({ tables, files, block_bytes }: SentManifest): readonly NamedFile[] {
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

/** The FOCUS file, which a folder with the layout of the store holds. A server serves it by its own address. */
function focusFiles({ focus }: SentManifest): readonly NamedFile[] {
  if (focus === undefined) return [];
  const { size_bytes, sha256, blocks_sha256, report } = focus;
  return [
    { name: tableFile(FOCUS.name), size_bytes, sha256, blocks_sha256 },
    { name: FOCUS_REPORT, ...report, blocks_sha256: null },
  ];
}

function compare(file: NamedFile, found: Digests): readonly Offence[] {
  if (said(file) !== said(found)) return [offence(file.name, 'bytes', said(file), said(found))];
  const blocks = sha256Hex(found.blocks);
  // The stored list of block digests may match the manifest but not the file: then no block could be served.
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
