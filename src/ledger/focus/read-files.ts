/** Reads files of FOCUS charge by charge, and keeps only sums: memory does not grow with the number of charges. */
import { CsvBroken, type CsvRow, PLAIN_VALUE, type RowFault } from '../staging/row.ts';
import { brokenFault, type LoadFaults } from '../staging/faults.ts';
import type { ForeignFile } from '../sources/inputs.ts';
import { MAX_INDEXED_BYTES } from '../sources/cells.ts';
import { type Bill, type LoadFocusMapping, type Part, billRef } from './charge.ts';
import { MAX_UNITS, shownUnits, unitsOf } from './decimals.ts';
import { countUnread, fileNotes, lackingNote, openSeen, type Seen } from './file-notes.ts';
import { type Columns, columnNames, readColumns } from './header.ts';
import { checkTags } from './mapping.ts';
import { monthReader, timeReader } from './periods.ts';
import { remembered } from './remembered.ts';
import { type Runs, collectRuns } from './runs.ts';
import { usageReader } from './usage-of-charge.ts';
import type { UsageSums } from './usage-sums.ts';

const WHOLE_TEXTS = 'JSON of whole letters, without U+0000 and without half a letter such as "\\ud83d" alone';
const SHORT_NAMES = `with its provider at most ${MAX_INDEXED_BYTES} bytes: a bill is found again by both`;
const CURRENCY = /^[A-Z]{3}$/;
/** The limit of texts of tags that are kept: a bill repeats few. */
const MAX_CACHED_TAGS = 1_000;
/** The columns that may name the provider, best first. */
const PROVIDERS = ['ServiceProviderName', 'ProviderName', 'PublisherName', 'InvoiceIssuerName'];

interface Booked {
  readonly bill: Bill<bigint>;
  readonly ref: string;
  /** Its provider, billing account and month. */
  readonly account: string;
  /** The currency of the first charge of these, which an invoice has alone. */
  readonly first: string;
}

/** The exact sums of the files, in the units of `decimals.ts`. */
export interface FocusSums {
  /** The version of FOCUS of each file. */
  readonly versions: ReadonlyMap<string, string>;
  readonly bills: ReadonlyMap<string, Bill<bigint>>;
  /**
   * The sum of BilledCost of all rows, by month and currency. It is added up separately from the bills, to compare both.
   */
  readonly totals: ReadonlyMap<string, bigint>;
  /** For rows that are an export of a Crossfoot snapshot: the billing account of the rows, by snapshot id. */
  readonly exports: ReadonlyMap<string, string>;
  /** What people should know of the files. */
  readonly notes: readonly string[];
  /** The charges of each file, and their sum by currency, for its control line. */
  readonly files: ReadonlyMap<ForeignFile, FileSums>;
}

interface FileSums {
  charges: number;
  readonly units: Map<string, bigint>;
}

interface ReadingFocus {
  readonly mapping: LoadFocusMapping;
  readonly faults: LoadFaults;
  /** True if files of different folders are parts of one export, though they have charges for the same times. */
  readonly areParts: boolean;
  /** Takes what each charge says of use. */
  readonly usage?: UsageSums;
}

/** Reads all files; adds a fault for each row that cannot be booked, and for a second run of an export. */
export async function readFocusFiles(
  files: readonly ForeignFile[],
  { mapping, faults, areParts, usage }: ReadingFocus,
): Promise<FocusSums> {
  const runs = collectRuns();
  const sums = {
    notes: [] as string[],
    files: new Map<ForeignFile, FileSums>(files.map((file) => [file, { charges: 0, units: new Map() }])),
    versions: new Map<string, string>(),
    bills: new Map<string, Bill<bigint>>(),
    totals: new Map<string, bigint>(),
    exports: new Map<string, string>(),
    currencies: new Map<string, string>(),
  };
  const names = columnNames(mapping.columns);
  const booked = new Map<string, Booked>();
  const timeOf = timeReader();
  const billedMonth = monthReader();
  const usedBy = usageReader();
  const check = remembered(checkTags, MAX_CACHED_TAGS);
  for (const file of files) {
    const seen = openSeen();
    try {
      let columns: Columns | null = null;
      for await (const row of file.rows({ wanted: (column) => names.read.has(names.nameOf(column)) })) {
        if (columns === null) columns = readColumns(file.shown, row, names, faults);
        else if (row.fault !== undefined) refuseRow(file.shown, row, row.fault, columns, faults);
        else if (nestedIn(row, columns) !== null)
          refuseRow(
            file.shown,
            row,
            { index: nestedIn(row, columns), expected: PLAIN_VALUE },
            columns,
            faults,
          );
        else
          addCharge(file, row, columns, {
            mapping,
            faults,
            sums,
            runs,
            booked,
            timeOf,
            billedMonth,
            seen,
            usage,
            usedBy,
            check,
          });
        if (usage?.isFull() === true) await usage.flush();
        if (columns === null || faults.room() === 0) break;
      }
      if (columns !== null) {
        sums.versions.set(file.shown, columns.version);
        sums.notes.push(...columns.notes);
      } else if (!faults.has(file.shown))
        faults.add({
          file: file.shown,
          line: 1,
          column: null,
          value: null,
          expected: 'a header with the columns of FOCUS',
        });
      sums.notes.push(...fileNotes(file.shown, seen, columns?.withoutCategory ?? null));
    } catch (error) {
      if (!(error instanceof CsvBroken)) throw error;
      faults.add(brokenFault(file.shown, error));
    }
  }
  await usage?.end();
  for (const [file, lacking] of usage?.lacks() ?? [])
    if (lacking.length > 0) sums.notes.push(lackingNote(file, lacking));
  if (!areParts) runs.refuse(faults);
  return sums;
}

/** The first object or list in a column of plain values; null if there is none. */
function nestedIn({ cells, nested }: CsvRow, { plain }: Columns): number | null {
  return nested?.values().find((index) => plain.has(index) && cells[index] !== null) ?? null;
}

function refuseRow(
  file: string,
  { line, cells }: CsvRow,
  { index, expected }: RowFault,
  { names }: Columns,
  faults: LoadFaults,
): void {
  const at = index ?? -1;
  faults.add({ file, line, column: names[at] ?? null, value: cells[at] ?? null, expected });
}

interface Adding {
  readonly mapping: LoadFocusMapping;
  readonly faults: LoadFaults;
  readonly sums: {
    readonly bills: Map<string, Bill<bigint>>;
    readonly totals: Map<string, bigint>;
    readonly exports: Map<string, string>;
    readonly currencies: Map<string, string>;
    readonly files: ReadonlyMap<ForeignFile, FileSums>;
  };
  readonly runs: Runs;
  /** The bills that charges of all files have found, by provider, billing account, month and currency. */
  readonly booked: Map<string, Booked>;
  readonly timeOf: ReturnType<typeof timeReader>;
  readonly billedMonth: ReturnType<typeof monthReader>;
  readonly seen: Seen;
  readonly usage: UsageSums | undefined;
  readonly usedBy: ReturnType<typeof usageReader>;
  readonly check: typeof checkTags;
}

function addCharge(
  file: ForeignFile,
  row: CsvRow,
  { cellOf, inFile, joinsTags }: Columns,
  { mapping, faults, sums, runs, booked, timeOf, billedMonth, seen, usage, usedBy, check }: Adding,
): void {
  const cell = cellOf(row);
  const refuse = (column: string, expected: string): null => {
    faults.add({ file: file.shown, line: row.line, column: inFile(column), value: cell(column), expected });
    return null;
  };
  const time = (column: string): number | null => {
    const read = timeOf(cell(column) ?? '');
    return typeof read === 'number' ? read : refuse(column, read.expected);
  };
  const leaveOut = (column: string, is: string): void =>
    countUnread(seen, { column: inFile(column), is, such: cell(column) ?? '' });
  const [tags, details] = ['Tags', 'SkuPriceDetails'].map((column) => {
    const checked = check(cell(column) ?? '{}');
    return checked.isWhole ? checked : refuse(column, WHOLE_TEXTS);
  });
  if (tags === null || tags === undefined || details === null) return;
  // The lists of an export are joined, and may name a key again.
  if (tags.repeated !== null && !joinsTags) {
    refuse('Tags', `tags that have each key once; ${JSON.stringify(tags.repeated)} stands twice`);
    return;
  }
  if (!tags.isJson) leaveOut('Tags', 'JSON');
  const amount =
    unitsOf(cell('BilledCost') ?? '') ??
    refuse('BilledCost', 'an amount in decimals with a point, of at most 30 decimals');
  const start = time('BillingPeriodStart');
  const end = time('BillingPeriodEnd');
  const month = start === null || end === null ? null : monthOf(billedMonth(start, end), refuse);
  // A charge without a time of its own may be of any time of its bill.
  const from = cell('ChargePeriodStart') === null ? start : time('ChargePeriodStart');
  const to = cell('ChargePeriodEnd') === null ? end : time('ChargePeriodEnd');
  const currency =
    CURRENCY.exec(cell('BillingCurrency') ?? '')?.[0] ??
    refuse('BillingCurrency', 'an ISO 4217 currency such as USD');
  const billingAccount =
    cell('BillingAccountId') ?? refuse('BillingAccountId', 'the billing account of the charge');
  const naming = PROVIDERS.find((column) => cell(column) !== null) ?? 'ProviderName';
  const provider = cell(naming) ?? refuse(naming, 'the provider of the charge');
  if (amount === null || month === null || from === null || to === null) return;
  if (currency === null || billingAccount === null || provider === null) return;
  if (Buffer.byteLength(provider + billingAccount) > MAX_INDEXED_BYTES) {
    refuse('BillingAccountId', SHORT_NAMES);
    return;
  }
  const { units, isRounded } = amount;
  if (units > MAX_UNITS || units < -MAX_UNITS) {
    refuse('BilledCost', `an amount of at most ${shownUnits(MAX_UNITS)}`);
    return;
  }
  if (isRounded) seen.rounded += 1;
  const snapshot = cell('x_SnapshotId');
  if (snapshot !== null) sums.exports.set(snapshot, billingAccount);
  const key = { provider, billingAccount, month, currency };
  // No cell of a row holds U+0000.
  const known = `${provider}\0${billingAccount}\0${month}\0${currency}`;
  let found = booked.get(known);
  if (found === undefined) {
    const account = JSON.stringify([provider, billingAccount, month]);
    const first = sums.currencies.get(account) ?? currency;
    sums.currencies.set(account, first);
    const bill: Bill<bigint> = {
      ...key,
      billingAccountName: cell('BillingAccountName'),
      origin: { file: file.shown, line: row.line, provider: inFile(naming) },
      total: 0n,
      parts: new Map<string, Part<bigint>>(),
    };
    const ref = billRef(key);
    sums.bills.set(ref, bill);
    found = { bill, ref, account, first };
    booked.set(known, found);
  }
  const { bill, ref, account, first } = found;
  // Crossfoot's own export holds the costs of a whole company, in all of its currencies.
  if (first !== currency && snapshot === null) {
    refuse(
      'BillingCurrency',
      `${first}, as in the other rows of billing account ${billingAccount} in ${month}: an invoice has one currency`,
    );
    return;
  }
  runs.add(file, { bill: account, start: from, end: to, currency, units });
  const { ai, claim } = mapping.claimOf(cell);
  const unread = new Set<string>();
  if (ai) seen.ai += 1;
  usage?.add({
    bill: ref,
    file: file.shown,
    at: from,
    initiative: claim?.title ?? null,
    is_ai: ai,
    parts: usedBy(cell, provider, units, unread),
  });
  for (const column of unread) leaveOut(column, 'decimal number');
  const name = claim === null ? '' : JSON.stringify([claim.title, claim.cost_type, claim.by]);
  const part = bill.parts.get(name) ?? { claim, ai: 0n, other: 0n, charges: 0 };
  bill.parts.set(name, part);
  if (ai) part.ai += units;
  else part.other += units;
  part.charges += 1;
  bill.total += units;
  const ofFile = sums.files.get(file);
  if (ofFile !== undefined) {
    ofFile.charges += 1;
    ofFile.units.set(currency, (ofFile.units.get(currency) ?? 0n) + units);
  }
  const period = `${month} ${currency}`;
  sums.totals.set(period, (sums.totals.get(period) ?? 0n) + units);
}

function monthOf(
  month: ReturnType<ReturnType<typeof monthReader>>,
  refuse: (column: string, expected: string) => null,
): string | null {
  return typeof month === 'string' ? month : refuse('BillingPeriodEnd', month.expected);
}
