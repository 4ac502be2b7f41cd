/** What files hold becomes rows, or is refused: nothing goes in silently wrong. */
import type { Mutants } from './mutant.ts';

const ROWS = ['test/ledger/sources/whole-rows.test.ts'];
const FILES = ['test/ledger/sources/find-files.test.ts'];
const CELLS = ['test/ledger/sources/cells.test.ts'];
const TEXT = ['test/ledger/sources/encodings.test.ts'];
const PARQUET = ['test/ledger/sources/parquet.test.ts'];

export const SOURCES: Mutants = {
  'source-one-thing': {
    rule: 'a file that changes while it is read is refused, in every format (issue 50)',
    file: 'src/ledger/sources/reading.ts',
    find: 'if (!(await isStill(path, fingerprint))) throw changed(null);',
    replace: '',
    caughtBy: ROWS,
  },
  'source-digest': {
    rule: 'a file whose bytes changed is another file, whatever its times say (issue 50)',
    file: 'src/ledger/sources/fingerprint.ts',
    find: "return [dev, ino, size, mtimeNs, ctimeNs].join(' ');",
    replace: "return [dev, ino, size, mtimeNs].join(' ') + String(ctimeNs).slice(0, 0);",
    caughtBy: ['test/ledger/sources/fingerprint.test.ts'],
  },
  'source-content-twice': {
    rule: 'the same content twice in one load is refused (issue 50)',
    file: 'src/ledger/sources/reading.ts',
    find: 'if (file.rows > 0 && first !== origin) {',
    replace: 'if (file.rows < 0 && first !== origin) {',
    caughtBy: FILES,
  },
  'source-content-packed': {
    rule: 'a packed copy has the content of its unpacked twin (issue 50)',
    file: 'src/ledger/sources/gzip.ts',
    find: "  onEnd(hash.digest('hex'));\n",
    replace: '',
    caughtBy: FILES,
  },
  'source-gzip-end': {
    rule: 'a gzip file is read to its last byte (issue 50)',
    file: 'src/ledger/sources/gzip.ts',
    find: 'if (unread > 0) {',
    replace: 'if (unread < 0) {',
    caughtBy: ['test/ledger/sources/gzip.test.ts'],
  },
  'source-folder-whole': {
    rule: 'a folder with a file of another form is refused (issue 50)',
    file: 'src/ledger/sources/walk.ts',
    find: 'else if (formOf(name) === undefined) refuse(wayOut(name));\n    else walk.files.push({ path, name });',
    replace: 'else if (formOf(name) !== undefined) walk.files.push({ path, name });',
    caughtBy: FILES,
  },
  'source-link-out': {
    rule: 'no link is followed out of a folder (issue 50)',
    file: 'src/ledger/sources/walk.ts',
    find: "else if (relative(root, target).split(sep)[0] === '..')",
    replace: "else if (relative(root, target).split(sep)[0] === '...')",
    caughtBy: FILES,
  },
  'source-link-once': {
    rule: 'a file counts once that a link of its folder names, too (issue 50)',
    file: 'src/ledger/sources/walk.ts',
    find: 'if (real.has(target)) leave',
    replace: 'if (!real.has(target)) leave',
    caughtBy: FILES,
  },
  'source-row-cells': {
    rule: 'a row has as many cells as the header, in FOCUS, too (issue 50)',
    file: 'src/ledger/sources/whole-rows.ts',
    find: 'if (cells.length !== all) {',
    replace: 'if (cells.length < 0) {',
    caughtBy: ROWS,
  },
  'source-column-once': {
    rule: 'a column stands once, also by case and blanks (issue 50)',
    file: 'src/ledger/sources/whole-rows.ts',
    find: "const key = (name ?? '').trim().toLowerCase();",
    replace: "const key = name ?? '';",
    caughtBy: ROWS,
  },
  'source-empty-middle': {
    rule: 'an empty row is ignored at the end of a file alone (issue 50)',
    file: 'src/ledger/sources/whole-rows.ts',
    find: 'if (empty > 0) {\n        const expected',
    replace: 'if (empty < 0) {\n        const expected',
    caughtBy: ROWS,
  },
  'source-row-of-few-blanks': {
    rule: 'a row of fewer blank cells than the header is a row that is cut, not an empty one (issue 50)',
    file: 'src/ledger/sources/whole-rows.ts',
    find: '  return (isLine || cells.length === all) && cells.every(isBlank);',
    replace: '  return (isLine || cells.length <= all) && cells.every(isBlank);',
    caughtBy: ['test/ledger/sources/whole-rows.test.ts'],
  },
  'source-nested-text': {
    rule: 'an object or a list is no text of a column, but in columns of JSON (issue 50)',
    file: 'src/ledger/load/stage.ts',
    find: '  if (nested !== undefined) return refuse(nested, PLAIN_VALUE);',
    replace: '  if (nested === -1) return refuse(nested, PLAIN_VALUE);',
    caughtBy: ['test/slips/cases.test.ts'],
  },
  'source-nested-focus': {
    rule: 'an object or a list names no provider and no account of a bill (issue 50)',
    file: 'src/ledger/focus/read-files.ts',
    find: '  return nested?.values().find((place) => plain.has(place) && cells[place] !== null) ?? null;',
    replace: '  return nested?.values().find((place) => plain.has(-1) && cells[place] !== null) ?? null;',
    caughtBy: ['test/slips/cases.test.ts'],
  },
  'source-lost-letter': {
    rule: 'a lost letter is never stored, from any format (issue 50)',
    file: 'src/ledger/sources/whole-rows.ts',
    find: 'if (cell.includes(LOST))',
    replace: 'if (cell === LOST)',
    caughtBy: ROWS,
  },
  'source-json-key': {
    rule: 'a key of JSON stands once, at every depth (issue 50)',
    file: 'src/ledger/sources/json-keys.ts',
    find: "if (character === '{') open.push(new Set());",
    replace: "if (character === '{') open.push(open.length === 0 ? new Set() : null);",
    caughtBy: ROWS,
  },
  'source-encoding-mark': {
    rule: 'a byte order mark that says another encoding than --encoding refuses the file (issue 50)',
    file: 'src/ledger/sources/encodings.ts',
    find: 'if (marked !== null && wanted !== null && marked !== wanted) {',
    replace: 'if (marked === null && wanted !== null && marked !== wanted && wanted === null) {',
    caughtBy: TEXT,
  },
  'source-encoding-utf8': {
    rule: 'UTF-8 is not read as Windows-1252 (issue 50)',
    file: 'src/ledger/sources/encodings.ts',
    find: 'if (stillUtf8 && beyondAscii && carried.length === 0) {',
    replace: 'if (stillUtf8 && !beyondAscii && beyondAscii) {',
    caughtBy: TEXT,
  },
  'source-number-typed': {
    rule: '--decimal touches no number of ndjson or Parquet (issue 50)',
    file: 'src/ledger/sources/cells.ts',
    find: 'if (isNumber || !DIGITS.test(cell)) return cell;',
    replace: 'if (!DIGITS.test(cell)) return cell;',
    caughtBy: CELLS,
  },
  'source-number-lone': {
    rule: 'a lone separator before three digits needs --decimal (issue 50)',
    file: 'src/ledger/sources/decimals.ts',
    find: 'return sign === null && LONE.test(text);',
    replace: 'return sign !== null && LONE.test(text) && sign === null;',
    caughtBy: CELLS,
  },
  'source-number-zero': {
    rule: 'no group of a number begins with zero (issue 50)',
    file: 'src/ledger/sources/decimals.ts',
    find: String.raw`comma: /^(-?)([1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,(\d+))?$/,`,
    replace: String.raw`comma: /^(-?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?$/,`,
    caughtBy: ['test/ledger/sources/decimals.test.ts'],
  },
  'source-ref-blanks': {
    rule: 'a source_ref loses blanks at its ends (issue 50)',
    file: 'src/ledger/sources/cells.ts',
    find: 'return namesByRef(table, column.name) ? (cell) => cell.trim() : (cell) => cell;',
    replace: 'return namesByRef(table, column.name) ? (cell) => cell : (cell) => cell;',
    caughtBy: CELLS,
  },
  'source-parquet-zone': {
    rule: 'a time without a zone is refused in plain Parquet as in CSV (issue 50)',
    file: 'src/ledger/sources/parquet.ts',
    find: 'if (isForeign || !lacksZone(element)) return cellOf;',
    replace: 'if (isForeign || lacksZone(element) || !lacksZone(element)) return cellOf;',
    caughtBy: PARQUET,
  },
  'source-parquet-nanoseconds': {
    rule: 'a part of a microsecond is never cut off silently (issue 50)',
    file: 'src/ledger/sources/parquet.ts',
    find: "return part === 0n ? time : time.replace('Z', `${String(part).padStart(3, '0')}Z`);",
    replace: 'return part < 0n ? time.slice(0, 0) : time;',
    caughtBy: PARQUET,
  },
};
