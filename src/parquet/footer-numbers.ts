/** The numbers of a Parquet file's footer: rows, sizes, and what it states of each column. They are checked, never trusted. */
import { DAY } from '../instant.ts';
import { formatInstant } from '../time.ts';
import type { OpenFile } from './open-file.ts';

/** What a footer states of a column, of all row groups together. */
export interface ColumnNumbers {
  readonly name: string;
  /** By this id, not by its name, readers of a catalogue find the column; null if the file has none. */
  readonly field_id: number | null;
  /** The compressed size of all its pages. */
  readonly size_bytes: number;
  /** The number of empty values; null if a row group does not state it. */
  readonly nulls: number | null;
  /**
   * The least whole number, day (`YYYY-MM-DD`) or `Instant`, written as in the digests. Null without
   * values, if a row group with values does not state it, and for other types: a footer may shorten the limits of texts.
   */
  readonly least: string | null;
  readonly greatest: string | null;
}

export interface FooterNumbers {
  readonly rows: number;
  /** The size of the footer's description, without the eight bytes after it. */
  readonly footer_bytes: number;
  readonly columns: readonly ColumnNumbers[];
}

/** The numbers of an open file, column by column in the order of the file. */
export function footerNumbers({ metadata, rows }: OpenFile): FooterNumbers {
  const groups = metadata.row_groups.map((group) => ({
    rows: group.num_rows,
    chunks: new Map(
      group.columns.flatMap(({ meta_data: chunk }) =>
        chunk === undefined ? [] : [[chunk.path_in_schema.join('.'), chunk] as const],
      ),
    ),
  }));
  const columns = metadata.schema.slice(1).map((element): ColumnNumbers => {
    const { name, field_id = null } = element;
    const chunks = groups.map((group) => ({ rows: group.rows, chunk: group.chunks.get(name) }));
    const stated = chunks.map(({ chunk }) => chunk?.statistics);
    const counts = stated.map((each) => each?.null_count);
    // A row group of empty values has no least value; any other row group must state one.
    const bounded = chunks.flatMap(({ rows: count, chunk }) => {
      const statistics = chunk?.statistics;
      return statistics?.null_count === count ? [] : [statistics];
    });
    const isWhole = element.type === 'INT32' || element.type === 'INT64';
    const orderOf = (value: unknown): bigint | null => (isWhole ? wholeNumber(value) : null);
    const textOf = (value: bigint | null): string | null =>
      value === null
        ? null
        : element.converted_type === 'DATE'
          ? formatInstant(value * DAY).slice(0, 10)
          : String(value);
    return {
      name,
      field_id,
      size_bytes: chunks.reduce((sum, { chunk }) => sum + Number(chunk?.total_compressed_size ?? 0n), 0),
      nulls: counts.includes(undefined)
        ? null
        : Number(counts.reduce((sum = 0n, each = 0n) => sum + each, 0n)),
      least: textOf(
        endOf(
          bounded.map((each) => orderOf(each?.min_value)),
          (a, b) => a < b,
        ),
      ),
      greatest: textOf(
        endOf(
          bounded.map((each) => orderOf(each?.max_value)),
          (a, b) => a > b,
        ),
      ),
    };
  });
  return { rows, footer_bytes: metadata.metadata_length, columns };
}

function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' ? BigInt(value) : null;
}

function endOf(
  values: readonly (bigint | null)[],
  isBeyond: (a: bigint, b: bigint) => boolean,
): bigint | null {
  let end: bigint | null = null;
  for (const value of values) {
    if (value === null) return null;
    if (end === null || isBeyond(value, end)) end = value;
  }
  return end;
}
