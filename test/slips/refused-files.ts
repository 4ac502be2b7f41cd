/** Slips of texts and bytes that the rules of a load refuse alone. */
import { gzipSync } from 'node:zlib';
import { LINES, type Slip, TEXTS, inRows, inWord, placeIn, spliced, withoutBreaks } from './slip.ts';
import { lineOf, columnOf, withCell } from './sheet.ts';

const MARK = '\u{1F9FE}';

const QUOTES: readonly Slip[] = [
  inWord('a cell with the separator has lost its quotes', 'Word', (separator) => `a${separator} b`, false),
  inWord('a quote stands within a bare cell', 'Word', () => '5" disk', false),
  inWord('a quote within quotes is not doubled', 'Word', () => '5" disk', true),
  inWord('text follows a closing quote', 'Word', () => '" x', true),
  {
    kind: 'a quote is lost',
    forms: TEXTS,
    inCells: (sheet) => withCell(sheet, sheet.rows.length - 1, columnOf(sheet, 'text'), 'Acme,; Inc.\tX'),
    inText: (text, chance) => spliced(text, placeIn(text, '"', chance) ?? 0, 1),
  },
];

const TEXT_FILES: readonly Slip[] = [
  {
    kind: 'all lines end with a carriage return alone',
    forms: TEXTS,
    inText: (text) => text.replaceAll(/\r?\n/g, '\r'),
  },
  {
    kind: 'one line ends with a carriage return alone',
    forms: TEXTS,
    inCells: withoutBreaks,
    inText: (text, chance, { dialect }) => {
      const at = placeIn(text.trimEnd(), dialect.lineEnd, chance) ?? 0;
      return spliced(text, at, dialect.lineEnd.length, '\r');
    },
  },
  {
    kind: 'the line end between two rows is lost',
    forms: LINES,
    inCells: withoutBreaks,
    inText: (text, chance, { dialect }) =>
      spliced(text, placeIn(text.trimEnd(), dialect.lineEnd, chance) ?? 0, dialect.lineEnd.length),
  },
  {
    kind: 'the line sep= of Excel stands first',
    forms: TEXTS,
    inText: (text, _, { dialect }) => `sep=${dialect.separator}${dialect.lineEnd}${text}`,
  },
  {
    kind: 'one row has another separator',
    forms: TEXTS,
    inText: (text, chance, { dialect, rows }) => {
      const row = chance.oneOf(rows);
      const separator = dialect.separator === ';' ? ',' : ';';
      return text.replace(lineOf(row, dialect), () => lineOf(row, { ...dialect, separator }));
    },
  },
  {
    kind: 'a file is cut within its last row, before the last cell',
    forms: TEXTS,
    inCells: withoutBreaks,
    inText: (text, chance, { dialect, rows }) => {
      const last = rows.at(-1) ?? [];
      const start = text.lastIndexOf(lineOf(last, dialect));
      return text.slice(0, start + 1 + chance.below(lineOf(last.slice(0, -1), dialect).length));
    },
  },
];

/** A slip of a drawn line of JSON. */
function inLine(kind: string, change: (line: string) => string): Slip {
  return {
    kind,
    forms: ['ndjson'],
    inText: (text, chance, { dialect }) => {
      const lines = text.trimEnd().split(dialect.lineEnd);
      const at = chance.below(lines.length);
      return lines.with(at, change(lines[at] ?? '')).join(dialect.lineEnd);
    },
  };
}

/** A slip of a value that is plain. */
function nested(kind: string, value: string): Slip {
  return {
    kind,
    forms: ['ndjson'],
    inCells: (sheet, chance) =>
      withCell(sheet, chance.below(sheet.rows.length), columnOf(sheet, 'text'), MARK),
    inText: (text) => text.replace(`"${MARK}"`, value),
  };
}

const JSON_LINES: readonly Slip[] = [
  inLine('a key of JSON stands twice', (line) => line.replace(/^\{("[^"]+":)/, '{$1"x",$1')),
  inLine('a key of JSON stands twice, once escaped', (line) =>
    line.replace(
      /^\{"(.)([^"]+)"/,
      (_, first: string, rest: string) =>
        `{"\\u00${first.charCodeAt(0).toString(16)}${rest}":null,"${first}${rest}"`,
    ),
  ),
  inLine('a line of JSON has its end twice', (line) => `${line}}`),
  inLine('a line of JSON has lost its end', (line) => line.slice(0, -1)),
  inLine('a line of JSON is a list', (line) => `[${line}]`),
  inLine('a line of JSON ends with a comma', (line) => `${line},`),
  inLine('an object ends with a comma', (line) => `${line.slice(0, -1)},}`),
  nested('a text of JSON is an object', '{"x":"y"}'),
  nested('a text of JSON is a list', '["x"]'),
  inLine('a line of JSON is a word', () => '"x"'),
  inLine('a line of JSON is null', () => 'null'),
  inLine('an object has a number that JSON does not have', (line) => line.replace(/:"[^"]*"/, ':NaN')),
  inLine('an object has names without quotes', (line) => line.replace(/^\{"(\w+)"/, '{$1')),
  inRows('an object has a field more than the first', (rows) => rows, {
    forms: ['ndjson'],
    inCells: (sheet) => sheet,
    inText: (text, _, { dialect }) =>
      `${text.trimEnd()}${dialect.lineEnd}${(text.trimEnd().split(dialect.lineEnd)[0] ?? '').slice(0, -1)},"more":1}`,
  }),
];

const marked: NonNullable<Slip['inCells']> = (sheet, chance) =>
  withCell(sheet, chance.below(sheet.rows.length), columnOf(sheet, 'text'), `M${MARK}ller`);

/** The bytes with others in place of the mark. */
function inMark(kind: string, added: readonly number[]): Slip {
  return {
    kind,
    forms: LINES,
    inCells: marked,
    inPlain: (bytes) => {
      const at = bytes.indexOf(MARK);
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(added),
        bytes.subarray(at + Buffer.byteLength(MARK)),
      ]);
    },
  };
}

const ENCODINGS: readonly Slip[] = [
  {
    kind: 'a UTF-16 file is cut within a letter',
    forms: LINES,
    inPlain: (bytes) => Buffer.from(`\uFEFF${bytes.toString()}`, 'utf16le').subarray(0, -1),
  },
  inMark('a letter is in Windows-1252', [0xfc]),
  inMark('a letter of UTF-8 is cut', [0xf0, 0x9f]),
  inMark('a letter is in UTF-8 that is too long', [0xc0, 0xaf]),
  inMark('half a pair of UTF-16 is in UTF-8', [0xed, 0xa0, 0xbd]),
  {
    kind: 'a file is UTF-16 without its mark',
    forms: LINES,
    inPlain: (bytes, chance) => {
      const wide = Buffer.from(bytes.toString(), 'utf16le');
      return chance.happens(0.5) ? wide : wide.swap16();
    },
  },
  {
    kind: 'a mark says UTF-16 of a text in UTF-8',
    forms: LINES,
    inPlain: (bytes, chance) =>
      Buffer.concat([
        Buffer.from(
          chance.oneOf([
            [0xff, 0xfe],
            [0xfe, 0xff],
          ]),
        ),
        bytes,
      ]),
  },
];

const PACKED: readonly Slip[] = [
  {
    kind: 'a packed file has the name of a plain one',
    forms: ['csv', 'standard input', 'ndjson'],
    inFile: (bytes) => gzipSync(bytes),
  },
  {
    kind: 'a plain file has the name of a packed one',
    forms: ['csv.gz'],
    inFile: (bytes) => Buffer.concat([Buffer.from('a'), bytes]),
  },
  {
    kind: 'a text has the name of a Parquet file',
    forms: ['parquet'],
    inFile: () => Buffer.from('a,b\n1,2\n'),
  },
  {
    kind: 'a gzip file is cut',
    forms: ['csv.gz'],
    inFile: (bytes, chance) => bytes.subarray(0, 1 + chance.below(bytes.length - 1)),
  },
  {
    kind: 'the checksum or the length of a gzip file is wrong',
    forms: ['csv.gz'],
    inFile: (bytes, chance) => {
      const at = bytes.length - 1 - chance.below(8);
      return Buffer.from(bytes.with(at, (bytes[at] ?? 0) ^ (1 << chance.below(8))));
    },
  },
  {
    kind: 'zeros follow a gzip file',
    forms: ['csv.gz'],
    inFile: (bytes, chance) => Buffer.concat([bytes, Buffer.alloc(1 + chance.below(600))]),
  },
  {
    kind: 'other bytes follow a gzip file',
    forms: ['csv.gz'],
    inFile: (bytes) => Buffer.concat([bytes, Buffer.from('x,y\n')]),
  },
  {
    kind: 'the second part of a gzip file is cut',
    forms: ['csv.gz'],
    inFile: (bytes, chance) => Buffer.concat([bytes, bytes.subarray(0, 2 + chance.below(bytes.length - 2))]),
  },
  {
    kind: 'a Parquet file is cut',
    forms: ['parquet'],
    inFile: (bytes, chance) => bytes.subarray(0, chance.below(bytes.length)),
  },
  {
    kind: 'the start of a Parquet file is lost',
    forms: ['parquet'],
    inFile: (bytes, chance) => bytes.subarray(1 + chance.below(200)),
  },
];

export const REFUSED_FILES: readonly Slip[] = [
  ...QUOTES,
  ...TEXT_FILES,
  ...JSON_LINES,
  ...ENCODINGS,
  ...PACKED,
];
