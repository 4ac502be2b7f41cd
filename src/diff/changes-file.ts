/** The changed rows of one comparison, in a file with one row per line. An index of lines lets it read any range of rows. */
import type * as promises from 'node:fs/promises';
import { sumTooLarge } from '../sum-limit.ts';
import type { Change } from './change.ts';

/** The number of added, removed and changed rows of a table. */
export interface TableChanges {
  readonly name: string;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

export interface ChangesFile {
  /** Every table that both snapshots have, in published order, which is also the order in the file. */
  readonly tables: readonly TableChanges[];
  readonly size_bytes: number;
  /** The rows from `first` up to but not including `end`. */
  read(first: number, end: number): Promise<readonly Change[]>;
  close(): Promise<void>;
}

type FileHandle = Awaited<ReturnType<typeof promises.open>>;

const NEW_LINE = 10;
const READ_BYTES = 256 * 1024;

/**
 * Reads the file once and notes the offset of each line: eight bytes of memory per row. Throws if the number of lines differs
 * from `tables`.
 */
export async function indexChanges(
  handle: FileHandle,
  tables: readonly TableChanges[],
): Promise<ChangesFile> {
  const rows = tables.reduce((sum, { added, removed, changed }) => sum + added + removed + changed, 0);
  const starts = new Float64Array(rows + 1);
  let found = 0;
  let at = 0;
  const buffer = new Uint8Array(READ_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, at);
    if (bytesRead === 0) break;
    const read = buffer.subarray(0, bytesRead);
    for (let end = read.indexOf(NEW_LINE); end !== -1; end = read.indexOf(NEW_LINE, end + 1)) {
      found += 1;
      starts[found] = at + end + 1;
    }
    at += bytesRead;
  }
  if (found !== rows) throw new RangeError(`${rows} rows changed, the file has ${found}`);
  return {
    tables,
    size_bytes: at,
    read: (first, end) => readLines(handle, starts, first, Math.min(end, rows)),
    close: () => handle.close(),
  };
}

async function readLines(
  handle: FileHandle,
  starts: Float64Array,
  first: number,
  end: number,
): Promise<readonly Change[]> {
  if (first >= end) return [];
  const from = starts[first] ?? 0;
  const bytes = new Uint8Array((starts[end] ?? 0) - from);
  for (let filled = 0; filled < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
    if (bytesRead === 0) throw new RangeError('the file of changes is shorter than it was');
    filled += bytesRead;
  }
  const lines = new TextDecoder().decode(bytes).trimEnd().split('\n');
  return lines.map(parseLine);
}

/** Only numbers with this many digits may be beyond 2^53. Checking the text of every number takes ten times as long. */
const LONG_NUMBER = /\d{16}/;
const WHOLE_NUMBER = /^-?\d+$/;

/** Parses a line exactly; throws if a whole number would be rounded. */
function parseLine(line: string): Change {
  let rounded: { readonly name: string; readonly text: string } | undefined;
  // JSON.parse passes the source text of each value; TypeScript's types do not know this yet.
  const find = (name: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const text = context?.source ?? '';
    if (typeof value === 'number' && !Number.isSafeInteger(value) && WHOLE_NUMBER.test(text)) {
      rounded ??= { name, text };
    }
    return value;
  };
  // `schema/diff` writes these columns.
  const change = (LONG_NUMBER.test(line) ? JSON.parse(line, find) : JSON.parse(line)) as Change;
  if (rounded === undefined) return change;
  const row = [change.table, ...Object.values(change.key).filter((cell) => cell !== null)].join(' ');
  throw sumTooLarge(row, rounded.name.replace(/_?cents$/, '') || 'a part', `${rounded.text} cents`);
}
