/** The keys of an account's objects, the same in a folder and in a bucket. */
import type { BuildLayout } from '../../store-settings.ts';
import { tableInSet } from '../../tables/file-sets.ts';
import type { Instant } from '../../instant.ts';
import { isSnapshotId, readSnapshotId } from './snapshot-id.ts';

/** The prefix of an account's log entries: numbered from 1 without gaps. */
export function logPrefix(account_id: bigint): string {
  return `v1/a/${account_id}/log/`;
}

/** The entry that makes the `seq`-th snapshot visible; ten digits, so that key order is log order. */
export function logKey(account_id: bigint, seq: number): string {
  return `${logPrefix(account_id)}${String(seq).padStart(10, '0')}.json`;
}

/** The sequence number in a log key; null for any other key. */
export function seqOfLogKey(account_id: bigint, key: string): number | null {
  const seq = Number(key.slice(logPrefix(account_id).length, -'.json'.length));
  return Number.isSafeInteger(seq) && seq > 0 && logKey(account_id, seq) === key ? seq : null;
}

/** The prefix of an account's marks, which annotate published snapshots: numbered from 1 without gaps. */
export function marksPrefix(account_id: bigint): string {
  return `v1/a/${account_id}/marks/`;
}

/** The `seq`-th mark of an account. */
export function markKey(account_id: bigint, seq: number): string {
  return `${marksPrefix(account_id)}${String(seq).padStart(10, '0')}.json`;
}

/** The sequence number in a mark's key; null for any other key. */
export function seqOfMarkKey(account_id: bigint, key: string): number | null {
  const seq = Number(key.slice(marksPrefix(account_id).length, -'.json'.length));
  return Number.isSafeInteger(seq) && seq > 0 && markKey(account_id, seq) === key ? seq : null;
}

/**
 * The directory of one build; the nonce keeps two builds of one second apart. Each layout has its own directory: a version that
 * does not know the packed layout refuses its log entries, and serves the snapshots before them.
 */
export function buildPrefix(
  account_id: bigint,
  snapshot_id: string,
  nonce: string,
  layout: BuildLayout = 'objects',
): string {
  return `v1/a/${account_id}/${layout === 'packed' ? 'p' : 's'}/${snapshot_id}-${nonce}`;
}

export function tableKey(prefix: string, table: string): string {
  return `${prefix}/${tableFile(table)}`;
}

/**
 * The name of a table's file in the store. The other sets of files are Parquet too, under another ending: the published
 * audit reads every `*.parquet` of a snapshot's folder as a reporting table.
 */
export function tableFile(table: string): string {
  const folder = tableInSet(table)?.set.folder ?? '';
  return `${table}.${folder === '' ? 'parquet' : 'companion'}`;
}

/** The SHA-256 of each block of a table's file, 32 bytes each, one after the other. */
export function blocksKey(prefix: string, table: string): string {
  return fileKey(prefix, blocksFile(table));
}

/** The name of that file in the store. */
export function blocksFile(table: string): string {
  return `${table}.blocks`;
}

export function manifestKey(prefix: string): string {
  return `${prefix}/manifest.json`;
}

/** A file that a build publishes beside its tables, such as `audit.json`. */
export function fileKey(prefix: string, file: string): string {
  return `${prefix}/${file}`;
}

/** The object that records a successful check of every byte of a build. The second is written as in a snapshot's id. */
export function checkedKey(prefix: string, second: string): string {
  return fileKey(prefix, `checked-${second}.json`);
}

/** The second in the key of such a check; null for any other key of the build. */
export function secondOfCheckedKey(prefix: string, key: string): Instant | null {
  const second = key.slice(`${prefix}/checked-`.length, -'.json'.length);
  return checkedKey(prefix, second) === key ? readSnapshotId(second) : null;
}

/** The directory of the comparison of two published snapshots, the earlier one first. */
export function comparisonPrefix(account_id: bigint, from: string, to: string): string {
  return `v1/a/${account_id}/d/${from}~${to}`;
}

/** The record that makes a comparison readable. It is written last and deleted first. */
export function comparisonKey(prefix: string): string {
  return `${prefix}/comparison.json`;
}

/** The changed rows of a comparison, one JSON object per line, compressed with gzip. */
export function changesKey(prefix: string): string {
  return `${prefix}/changes.ndjson.gz`;
}

/** The prefix of all objects of an account; null: of all accounts. */
export function accountPrefix(account_id: bigint | null): string {
  return account_id === null ? 'v1/a/' : `v1/a/${account_id}/`;
}

/** The directory of the parts that workers write for one build. No reader opens it. */
export function partsPrefix(account_id: bigint, snapshot_id: string, nonce: string): string {
  return `v1/a/${account_id}/r/${snapshot_id}-${nonce}`;
}

/** The part of a range of a table; the ranges of a table are numbered from 1. */
export function partKey(prefix: string, table: string, number: number): string {
  return `${prefix}/${table}.${number}.part`;
}

const PART_KEY = /^(v1\/a\/([1-9]\d{0,18})\/r\/(\d{8}T\d{6}Z)-[0-9a-f]{32})\/[^/]+$/;

/** The build that a part belongs to; null for any other object. */
export function buildOfPartKey(key: string): BuildOfKey | null {
  return buildIn(PART_KEY, key);
}

const BUILD_KEY = /^(v1\/a\/([1-9]\d{0,18})\/[sp]\/(\d{8}T\d{6}Z)-[0-9a-f]{32})\/[^/]+$/;

interface BuildOfKey {
  readonly account_id: bigint;
  readonly prefix: string;
  readonly snapshot_id: string;
}

/** The build that an object belongs to; null for a log entry, a part, and an object that is not ours. */
export function buildOfKey(key: string): BuildOfKey | null {
  return buildIn(BUILD_KEY, key);
}

function buildIn(form: RegExp, key: string): BuildOfKey | null {
  const [, prefix, account, snapshot_id] = form.exec(key) ?? [];
  if (prefix === undefined || account === undefined || snapshot_id === undefined) return null;
  return isSnapshotId(snapshot_id) ? { account_id: BigInt(account), prefix, snapshot_id } : null;
}

const PACKED_KEY = /^(v1\/a\/[1-9]\d{0,18}\/p\/[^/]+)\/([^/]+)$/;

/** The build in the packed layout that a file belongs to, and the name of the file; null for any other key. */
export function packedFileOfKey(key: string): { readonly prefix: string; readonly name: string } | null {
  const [, prefix, name] = PACKED_KEY.exec(key) ?? [];
  return prefix === undefined || name === undefined ? null : { prefix, name };
}

const COMPARISON_KEY = /^(v1\/a\/([1-9]\d{0,18})\/d\/(\d{8}T\d{6}Z)~(\d{8}T\d{6}Z))\/[^/]+$/;

/** The comparison that an object belongs to; null for any other object. */
export function comparisonOfKey(
  key: string,
): { account_id: bigint; prefix: string; from: string; to: string } | null {
  const [, prefix, account, from, to] = COMPARISON_KEY.exec(key) ?? [];
  if (prefix === undefined || account === undefined || from === undefined || to === undefined) return null;
  return isSnapshotId(from) && isSnapshotId(to) ? { account_id: BigInt(account), prefix, from, to } : null;
}
