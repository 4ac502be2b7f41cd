/** Compares the files of a folder with the manifest that names them: whole, and block by block. */
import type { Offence } from '../audit/report.ts';
import { DIGEST_BYTES, sha256Hex } from '../format/digest.ts';
import type { Digests } from '../../parquet/digest.ts';
import { SIGNATURE_FILES } from '../format/signature-files.ts';
import { blocksFile, tableFile } from '../format/keys.ts';
import type { SentManifest } from '../format/manifest.ts';
import { type NamedSets, servedFirst, type StoredSet } from '../format/stored-sets.ts';

/**
 * The layout of a snapshot in a folder. `store`: as in the store, with every file. `served`: as downloaded from a server,
 * with some of the tables, and with the files of the audit only after `pull --audit`.
 */
export type Layout = 'store' | 'served';

/** The files that an audit needs besides the tables. */
const EVIDENCE = ['schema.json', 'control.json', 'audit.sql', 'audit.json'];

/** A stored manifest also names the sets that no server sends. */
export type NamingManifest = SentManifest & NamedSets;

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
  manifest: NamingManifest,
  layout: Layout,
  digestOf: (name: string) => Promise<Digests | null>,
): Promise<ComparedFiles> {
  const wrong: Offence[] = EVIDENCE.filter((name) => !manifest.files.some((file) => file.name === name)).map(
    (name) => offence(name, 'manifest', 'a file of this name', 'none'),
  );
  const absent = new Set<string>();
  for (const file of namedFiles(manifest, layout)) {
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

/**
 * Only a folder with the layout of the store holds the sets beside the reporting tables: a server serves each of their tables
 * by an address of its own, or never.
 */
function namedFiles(manifest: NamingManifest, layout: Layout): readonly NamedFile[] {
  const named = servedFirst(manifest);
  return [named.slice(0, 1), layout === 'store' ? named.slice(1) : []].flatMap((sets) => [
    ...sets.flatMap(({ tables }) => tables.flatMap((table) => withBlocks(table, manifest.block_bytes))),
    ...sets.flatMap(({ files }) => files.map((file) => ({ ...file, blocks_sha256: null }))),
  ]);
}

/** The files of a folder that neither the manifest names nor the signatures are: no digest covers their bytes. */
export function unnamedFiles(
  manifest: NamingManifest,
  layout: Layout,
  names: readonly string[],
): readonly string[] {
  const named = new Set(['manifest.json', ...namedFiles(manifest, layout).map(({ name }) => name)]);
  if (layout === 'store') for (const name of SIGNATURE_FILES) named.add(name);
  return names.filter((name) => !named.has(name)).toSorted();
}

/** A table's file, and the file with the digests of its blocks. */
function withBlocks(
  { name, size_bytes, sha256, blocks_sha256 }: StoredSet['tables'][number],
  block_bytes: number,
): readonly NamedFile[] {
  const blocks = Math.ceil(size_bytes / block_bytes) * DIGEST_BYTES;
  return [
    { name: tableFile(name), size_bytes, sha256, blocks_sha256 },
    { name: blocksFile(name), size_bytes: blocks, sha256: blocks_sha256, blocks_sha256: null },
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
