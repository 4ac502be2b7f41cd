/** The encodings of text files. Every text is passed on in UTF-8, without its byte order mark. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { Encoding } from '../staging/mode.ts';
import { CsvBroken } from '../staging/row.ts';

/** What a byte order mark says of the bytes after it. */
const MARKS: readonly (readonly [bytes: readonly number[], encoding: Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
/** The first bytes of files that are no text, and the next step. */
const NO_TEXT: readonly (readonly [bytes: readonly number[], found: string])[] = [
  [
    [0x1f, 0x8b],
    'a file compressed with gzip: give it a name that ends in .csv.gz, or unpack it with gunzip',
  ],
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive or a spreadsheet: unpack it, or save the sheet as CSV UTF-8'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file: give it a name that ends in .parquet'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a file compressed with zstd: unpack it'],
  [[0x42, 0x5a, 0x68], 'a file compressed with bzip2: unpack it'],
  [[0xfd, 0x37, 0x7a, 0x58], 'a file compressed with xz: unpack it'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old spreadsheet: save the sheet as CSV UTF-8'],
];
const LONGEST_MARK = 4;
/** Bytes that Windows-1252 leaves without a letter; a decoder turns them into control characters. */
const NO_LETTER = /[\u0081\u008D\u008F\u0090\u009D]/;
const LOST = '\uFFFD';

/**
 * Yields the text in UTF-8. Throws `CsvBroken` for a file that is no text, and if the byte order mark or
 * the bytes show another encoding than `named`.
 */
export async function* utf8Bytes(
  bytes: AsyncIterable<Buffer>,
  named: Encoding | null,
): AsyncGenerator<Buffer> {
  const { head, rest } = await openingOf(bytes);
  try {
    const found = NO_TEXT.find(([start]) => beginsWith(head, start))?.[1];
    if (found !== undefined) throw new CsvBroken(1, `text; this is ${found}`, null);
    const [mark = [], marked = null] = MARKS.find(([start]) => beginsWith(head, start)) ?? [];
    const encoding = chosen(named, marked);
    if (encoding === 'utf-8' && head.subarray(0, 2).includes(0)) {
      const expected =
        'text in UTF-8; this is UTF-16 without a byte order mark: name --encoding utf-16le or utf-16be';
      throw new CsvBroken(1, expected, null);
    }
    if (encoding.startsWith('utf-16') && marked === null && head[encoding === 'utf-16le' ? 1 : 0] !== 0) {
      throw new CsvBroken(
        1,
        `text in ${encoding}, as --encoding says; this file begins with other bytes`,
        null,
      );
    }
    const text = joined(head.subarray(mark.length), rest);
    yield* encoding === 'utf-8' ? text : decoded(text, encoding);
  } finally {
    await rest.return?.();
  }
}

/** The encoding of a file; throws if its byte order mark says another one than `named`. */
function chosen(named: Encoding | null, marked: Encoding | null): Exclude<Encoding, 'utf-16'> {
  const wanted = named === 'utf-16' && marked?.startsWith('utf-16') === true ? marked : named;
  if (wanted === 'utf-16') {
    const expected = 'a byte order mark of UTF-16: name --encoding utf-16le or utf-16be instead';
    throw new CsvBroken(1, expected, null);
  }
  if (marked !== null && wanted !== null && marked !== wanted) {
    const expected = `text in ${wanted}, as --encoding says; its byte order mark says ${marked}: load this file without --encoding`;
    throw new CsvBroken(1, expected, null);
  }
  const encoding = wanted ?? marked ?? 'utf-8';
  return encoding === 'utf-16' ? 'utf-16le' : encoding;
}

interface Opening {
  /** The first bytes, at least as many as the longest mark has, if the file has them. */
  readonly head: Buffer;
  readonly rest: AsyncIterator<Buffer>;
}

async function openingOf(bytes: AsyncIterable<Buffer>): Promise<Opening> {
  const rest = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < LONGEST_MARK) {
    const { value, done } = await rest.next();
    if (done === true) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return { head, rest };
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

function beginsWith(bytes: Buffer, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

async function* decoded(
  bytes: AsyncIterable<Buffer>,
  encoding: Exclude<Encoding, 'utf-8' | 'utf-16'>,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const single = encoding === 'windows-1252';
  // Text with letters beyond ASCII that is UTF-8 all through is UTF-8, although another encoding was named.
  let beyondAscii = false;
  let stillUtf8 = single;
  let carried: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (single && !isAscii(chunk)) beyondAscii = true;
    if (stillUtf8) {
      const all = Buffer.concat([carried, chunk]);
      const cut = all.length - openSequence(all);
      stillUtf8 = isUtf8(all.subarray(0, cut));
      carried = all.subarray(cut);
    }
    const text = decoder.decode(chunk, { stream: true });
    yield Buffer.from(
      single && NO_LETTER.test(text) ? text.replaceAll(new RegExp(NO_LETTER, 'g'), LOST) : text,
    );
  }
  const end = decoder.decode();
  if (end !== '') yield Buffer.from(end);
  if (stillUtf8 && beyondAscii && carried.length === 0) {
    throw new CsvBroken(
      null,
      'text in windows-1252, as --encoding says; this file is UTF-8: load it without --encoding',
      null,
    );
  }
}

/** The number of bytes at the end that belong to an incomplete character of UTF-8. */
function openSequence(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
