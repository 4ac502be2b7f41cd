/**
 * Names the root of a Parquet schema after its table. The library names every root `arrow_schema` and has no option for
 * another name, so the name is replaced in the finished footer.
 */

// Field 4 of a SchemaElement in Thrift's compact form: field header, length, text.
const NAME_FIELD = 0x48;
const LIBRARY_ROOT = Buffer.from('\u0048\u000carrow_schema', 'latin1');
/** The root begins within this many bytes. Before it are the version and the header of the list of elements. */
const MAX_HEAD_BYTES = 16;
const TRAILER_BYTES = 8;
const MAGIC = 'PAR1';

interface FileEnd {
  readonly pages: Uint8Array<ArrayBuffer>;
  readonly footer: Uint8Array<ArrayBuffer>;
}

/**
 * Splits the last bytes of a file into pages and footer, and writes `name` into the footer. Null if these bytes do not end
 * with a whole footer.
 */
export function nameRoot(end: Uint8Array<ArrayBuffer>, name: string): FileEnd | null {
  const bytes = Buffer.from(end.buffer, end.byteOffset, end.length);
  if (bytes.length < TRAILER_BYTES || bytes.toString('latin1', bytes.length - 4) !== MAGIC) return null;
  const length = bytes.readUInt32LE(bytes.length - TRAILER_BYTES);
  const from = bytes.length - TRAILER_BYTES - length;
  if (from < 0) return null;
  const footer = bytes.subarray(from, -TRAILER_BYTES);
  const root = footer.subarray(0, MAX_HEAD_BYTES + LIBRARY_ROOT.length).indexOf(LIBRARY_ROOT);
  if (root === -1) return null;
  const text = Buffer.from(name);
  if (text.length > 127)
    throw new Error(`the root of the schema cannot be named ${name}: it has over 127 bytes`);
  const renamed = [
    footer.subarray(0, root),
    Buffer.from([NAME_FIELD, text.length]),
    text,
    footer.subarray(root + LIBRARY_ROOT.length),
  ];
  const trailer = Buffer.alloc(TRAILER_BYTES, MAGIC);
  trailer.writeUInt32LE(length - LIBRARY_ROOT.length + 2 + text.length);
  return { pages: end.subarray(0, from), footer: new Uint8Array(Buffer.concat([...renamed, trailer])) };
}
