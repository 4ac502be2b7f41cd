/** Reads some rows of a row group: those of given numbers, and those whose values pass tests. */
import { parquetSchema } from 'hyparquet';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { getTreePath } from 'hyparquet/src/schema.js';
import { type ColumnPages, openPages, type StoredValue } from './column-pages.ts';
import { AS_STORED, chunksOf, type OpenFile, type ParquetSource, slicer } from './open-file.ts';

/** Rows, column by column. The caller may keep and change the arrays. */
export interface Piece {
  /** The numbers of the rows in the file; absent if they follow one another. */
  readonly numbers?: Uint32Array;
  readonly rows: number;
  readonly columns: readonly StoredValue[][];
}

// The rows of a page in our files: a piece that began within a page would decode that page twice.
export const PIECE_ROWS = 20_480;

export interface ReadOptions {
  /** The file, if it is open already. */
  readonly file?: OpenFile;
  /** The first row; 0 if omitted. */
  readonly from?: number;
  /** The end of the rows, not included; the end of the file if omitted. */
  readonly to?: number;
  /** Only the rows of these numbers, which ascend. */
  readonly at?: Uint32Array | undefined;
  /** Only the rows whose values pass these tests, by column. */
  readonly where?: Readonly<Record<string, (value: StoredValue) => boolean>> | undefined;
}

interface GroupRead {
  readonly source: ParquetSource;
  readonly file: OpenFile;
  /** The number of the row group. */
  readonly index: number;
  readonly names: readonly string[];
  readonly turn: () => Promise<void>;
}

/** The chosen rows of a row group: values are read only if the tests left a row. */
export async function* readChosen(
  { source, file, index, names, turn }: GroupRead,
  { from, to, at, where = {} }: ReadOptions & { readonly from: number; readonly to: number },
): AsyncGenerator<Piece> {
  const { first = 0, rows: count = 0 } = file.groups[index] ?? {};
  const open = columnOpener(source, file, index);
  let rows: Uint32Array | null = null;
  if (at !== undefined) rows = at.filter((each) => each >= from && each < to).map((each) => each - first);
  else if (from > first || to < first + count) rows = numbered(from - first, to - first);
  if (rows?.length === 0) return;
  await Promise.all(Object.keys(where).map(open));
  for (const [name, test] of Object.entries(where)) {
    rows = (await open(name))?.matching(test, rows) ?? rows;
    await turn();
    if (rows?.length === 0) return;
  }
  const chosen = rows ?? numbered(0, count);
  await Promise.all(names.map(open));
  for (let start = 0; start < chosen.length; start += PIECE_ROWS) {
    const own = chosen.slice(start, start + PIECE_ROWS);
    const columns: StoredValue[][] = [];
    for (const name of names) {
      columns.push((await open(name))?.valuesAt(own) ?? []);
      await turn();
    }
    yield { numbers: own.map((row) => first + row), rows: own.length, columns };
  }
}

function numbered(from: number, to: number): Uint32Array {
  return Uint32Array.from({ length: to - from }, (_, ahead) => from + ahead);
}

/** Opens each column of a row group once; undefined for a column that the file lacks. */
function columnOpener(source: ParquetSource, { metadata, groups }: OpenFile, index: number) {
  const group = metadata.row_groups[index];
  const tree = parquetSchema(metadata);
  const opened = new Map<string, Promise<ColumnPages | undefined>>();
  async function openColumn(name: string): Promise<ColumnPages | undefined> {
    const stored = group?.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === name);
    const chunk = group && chunksOf(group).find((each) => each.name === name);
    if (stored?.meta_data === undefined || chunk === undefined) return undefined;
    const pathInSchema = stored.meta_data.path_in_schema;
    const schemaPath = getTreePath(tree, pathInSchema);
    const { element } = schemaPath.at(-1) ?? tree;
    const { compressors, parsers } = AS_STORED;
    const own = {
      pathInSchema,
      schemaPath,
      element,
      compressors,
      parsers: { ...DEFAULT_PARSERS, ...parsers },
    };
    const bytes = await slicer(source)(chunk.start, chunk.end);
    return openPages(bytes, { ...stored.meta_data, ...own }, groups[index]?.rows ?? 0);
  }
  return (name: string): Promise<ColumnPages | undefined> => {
    const column = opened.get(name) ?? openColumn(name);
    opened.set(name, column);
    return column;
  };
}
