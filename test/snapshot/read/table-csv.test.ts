import { randomInt } from 'node:crypto';
import { array, assert, asyncProperty, constantFrom, option, string } from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { ParquetSource } from '../../../src/parquet/open-file.ts';
import { writeRows } from '../../../src/parquet/write.ts';
import { tableCsv } from '../../../src/snapshot/read/table-csv.ts';
import { column, defineTable, type Table } from '../../../src/tables/table.ts';
import { readAll } from '../../store/contract.ts';
import { sharedThread } from '../../parquet/shared-thread.ts';

const table = defineTable({
  name: 'small',
  grain: 'one row',
  description: 'A row.',
  key: ['id'],
  from: null,
  columns: [
    column('id', 'id', 'The row.'),
    column('note', 'text?', 'A note.'),
    column('day', 'date?', 'A day.'),
    column('seen_at', 'timestamp?', 'When it was seen.'),
    column('rate', 'number?', 'A rate.'),
    column('locked', 'boolean?', 'Whether it is.'),
  ],
});
type Values = Readonly<Record<string, string | number | bigint | boolean | null>>;
const thread = sharedThread();

const SEED = randomInt(2 ** 31);
const EMPTY = { note: null, day: null, seen_at: null, rate: null, locked: null };

/** The rows as a file of our own writer, and how often a part of it was read. */
async function written(rows: Iterable<Values>) {
  const pieces: Uint8Array[] = [];
  await writeRows({
    table,
    constants: { snapshot_id: 's' },
    metadata: {},
    thread,
    rows,
    sink: async (bytes) => void pieces.push(Uint8Array.from(bytes)),
  });
  const bytes = Uint8Array.from(Buffer.concat(pieces));
  const reads: number[] = [];
  const source: ParquetSource = {
    size_bytes: bytes.length,
    read: async (from, to) => {
      reads.push(to + 1 - from);
      return bytes.slice(from, to + 1);
    },
  };
  return { source, reads, size: bytes.length };
}

async function csv(rows: Iterable<Values>, forSpreadsheets = false, of: Table = table): Promise<string> {
  const { source } = await written(rows);
  const bytes = await readAll(tableCsv(source, of, { forSpreadsheets }, async () => undefined));
  return bytes.toString('utf8');
}

describe('a table as CSV', () => {
  it('has a line for its columns and one for each row, and distinguishes an empty text from null', async () => {
    const full = { id: 2n ** 62n, note: '', day: '2026-02-28', seen_at: -1n, rate: 0.1, locked: false };
    expect(await csv([full, { ...EMPTY, id: -1n }])).toBe(
      'snapshot_id,id,note,day,seen_at,rate,locked\r\n' +
        // 2^62, and the last microsecond of 1969.
        's,4611686018427387904,"",2026-02-28,1969-12-31T23:59:59.999999Z,0.1,false\r\n' +
        's,-1,,,,,\r\n',
    );
  });

  it('of no rows is its header', async () => {
    expect(await csv([])).toBe('snapshot_id,id,note,day,seen_at,rate,locked\r\n');
  });

  it('leaves cells empty whose column came after the file', async () => {
    const newer = { ...table, columns: [...table.columns, column('later', 'cents?', 'Added later.')] };
    expect(await csv([{ ...EMPTY, id: 1n }], false, newer)).toBe(
      'snapshot_id,id,note,day,seen_at,rate,locked,later\r\ns,1,,,,,,\r\n',
    );
  });

  it.each([
    ['a carriage return', 'a\rb', '"a\rb"'],
    ['a line feed', 'a\nb', '"a\nb"'],
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'a"b', '"a""b"'],
    ['nothing of these', "a b;c'd\te", "a b;c'd\te"],
  ])('quotes a text exactly where a reader of lines would take it apart: %s', async (_, note, cell) => {
    expect(await csv([{ ...EMPTY, id: 1n, note }])).toBe(
      `snapshot_id,id,note,day,seen_at,rate,locked\r\ns,1,${cell},,,,\r\n`,
    );
  });

  it(`equals the written values for any texts (seed ${SEED})`, async () => {
    const texts = array(
      option(string({ unit: constantFrom('a', '"', ',', '\r', '\n', ' ', '=', 'é', '𝄞') })),
    );
    await assert(
      asyncProperty(texts, async (notes) => {
        const text = await csv(notes.map((note, index) => ({ ...EMPTY, id: BigInt(index), note })));
        const read = parse(text, { recordDelimiter: '\r\n', fromLine: 2 });
        expect(read.map((cells) => cells[2])).toEqual(notes.map((note) => note ?? ''));
      }),
      { numRuns: 10, seed: SEED, endOnFailure: true },
    );
  });

  it('A-30: for spreadsheets begins with a byte order mark and lets no text become a formula', async () => {
    const starts = ['=', '+', '-', '@', '|', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20'];
    const skipped = ['', ' ', '  ', '\u00A0', '\u3000', '\t', '\r', '\n', '\u200B', '\0', ' \t\u00A0'];
    const dangerous = [
      ...starts.flatMap((start) => skipped.map((before) => `${before}${start}1+1`)),
      '\tplain',
      '\rplain',
      '\nplain',
    ];
    const harmless = ['a=1', "it's", ' a', '\u00A0a', 'a|b', '1-1', '', "'=1", '(=1)'];
    const notes = [...dangerous, ...harmless];
    const text = await csv(
      notes.map((note) => ({ ...EMPTY, id: -1n, note, rate: -0.5 })),
      true,
    );
    expect(text.startsWith('\u{FEFF}snapshot_id,')).toBe(true);
    const read = parse(text, { bom: true, recordDelimiter: '\r\n', fromLine: 2 });
    expect(read.map((cells) => cells[2])).toEqual([...dangerous.map((note) => `'${note}`), ...harmless]);
    // A number is none: a minus before it is its sign.
    expect(read.map((cells) => [cells[1], cells[5]])).toEqual(notes.map(() => ['-1', '-0.5']));
  });

  it('of several row groups reads each once and is given out in pieces', async () => {
    const ROWS = 140_000; // 131,072 to a row group
    function* rows(): Generator<Values> {
      for (let row = 0; row < ROWS; row += 1) yield { ...EMPTY, id: BigInt(row), note: `note ${row}` };
    }
    const { source, reads, size } = await written(rows());
    let turns = 0;
    let most = 0;
    let expected = 0;
    let rest = '';
    for await (const piece of tableCsv(
      source,
      table,
      { forSpreadsheets: false },
      async () => void (turns += 1),
    )) {
      most = Math.max(most, piece.length);
      const lines = (rest + Buffer.from(piece).toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('snapshot_id')) continue;
        if (line !== `s,${expected},note ${expected},,,,`) throw new Error(`${line} is not row ${expected}`);
        expected += 1;
      }
    }
    expect([expected, rest]).toEqual([ROWS, '']);
    expect(most).toBeLessThan(20_000); // 512 rows of less than 30 bytes
    expect(turns).toBeGreaterThan(ROWS / 512);
    // The first read is for the footer, which the library takes to be anywhere in the last 512 KiB; then come the two groups.
    expect(reads).toHaveLength(3);
    expect(reads.slice(1).reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(size);
  });
});
