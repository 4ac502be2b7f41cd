/** Reads columns of a Parquet file in memory, one row group at a time. */
import { decompress } from 'fzstd';
import { parquetMetadata, parquetRead } from 'hyparquet';
import type { Bytes } from './bytes.ts';

/** A value as stored: a day is the number of days since 1970-01-01, an instant the microseconds since 1970. */
type StoredValue = string | number | bigint | boolean | null | undefined;

export type Column = ArrayLike<StoredValue>;

const AS_STORED = {
  compressors: { ZSTD: (bytes: Uint8Array, length: number) => decompress(bytes, new Uint8Array(length)) },
  parsers: {
    timestampFromMicroseconds: (microseconds: bigint) => microseconds,
    dateFromDays: (days: number) => days,
  },
  geoparquet: false,
};

/** The values of these columns, one row group at a time. Throws if the file lacks a column. */
export async function* readColumns<Name extends string>(
  bytes: Bytes,
  names: readonly Name[],
): AsyncGenerator<{ readonly rows: number; readonly columns: Readonly<Record<Name, Column>> }> {
  const { buffer, byteOffset } = bytes;
  const file = {
    byteLength: bytes.length,
    slice: (from: number, to = bytes.length) => buffer.slice(byteOffset + from, byteOffset + to),
  };
  const metadata = parquetMetadata(file.slice(0), AS_STORED);
  const absent = names.find((name) => !metadata.schema.some((column) => column.name === name));
  if (absent !== undefined) throw new Error(`has no column ${absent}`);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    const rowEnd = rowStart + rows;
    const columns: Partial<Record<Name, Column>> = {};
    for (const name of names) columns[name] = await readColumn({ file, metadata, name, rowStart, rowEnd });
    yield { rows, columns: columns as Record<Name, Column> }; // each name was set
    rowStart = rowEnd;
  }
}

async function readColumn({
  name,
  ...range
}: Pick<Parameters<typeof parquetRead>[0], 'file' | 'metadata' | 'rowStart' | 'rowEnd'> & {
  readonly name: string;
}): Promise<Column> {
  const { rowStart = 0, rowEnd = 0 } = range;
  const values: StoredValue[] = Array.from({ length: rowEnd - rowStart });
  let read = 0;
  await parquetRead({
    ...range,
    ...AS_STORED,
    columns: [name],
    onChunk: ({ columnData, rowStart: first }) => {
      for (let index = 0; index < columnData.length; index += 1) {
        values[first - rowStart + index] = columnData[index] as StoredValue; // the parsers above give nothing else
      }
      read += columnData.length;
    },
  });
  if (read !== values.length) throw new Error(`has ${read} values of ${name} in ${values.length} rows`);
  return values;
}
