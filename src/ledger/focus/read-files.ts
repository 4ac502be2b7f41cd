/** Reads files of FOCUS charge by charge, and keeps only sums: memory does not grow with the number of charges. */
import { spread } from '../../figures/spread.ts';
import { divideRounded } from '../../figures/cents.ts';
import { CsvBroken, type CsvRow } from '../sources/row.ts';
import { brokenFault, type LoadFaults } from '../load/faults.ts';
import type { ForeignFile } from '../sources/inputs.ts';
import { repeatedKey } from '../sources/json-keys.ts';
import { isBlank } from '../sources/whole-rows.ts';
import { type Bill, type LoadFocusMapping, type Part, billRef } from './charge.ts';
import { UNITS_PER_CENT, unitsOf } from './decimals.ts';
import { versionOf } from './versions.ts';

/** The columns that are read in every file, besides those of the mapping. */
const READ = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodStart',
  'InvoiceIssuerName',
  'ProviderName',
  'PublisherName',
  'ServiceCategory',
  'ServiceProviderName',
  'Tags',
  'x_SnapshotId',
];
const DAY =
  /^(\d{4}-(?:0[1-9]|1[0-2]))-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|UTC|\+00:?00))?)?$/;
const CURRENCY = /^[A-Z]{3}$/;
/** Exports of databases write the word for an empty cell. */
const NULL = /^\s*null\s*$/i;

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
}

/** Reads all files; adds a fault for each row that cannot be booked. */
export async function readFocusFiles(
  files: readonly ForeignFile[],
  mapping: LoadFocusMapping,
  faults: LoadFaults,
): Promise<FocusSums> {
  const sums = {
    versions: new Map<string, string>(),
    bills: new Map<string, Bill<bigint>>(),
    totals: new Map<string, bigint>(),
    exports: new Map<string, string>(),
    currencies: new Map<string, string>(),
  };
  const wanted = new Set([...READ, ...mapping.columns]);
  for (const file of files) {
    try {
      let columns: Columns | null = null;
      for await (const row of file.rows({ wanted: (column) => wanted.has(column) })) {
        if (columns === null) columns = readColumns(file.shown, row, { faults, versions: sums.versions });
        else if (row.fault !== undefined) refuseRow(file.shown, row, columns, faults);
        else addCharge(file.shown, row, columns.cellOf(row), { mapping, faults, sums });
        if (columns === null || faults.room() === 0) break;
      }
      if (columns === null && !faults.has(file.shown))
        faults.add({
          file: file.shown,
          line: 1,
          column: null,
          value: null,
          expected: 'a header with the columns of FOCUS',
        });
    } catch (error) {
      if (!(error instanceof CsvBroken)) throw error;
      faults.add(brokenFault(file.shown, error));
    }
  }
  return sums;
}

interface Columns {
  readonly names: readonly string[];
  /** The cell of a column; null for an empty one. */
  readonly cellOf: (row: CsvRow) => (column: string) => string | null;
}

function readColumns(
  file: string,
  { cells, fault }: CsvRow,
  { faults, versions }: { readonly faults: LoadFaults; readonly versions: Map<string, string> },
): Columns | null {
  const columns = cells.map((cell) => cell ?? '');
  if (fault !== undefined) {
    const name = cells[fault.place ?? -1] ?? null;
    faults.add({ file, line: 1, column: name, value: name, expected: fault.expected });
    return null;
  }
  const found = versionOf(columns);
  if ('faults' in found) {
    for (const { column, expected } of found.faults)
      faults.add({ file, line: 1, column, value: columns.includes(column) ? column : null, expected });
    return null;
  }
  versions.set(file, found.version);
  const indexes = new Map(columns.map((column, index) => [column, index]));
  const cellOf = (row: CsvRow) => (column: string) => {
    const cell = row.cells[indexes.get(column) ?? -1] ?? null;
    return isBlank(cell) || NULL.test(cell ?? '') ? null : cell;
  };
  return { names: columns, cellOf };
}

function refuseRow(
  file: string,
  { line, cells, fault }: CsvRow,
  { names }: Columns,
  faults: LoadFaults,
): void {
  const place = fault?.place ?? -1;
  const expected = fault?.expected ?? '';
  faults.add({ file, line, column: names[place] ?? null, value: cells[place] ?? null, expected });
}

interface Adding {
  readonly mapping: LoadFocusMapping;
  readonly faults: LoadFaults;
  readonly sums: {
    readonly bills: Map<string, Bill<bigint>>;
    readonly totals: Map<string, bigint>;
    readonly exports: Map<string, string>;
    readonly currencies: Map<string, string>;
  };
}

function addCharge(
  file: string,
  row: CsvRow,
  cell: (column: string) => string | null,
  { mapping, faults, sums }: Adding,
): void {
  const refuse = (column: string, expected: string): null => {
    faults.add({ file, line: row.line, column, value: cell(column), expected });
    return null;
  };
  const twice = repeatedKey(cell('Tags') ?? '');
  if (twice !== null) {
    refuse('Tags', `tags that have each key once; ${JSON.stringify(twice)} stands twice`);
    return;
  }
  const units =
    unitsOf(cell('BilledCost') ?? '') ??
    refuse('BilledCost', 'an amount in decimals with a point, of at most 30 decimals');
  const month =
    DAY.exec(cell('BillingPeriodStart') ?? '')?.[1] ??
    refuse('BillingPeriodStart', 'a UTC date and time, such as 2026-10-01T00:00:00Z');
  const currency =
    CURRENCY.exec(cell('BillingCurrency') ?? '')?.[0] ??
    refuse('BillingCurrency', 'an ISO 4217 currency such as USD');
  const billingAccount =
    cell('BillingAccountId') ?? refuse('BillingAccountId', 'the billing account of the charge');
  const provider =
    cell('ServiceProviderName') ??
    cell('ProviderName') ??
    cell('PublisherName') ??
    cell('InvoiceIssuerName') ??
    refuse('ProviderName', 'the provider of the charge');
  if (units === null || month === null || currency === null || billingAccount === null || provider === null)
    return;
  const snapshot = cell('x_SnapshotId');
  if (snapshot !== null) sums.exports.set(snapshot, billingAccount);
  const account = JSON.stringify([provider, billingAccount, month]);
  const other = sums.currencies.get(account) ?? currency;
  sums.currencies.set(account, other);
  // Crossfoot's own export holds the costs of a whole company, in all of its currencies.
  if (other !== currency && snapshot === null) {
    refuse(
      'BillingCurrency',
      `${other}, as in the other rows of billing account ${billingAccount} in ${month}: an invoice has one currency`,
    );
    return;
  }
  const key = { provider, billingAccount, month, currency };
  const bill = sums.bills.get(billRef(key)) ?? {
    ...key,
    billingAccountName: cell('BillingAccountName'),
    total: 0n,
    parts: new Map<string, Part<bigint>>(),
  };
  sums.bills.set(billRef(key), bill);
  const { ai, claim } = mapping.claimOf(cell);
  const name = claim === null ? '' : JSON.stringify([claim.title, claim.cost_type, claim.by]);
  const part = bill.parts.get(name) ?? { claim, ai: 0n, other: 0n, charges: 0 };
  bill.parts.set(name, part);
  if (ai) part.ai += units;
  else part.other += units;
  part.charges += 1;
  bill.total += units;
  const period = `${month} ${currency}`;
  sums.totals.set(period, (sums.totals.get(period) ?? 0n) + units);
}

/**
 * The bills in cents. The total of each month and currency is rounded once. Then its cents are distributed over the bills and
 * their parts by largest remainder, so that the parts add up to the total.
 */
export function inCents({ bills, totals }: FocusSums): readonly Bill<bigint>[] {
  const sorted = [...bills].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, bill]) => bill);
  return [...totals].flatMap(([period, total]) => {
    const own = sorted.filter(({ month, currency }) => `${month} ${currency}` === period);
    const shares = spread(
      divideRounded(total, UNITS_PER_CENT),
      own.map((bill) => bill.total),
      UNITS_PER_CENT,
    );
    return own.map((bill, index) => centsOfBill(bill, shares[index] ?? 0n));
  });
}

function centsOfBill(bill: Bill<bigint>, total: bigint): Bill<bigint> {
  const parts = [...bill.parts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shares = spread(
    total,
    parts.flatMap(([, { ai, other }]) => [ai, other]),
    UNITS_PER_CENT,
  );
  const cents = parts.map(
    ([name, part], index) =>
      [name, { ...part, ai: shares[2 * index] ?? 0n, other: shares[2 * index + 1] ?? 0n }] as const,
  );
  return { ...bill, total, parts: new Map(cents) };
}
