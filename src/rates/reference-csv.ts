/**
 * Reads the European Central Bank's history of reference rates in its published form: a column `Date`, then one column per
 * currency. A cell has the units of that currency for one euro, or `N/A` if no rate was published. Each line ends with a
 * comma, so the last column is empty.
 */
import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { CrossfootError } from '../errors.ts';
import { isZip, unzipOnlyFile } from './zip.ts';

/** The limit of unpacked text; a history of twenty-seven years has 1.5 MB. */
const MAX_CSV_BYTES = 32 * 1024 * 1024;
/** The error lists at most this many faults. */
const MAX_FAULTS = 100;
const MAX_SHOWN_CHARACTERS = 40;
const MISSING = 'N/A';

export interface RateFault {
  /** The line of the file, from 1. */
  readonly line: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly expected: string;
}

/** The rates of a file, with the first and last day and the currencies that it covers. `N/A` in the file gives no rate. */
export interface ReferenceRates {
  readonly currencies: readonly string[];
  readonly first: string;
  readonly last: string;
  readonly rates: readonly ReferenceRate[];
}

interface ReferenceRate {
  readonly day: string;
  readonly currency: string;
  /** As in the file, with at most ten decimals. */
  readonly units_per_euro: string;
}

interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

interface Numbered {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

type Refuse = (line: number, column: string | null, value: string | null, expected: string) => void;

/**
 * Reads the rates of a CSV file, or of the zip in which it is published. Throws `rates_rejected` with the faults of the
 * file.
 */
export function readReferenceRates(bytes: Buffer): ReferenceRates {
  const faults: RateFault[] = [];
  const refuse: Refuse = (line, column, value, expected) => {
    faults.push({ line, column, value: value?.slice(0, MAX_SHOWN_CHARACTERS) ?? null, expected });
  };
  const text = isZip(bytes) ? unzipOnlyFile(bytes, MAX_CSV_BYTES) : bytes;
  const split = splitLines(text, refuse);
  // The text could not be split into lines and cells, so nothing more can be checked.
  if (split === null) throw rejected(faults);
  const [header, ...lines] = split;
  const currencies = readHeader(header, refuse);
  const rates = faults.length > 0 ? [] : lines.flatMap((line) => readLine(line, currencies, refuse));
  const days = lines.map(({ cells }) => cells[0] ?? '');
  refuseRepeated(lines, refuse);
  if (faults.length === 0 && days.length === 0) refuse(lineOf(header) + 1, null, null, 'a line for each day');
  if (faults.length > 0) throw rejected(faults);
  const [first = '', ...others] = days.toSorted();
  return { currencies, first, last: others.at(-1) ?? first, rates };
}

function splitLines(text: Buffer, refuse: Refuse): readonly Line[] | null {
  if (!isUtf8(text)) {
    refuse(firstMalformedLine(text), null, null, 'text in UTF-8');
    return null;
  }
  try {
    const records: unknown = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    // The option `info` changes the type of the rows, which the library's types do not express.
    return (records as Numbered[]).map(({ info, record }) => ({
      number: info.lines,
      cells: withoutLastComma(record),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    refuse(Number(error['lines'] ?? 1), null, null, 'cells without quotes, or whole cells in quotes');
    return null;
  }
}

function firstMalformedLine(text: Buffer): number {
  let line = 1;
  for (let from = 0, end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    if (!isUtf8(text.subarray(from, end))) break;
    from = end + 1;
    line += 1;
  }
  return line;
}

function withoutLastComma(cells: readonly string[]): readonly string[] {
  return cells.at(-1) === '' ? cells.slice(0, -1) : cells;
}

/** The line of the header; 1 for a file without lines. */
function lineOf(header: Line | undefined): number {
  return header?.number ?? 1;
}

function readHeader(header: Line | undefined, refuse: Refuse): readonly string[] {
  const line = lineOf(header);
  const [first, ...currencies] = header?.cells ?? [];
  if (first !== 'Date') refuse(line, null, first ?? null, 'a header whose first column is Date');
  currencies.forEach((currency, index) => {
    if (!/^[A-Z]{3}$/.test(currency) || currency === 'EUR') {
      refuse(line, currency, currency, 'a currency of three capital letters, not the euro itself');
    } else if (currencies.indexOf(currency) !== index) refuse(line, currency, currency, 'each currency once');
  });
  if (first === 'Date' && currencies.length === 0) refuse(line, null, null, 'a column for each currency');
  return currencies;
}

function readLine(
  { number, cells: [day = '', ...units] }: Line,
  currencies: readonly string[],
  refuse: Refuse,
): readonly ReferenceRate[] {
  if (!isDay(day)) refuse(number, 'Date', day, 'a day from 1990 to 2199 as YYYY-MM-DD');
  if (units.length !== currencies.length) {
    const found = `${units.length + 1} cells`;
    refuse(number, null, found, `${currencies.length + 1} cells as in the header`);
    return [];
  }
  return currencies.flatMap((currency, index) => {
    const units_per_euro = units[index] ?? '';
    if (units_per_euro === MISSING) return [];
    // The ledger holds ten digits before and ten after the decimal point.
    if (/^\d{1,10}(?:\.\d{1,10})?$/.test(units_per_euro) && /[1-9]/.test(units_per_euro)) {
      return [{ day, currency, units_per_euro }];
    }
    refuse(number, currency, units_per_euro, 'units for one euro above zero, at most ten decimals, or N/A');
    return [];
  });
}

function refuseRepeated(lines: readonly Line[], refuse: Refuse): void {
  const seen = new Set<string>();
  for (const { number, cells } of lines) {
    const day = cells[0] ?? '';
    if (seen.has(day)) refuse(number, 'Date', day, 'each day once');
    seen.add(day);
  }
}

function isDay(text: string): boolean {
  if (!/^(?:199\d|20\d\d|21\d\d)-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  // `new Date` turns 30 February into 1 or 2 March, so the parsed day is compared with the text.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function rejected(faults: readonly RateFault[]): CrossfootError {
  const [first] = faults;
  const count = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  const place = [`line ${first?.line}`, first?.column].filter(Boolean).join(', ');
  return new CrossfootError(
    'rates_rejected',
    `The file of rates has ${count}, the first at ${place}; nothing was imported.`,
    {
      hint: "It must be the European Central Bank's history of euro reference rates, as CSV or in its zip.",
      data: { faults: faults.slice(0, MAX_FAULTS) },
    },
  );
}
