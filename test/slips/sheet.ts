/** Drawn files of rows that every rule of a load allows: what a slip is then made in. */
import type { Chance } from '../chaos/chance.ts';

export const FORMS = ['csv', 'csv.gz', 'standard input', 'ndjson', 'parquet'] as const;
export type Form = (typeof FORMS)[number];

export const CONTENTS = ['costs', 'bill'] as const;
/** Costs are loaded as `cost_entries`, and bills with `--focus`. */
export type Content = (typeof CONTENTS)[number];

export type Rows = readonly (readonly string[])[];

/** How a text of cells is written. */
export interface Dialect {
  readonly separator: string;
  readonly lineEnd: string;
  readonly quotesAll: boolean;
  /** True if a line end follows the last row. */
  readonly endsLastLine: boolean;
}

export interface Sheet {
  readonly content: Content;
  readonly form: Form;
  readonly header: readonly string[];
  readonly rows: Rows;
  readonly dialect: Dialect;
}

const NAMES = [
  'Globex',
  'Müller & Söhne',
  'Acme, Inc.',
  'Nimbus "AI"',
  '株式会社',
  'Zoë’s',
  'two\nlines',
  'a;b',
];
/** Each kind of column, with a drawn cell of it. */
const COSTS: Readonly<Record<string, (chance: Chance, index: number) => string>> = {
  source_ref: (_, index) => `K-${index}x`,
  initiative_ref: () => 'J',
  amount: amountOf,
  currency: (chance) => chance.oneOf(['USD', 'USD', 'EUR', 'GBP']),
  period_start: (chance) => `2026-0${1 + chance.below(9)}-${10 + chance.below(18)}`,
  vendor_name: (chance) => chance.oneOf(NAMES),
  description: (chance) => (chance.happens(0.2) ? '' : `for ${chance.oneOf(NAMES)}`),
};
const DAY = '2026-10-';
const BILL: Readonly<Record<string, (chance: Chance, index: number) => string>> = {
  BilledCost: amountOf,
  BillingAccountId: () => 'acc-1',
  BillingAccountName: (chance) => chance.oneOf(['Main', '']),
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: () => '2026-11-01T00:00:00Z',
  BillingPeriodStart: () => '2026-10-01T00:00:00Z',
  ChargeCategory: () => 'Usage',
  ChargeClass: () => '',
  ChargeDescription: (chance) => chance.oneOf(NAMES),
  ChargePeriodEnd: () => `${DAY}03T00:00:00Z`,
  ChargePeriodStart: () => `${DAY}02T00:00:00Z`,
  ContractedCost: () => '1.00',
  EffectiveCost: () => '1.00',
  InvoiceIssuerName: () => 'Acme AI',
  ListCost: () => '1.00',
  PricingQuantity: (_, index) => String(index),
  PricingUnit: () => 'Requests',
  ProviderName: () => 'Acme AI',
  PublisherName: () => 'Acme AI',
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: (chance) => chance.oneOf(NAMES),
  Tags: (chance) => chance.oneOf(['', '{"initiative":"Mail"}', '{"team":"a, b","x":"\\"y\\""}']),
};
const COLUMNS = { costs: COSTS, bill: BILL };

/** The columns of a content by what they hold, so that a slip can be made in either. */
export const ROLES = {
  costs: { amount: 'amount', currency: 'currency', day: 'period_start', text: 'vendor_name' },
  bill: {
    amount: 'BilledCost',
    currency: 'BillingCurrency',
    day: 'BillingPeriodStart',
    text: 'BillingAccountName',
  },
} as const;
export type Role = keyof (typeof ROLES)['costs'];

/** An amount of two decimals; never an amount that three digits after a point could make ambiguous. */
function amountOf(chance: Chance): string {
  const units = chance.below(10 ** (1 + chance.below(5)));
  return `${chance.happens(0.2) ? '-' : ''}${units}.${chance.below(10)}${1 + chance.below(9)}`;
}

/** A file of two to nine rows, its columns in any order. */
export function drawSheet(chance: Chance, content: Content, form: Form): Sheet {
  const columns = shuffled(chance, Object.entries(COLUMNS[content]));
  return {
    content,
    form,
    header: columns.map(([name]) => name),
    rows: Array.from({ length: 2 + chance.below(8) }, (_, index) =>
      columns.map(([, draw]) => draw(chance, index)),
    ),
    dialect: {
      separator: chance.oneOf([',', ';', '\t']),
      lineEnd: chance.oneOf(['\n', '\r\n']),
      quotesAll: chance.happens(0.3),
      endsLastLine: chance.happens(0.8),
    },
  };
}

function shuffled<One>(chance: Chance, these: readonly One[]): readonly One[] {
  return these
    .map((one) => ({ one, at: chance.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

export function columnOf({ content, header }: Sheet, role: Role): number {
  return header.indexOf(ROLES[content][role]);
}

/** The sheet with another text in a cell. */
export function withCell(sheet: Sheet, row: number, index: number, text: string): Sheet {
  const rows = sheet.rows.map((cells, at) => (at === row ? cells.with(index, text) : cells));
  return { ...sheet, rows };
}

const isText = ({ form }: Sheet): boolean => !['ndjson', 'parquet'].includes(form);

/** A line of cells, each quoted where it must be. */
export function lineOf(cells: readonly string[], { separator, quotesAll }: Dialect): string {
  const quoted = (cell: string): string =>
    quotesAll || /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return cells.map(quoted).join(separator);
}

/** The text of a sheet of CSV or JSON lines. */
export function textOf(sheet: Sheet): string {
  const { dialect, header, rows } = sheet;
  const lines = isText(sheet)
    ? [header, ...rows].map((cells) => lineOf(cells, dialect))
    : rows.map((cells) =>
        JSON.stringify(Object.fromEntries(header.map((name, at) => [name, jsonOf(cells[at])]))),
      );
  return `${lines.join(dialect.lineEnd)}${dialect.endsLastLine ? dialect.lineEnd : ''}`;
}

const jsonOf = (cell = ''): string | null => (cell === '' ? null : cell);
