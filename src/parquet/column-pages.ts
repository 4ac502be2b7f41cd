/**
 * The values of a column at some rows of a row group, and the rows whose values pass a test. Pages without such a row are not
 * decompressed, and a test is asked once for each entry of a dictionary: of a large column few values become objects.
 */
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { unpackDifferences } from './unpack-differences.ts';
import { unpackRuns } from './unpack-runs.ts';

/** What the library needs to decode a column that is not nested. */
type ColumnDecoder = Parameters<typeof readPage>[2];
type Header = ReturnType<typeof parquetHeader>;
type Values = Parameters<typeof convert>[0];
type Bytes = Uint8Array<ArrayBuffer>;

/** A value as stored: a day is a number of days since 1970-01-01, an instant a number of microseconds. */
export type StoredValue = string | number | bigint | boolean | null | undefined;
type Test = (value: StoredValue) => boolean;

/** A column in a row group. Rows are numbered from the first of the group, and are in ascending order. */
export interface ColumnPages {
  /** The rows among these whose values pass the test; an empty value is null. Among all rows for null. */
  matching(test: Test, among: Uint32Array | null): Uint32Array;
  valuesAt(rows: Uint32Array): StoredValue[];
}

interface Page {
  /** The first row. */
  readonly first: number;
  readonly rows: number;
  /** Only the values at these rows are converted; all values for null. */
  readonly decode: (wanted: Uint32Array | null) => Decoded;
}

interface Decoded {
  /** The index of each row's value, -1 for an empty one; null if the values are one for each row. */
  readonly indexes: Int32Array | null;
  readonly values: Values;
  /** True if the values are the dictionary of the column. */
  readonly isDictionary: boolean;
}

/** Levels of definition are bits: these columns are not nested. */
const LEVEL_BITS = 1;
/** Before them stands their length. */
const LENGTH_BYTES = 4;

/** Opens the bytes of a column in a row group of so many rows. */
export function openPages(bytes: Bytes, decoder: ColumnDecoder, count: number): ColumnPages {
  const { pages, dictionary } = listPages(bytes, decoder, count);
  return {
    matching(test, among) {
      const found = new Uint32Array(among?.length ?? count);
      const passes = openAnswers(test, dictionary);
      let length = 0;
      eachPage(pages, among, ({ indexes, values, isDictionary }, { first, rows }, wanted) => {
        const last = wanted?.length ?? rows;
        for (let at = 0; at < last; at += 1) {
          const row = wanted === null ? at : (wanted[at] ?? 0) - first;
          const index = indexes === null ? row : (indexes[row] ?? -1);
          const isFound = isDictionary ? passes.at(index) : test(storedAt(values, index));
          if (isFound) found[length++] = first + row;
        }
      });
      return found.slice(0, length);
    },
    valuesAt(wantedRows) {
      const taken: StoredValue[] = [];
      eachPage(pages, wantedRows, ({ indexes, values }, { first, rows }, wanted) => {
        const last = wanted?.length ?? rows;
        for (let at = 0; at < last; at += 1) {
          const row = wanted === null ? at : (wanted[at] ?? 0) - first;
          taken.push(storedAt(values, indexes === null ? row : (indexes[row] ?? -1)));
        }
      });
      if (taken.length === wantedRows.length) return taken;
      throw new RangeError(`${taken.length} of ${wantedRows.length} values of a column were read`);
    },
  };
}

/** The value at an index; null at -1. */
function storedAt(values: Values, index: number): StoredValue {
  return index < 0 ? null : ((values[index] ?? null) as StoredValue); // the parsers give nothing else
}

const UNKNOWN = 0;
const PASSES = 1;
const FAILS = 2;

/** The answers of a test to the entries of a dictionary, and to the empty value at index -1: each is asked once. */
function openAnswers(test: Test, dictionary: Values = []) {
  const answers = new Uint8Array(dictionary.length + 1);
  return {
    at(index: number): boolean {
      let answer = answers[index + 1] ?? UNKNOWN;
      if (answer === UNKNOWN) {
        answer = test(storedAt(dictionary, index)) ? PASSES : FAILS;
        answers[index + 1] = answer;
      }
      return answer === PASSES;
    },
  };
}

/** Calls `visit` with each page that has one of these rows, and with those rows; with every page for null. */
function eachPage(
  pages: readonly Page[],
  among: Uint32Array | null,
  visit: (decoded: Decoded, page: Page, wanted: Uint32Array | null) => void,
): void {
  if (among === null) {
    for (const page of pages) visit(page.decode(null), page, null);
    return;
  }
  let from = 0;
  for (const page of pages) {
    let to = from;
    const end = page.first + page.rows;
    while (to < among.length && (among[to] ?? 0) < end) to += 1;
    const wanted = to - from === page.rows ? null : among.subarray(from, to);
    if (to > from) visit(page.decode(wanted), page, wanted);
    from = to;
  }
}

function listPages(bytes: Bytes, decoder: ColumnDecoder, count: number) {
  const reader = { view: viewOf(bytes), offset: 0 };
  const pages: Page[] = [];
  let dictionary: Values | undefined;
  for (let first = 0; first < count;) {
    const header = parquetHeader(reader);
    const start = reader.offset;
    if (header.type === 'DICTIONARY_PAGE') {
      const { data } = readPage(reader, header, decoder, undefined, undefined, 0);
      // An array: each read of a typed array would make a bigint anew.
      dictionary = data && Array.from<unknown>(convert(data, decoder));
      continue;
    }
    const rows = header.data_page_header?.num_values ?? header.data_page_header_v2?.num_rows ?? 0;
    if (rows === 0) throw new RangeError('a page of a column has no rows');
    reader.offset = start + header.compressed_page_size;
    const entries = dictionary;
    const page = { bytes, start, header, decoder, dictionary: entries, first };
    // A column that is tested and then shown is decoded once. Indexes take four bytes a row; values would take more.
    let known: Decoded | undefined;
    const decode: Page['decode'] = (wanted) => {
      const decoded = known ?? decodePage(page, wanted);
      if (decoded.isDictionary && wanted === null) known = decoded;
      return decoded;
    };
    pages.push({ first, rows, decode });
    first += rows;
  }
  return { pages, dictionary };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

interface StoredPage {
  readonly bytes: Bytes;
  /** Where its values begin, after its header. */
  readonly start: number;
  readonly header: Header;
  readonly decoder: ColumnDecoder;
  readonly dictionary: Values | undefined;
  /** The first row. */
  readonly first: number;
}

function decodePage(stored: StoredPage, wanted: Uint32Array | null): Decoded {
  const { bytes, start, header, decoder, dictionary, first } = stored;
  const page = header.data_page_header;
  if (page === undefined) {
    // The library decodes a page of another version, with every value.
    const reader = { view: viewOf(bytes), offset: start };
    const { data = [] } = readPage(reader, header, decoder, dictionary, undefined, 0);
    return { indexes: null, values: data, isDictionary: false };
  }
  const raw = decompressPage(
    bytes.subarray(start, start + header.compressed_page_size),
    header.uncompressed_page_size,
    decoder.codec,
    decoder.compressors,
  );
  const reader = { view: viewOf(raw), offset: 0 };
  const levels = decoder.element.repetition_type === 'REQUIRED' ? null : new Uint8Array(page.num_values);
  if (levels !== null) {
    const length = reader.view.getUint32(0, true);
    unpackRuns(raw, LENGTH_BYTES, LEVEL_BITS, levels);
    reader.offset = LENGTH_BYTES + length;
  }
  const { indexes, present } = indexesOf(levels, page.num_values);
  const places = wanted?.map((row) => (indexes === null ? row - first : (indexes[row - first] ?? -1)));
  const isIndexed = page.encoding === 'RLE_DICTIONARY' || page.encoding === 'PLAIN_DICTIONARY';
  if (!isIndexed || dictionary === undefined) {
    const values =
      page.encoding === 'PLAIN'
        ? readPlain(reader, decoder.type, present, decoder.element.type_length)
        : (differences(raw, reader.offset, page.encoding, decoder, present) ??
          readDataPage(raw, page, decoder).dataPage);
    return { indexes, values: converted(values, places, decoder), isDictionary: false };
  }
  const entries = new Int32Array(present);
  const width = present === 0 ? 0 : reader.view.getUint8(reader.offset++);
  // With a width of 0 the dictionary has one entry, which all values are.
  const only = places?.filter((place) => place < present) ?? null;
  if (width > 0) unpackRuns(raw, reader.offset, width, entries, only);
  const own =
    indexes === null ? entries : indexes.map((index) => (index < 0 ? index : (entries[index] ?? -1)));
  return { indexes: own, values: dictionary, isDictionary: true };
}

/** Whole numbers that are stored as differences; null for others, and if the library must read them. */
function differences(
  raw: Uint8Array,
  from: number,
  encoding: string,
  { type }: ColumnDecoder,
  present: number,
): BigInt64Array | null {
  if (encoding !== 'DELTA_BINARY_PACKED' || type !== 'INT64') return null;
  const values = new BigInt64Array(present);
  return unpackDifferences(raw, from, values) ? values : null;
}

/** The values as the parsers give them: only those at these places, if some are named and the parsers change values. */
function converted(values: Values, places: Uint32Array | undefined, decoder: ColumnDecoder): Values {
  const { type, converted_type, logical_type } = decoder.element;
  const isAsStored =
    type !== 'BYTE_ARRAY' && type !== 'INT96' && converted_type === undefined && logical_type === undefined;
  if (places === undefined || isAsStored) return convert(values, decoder);
  const own: unknown[] = [];
  const at: number[] = [];
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] ?? values.length;
    if (place >= values.length) continue;
    own.push(values[place]);
    at.push(place);
  }
  const read = convert(own, decoder);
  const found: unknown[] = [];
  for (let index = 0; index < at.length; index += 1) found[at[index] ?? 0] = read[index];
  return found;
}

/** Where the value of each row is among the present ones; null if none is empty. And how many are present. */
function indexesOf(levels: Uint8Array | null, rows: number) {
  if (levels === null || !levels.includes(0)) return { indexes: null, present: rows };
  const indexes = new Int32Array(rows);
  let present = 0;
  for (let row = 0; row < rows; row += 1) indexes[row] = levels[row] === 0 ? -1 : present++;
  return { indexes, present };
}
