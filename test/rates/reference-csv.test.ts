import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type RateFault, readReferenceRates } from '../../src/rates/reference-csv.ts';
import { zipOf } from './zipped.ts';

const read = (text: string) => readReferenceRates(Buffer.from(text));

/** What reading the bytes is refused with. */
function refusalOf(bytes: Buffer): { code: string; message: string; data: { faults?: RateFault[] } } {
  try {
    readReferenceRates(bytes);
  } catch (error) {
    return error as { code: string; message: string; data: { faults?: RateFault[] } }; // of the catalogue, see below
  }
  throw new Error('it was not refused');
}

/** The faults that a text is refused for, as `line column: value`. */
function faultsOf(text: string | Buffer): readonly string[] {
  const { code, data } = refusalOf(Buffer.from(text));
  expect(code).toBe('rates_rejected');
  return (data.faults ?? []).map(({ line, column, value }) => `${line} ${column}: ${value}`);
}

/** What a zip is refused for. */
function zipRefusal(zip: Buffer): string {
  const { code, message } = refusalOf(zip);
  expect(code).toBe('rates_rejected');
  return message;
}

describe('a file as the bank publishes it', () => {
  const PUBLISHED =
    'Date,USD,JPY,CYP,\n2026-07-14,1.1740,183.51,N/A,\n2026-07-13,1.1702,N/A,N/A,\n1999-01-04,1.1789,133.73,0.58231,\n';

  it('is read with its comma at the end of each line, newest day first, N/A being no rate', () => {
    expect(read(PUBLISHED)).toEqual({
      currencies: ['USD', 'JPY', 'CYP'],
      first: '1999-01-04',
      last: '2026-07-14',
      rates: [
        { day: '2026-07-14', currency: 'USD', units_per_euro: '1.1740' },
        { day: '2026-07-14', currency: 'JPY', units_per_euro: '183.51' },
        { day: '2026-07-13', currency: 'USD', units_per_euro: '1.1702' },
        { day: '1999-01-04', currency: 'USD', units_per_euro: '1.1789' },
        { day: '1999-01-04', currency: 'JPY', units_per_euro: '133.73' },
        { day: '1999-01-04', currency: 'CYP', units_per_euro: '0.58231' },
      ],
    });
  });

  it('is the same without those commas, with blanks, other line ends, a byte order mark, and zipped', () => {
    const plain = `\uFEFFDate, USD, JPY, CYP\r\n${PUBLISHED.split('\n')
      .slice(1)
      .join('\r\n')
      .replaceAll(/,(?=\r)/g, '')}`;
    expect(read(plain)).toEqual(read(PUBLISHED));
    const zip = zipOf({ 'eurofxref-hist.csv': Buffer.from(PUBLISHED) });
    expect(readReferenceRates(zip)).toEqual(read(PUBLISHED));
  });

  it.each([
    ['stored and not deflated', { method: 0 }],
    ['with more in its local headers than in its directory', { extra: 28 }],
    ['beside a folder, each with a comment', { comment: 'made by hand' }],
  ])('is read from a zip %s', (_, kind) => {
    const zip = zipOf({ 'rates/': Buffer.of(), 'rates/hist.csv': Buffer.from(PUBLISHED) }, kind);
    expect(readReferenceRates(zip)).toEqual(read(PUBLISHED));
  });

  it('of one day has that day as its first and last', () => {
    expect(read('Date,USD\n2026-07-14,1.1740\n')).toMatchObject({ first: '2026-07-14', last: '2026-07-14' });
  });
});

describe('a file is refused, with line and column, for', () => {
  it.each([
    ['a first column that is not Date', 'Day,USD\n2026-07-14,1.1\n', ['1 null: Day']],
    ['nothing in it', '', ['1 null: null']],
    ['no currency', 'Date,\n2026-07-14,\n', ['1 null: null']],
    ['a currency that is none', 'Date,USD,Pound\n', ['1 Pound: Pound']],
    ['the euro against itself', 'Date,EUR\n', ['1 EUR: EUR']],
    ['a currency twice', 'Date,USD,GBP,USD\n', ['1 USD: USD']],
    ['no day', 'Date,USD\n', ['2 null: null']],
    ['a day written otherwise', 'Date,USD\n14 July 2026,1.1\n', ['2 Date: 14 July 2026']],
    ['a day that no calendar has', 'Date,USD\n2026-02-29,1.1\n', ['2 Date: 2026-02-29']],
    ['a year that nobody means', 'Date,USD\n2260-02-28,1.1\n', ['2 Date: 2260-02-28']],
    ['a year before there was such a bank', 'Date,USD\n1989-12-31,1.1\n', ['2 Date: 1989-12-31']],
    ['a day twice', 'Date,USD\n2026-07-14,1.1\n2026-07-13,1.1\n2026-07-14,1.1\n', ['4 Date: 2026-07-14']],
    ['a cell too few', 'Date,USD,GBP,\n2026-07-14,1.1,\n', ['2 null: 2 cells']],
    ['a cell too many', 'Date,USD\n2026-07-14,1.1,0.8\n', ['2 null: 3 cells']],
    ['an empty cell', 'Date,USD,GBP\n2026-07-14,,0.8\n', ['2 USD: ']],
    ['zero', 'Date,USD\n2026-07-14,0.0\n', ['2 USD: 0.0']],
    ['less than zero', 'Date,USD\n2026-07-14,-1.1\n', ['2 USD: -1.1']],
    ['a number in another notation', 'Date,USD\n2026-07-14,1e3\n', ['2 USD: 1e3']],
    ['a comma in a number', 'Date,USD\n2026-07-14,"1,1"\n', ['2 USD: 1,1']],
    ['more decimals than are kept', 'Date,USD\n2026-07-14,1.12345678901\n', ['2 USD: 1.12345678901']],
    ['more digits than are kept', 'Date,USD\n2026-07-14,12345678901\n', ['2 USD: 12345678901']],
    ['another word for a missing rate', 'Date,USD\n2026-07-14,NaN\n', ['2 USD: NaN']],
    ['a quote left open', 'Date,USD\n2026-07-14,"1.1\n', ['2 null: null']],
    ['a header below an empty line', '\nDay,USD\n2026-07-14,1.1\n', ['2 null: Day']],
    ['a currency below an empty line', '\nDate,usd\n2026-07-14,1.1\n', ['2 usd: usd']],
    ['no day below a header on line 2', '\nDate,USD\n', ['3 null: null']],
    ['another encoding', Buffer.from('Date,USD\n2026-07-14,1.1\xa0\n', 'latin1'), ['2 null: null']],
  ])('%s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it('everything that is wrong with it at once', () => {
    expect(faultsOf('Date,USD,GBP\n\n2026-07-14,x,0.8\n2026-07-13,1.1,y\n')).toEqual([
      '3 USD: x',
      '4 GBP: y',
    ]);
  });

  it('a quote within a cell, with the forms that a cell may have; a whole cell in quotes is read', () => {
    const { data } = refusalOf(Buffer.from('Date,USD\n2026-07-14,1"1\n'));
    expect(data.faults).toMatchObject([
      { line: 2, expected: 'cells without quotes, or whole cells in quotes' },
    ]);
    expect(read('Date,USD\n2026-07-14,"1.1"\n').rates).toEqual([
      { day: '2026-07-14', currency: 'USD', units_per_euro: '1.1' },
    ]);
  });

  it('one fault, which is said to be one', () => {
    const { message } = refusalOf(Buffer.from('Date,USD\n2026-07-14,x\n'));
    expect(message).toBe('The file of rates has 1 fault, the first at line 2, USD; nothing was imported.');
  });

  it('at most a hundred faults, counted in full, and 40 characters of what stands there', () => {
    // 101 days of January to April 2026 (31 + 28 + 31 + 11), each with a word for its rate.
    const days = Array.from({ length: 101 }, (_, day) =>
      new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const lines = days.map((day) => `${day},${'x'.repeat(50)}\n`);
    const { message, data } = refusalOf(Buffer.from(`Date,USD\n${lines.join('')}`));
    expect(message).toContain('101 faults');
    expect(data.faults).toHaveLength(100);
    expect(data.faults?.[0]?.value).toBe('x'.repeat(40));
  });
});

describe('a zip is refused', () => {
  const CSV = Buffer.from('Date,USD\n2026-07-14,1.1\n');
  const good = zipOf({ 'rates.csv': CSV });

  it('when any of its bytes is missing at the end', () => {
    for (let kept = 22; kept < good.length; kept += 1) {
      expect(zipRefusal(good.subarray(0, kept))).toMatch(/^The zip of rates is refused/);
    }
  });

  it('when anything follows its end', () => {
    expect(zipRefusal(Buffer.concat([good, Buffer.from('x')]))).toContain('it has no end');
  });

  it('when its directory names no header of a file, or more bytes than there are', () => {
    const archive = zipOf({ 'rates/': Buffer.of(), 'rates/hist.csv': CSV });
    const changed = (at: number, byte: number): Buffer => {
      const zip = Buffer.from(archive);
      zip[at] = byte;
      return zip;
    };
    const entry = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    const header = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x03, 0x04]));
    expect(header).toBeGreaterThan(0);
    expect(zipRefusal(changed(entry + 3, 3))).toContain('its directory is damaged');
    expect(zipRefusal(changed(header + 3, 5))).toContain('its directory is damaged');
    expect(zipRefusal(changed(entry + 22, 1))).toContain('it is cut short'); // 65,536 more packed bytes
  });

  it('when a byte of its content changed', () => {
    const from = 30 + 'rates.csv'.length;
    const packed = deflateRawSync(CSV).length;
    for (let at = from; at < from + packed; at += 1) {
      const damaged = Buffer.from(good);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(zipRefusal(damaged)).toMatch(/checksum|damaged/);
    }
  });

  it('when it holds another number of files than one', () => {
    expect(zipRefusal(zipOf({ 'a.csv': CSV, 'b.csv': CSV }))).toContain('it holds 2 files');
    expect(zipRefusal(zipOf({ 'folder/': Buffer.of() }))).toContain('it holds 0 files');
  });

  it('when it inflates to more than the maximum, even if its header claims less', () => {
    const huge = zipOf({ 'rates.csv': Buffer.alloc(33 * 1024 * 1024) }, { claimed: 24 });
    expect(huge.length).toBeLessThan(100_000);
    expect(zipRefusal(huge)).toContain('inflates to more than 33554432 bytes');
    const stored = zipOf({ 'rates.csv': Buffer.alloc(33 * 1024 * 1024) }, { method: 0 });
    expect(zipRefusal(stored)).toContain('larger than 33554432 bytes');
  });

  it('when it is packed in a way that is not read', () => {
    expect(zipRefusal(zipOf({ 'rates.csv': CSV }, { method: 12 }))).toContain('packed in a way');
    expect(zipRefusal(zipOf({ 'rates.csv': CSV }, { flags: 1 }))).toContain('packed in a way');
  });
});
