/** Drawn bills in the format of FOCUS, and the ways in which programs write them. */
import type { Chance } from '../chaos/chance.ts';
import { type Charge, charges } from '../ledger/focus/bills.ts';
import { lineOf } from './sheet.ts';

/** Charges of two providers, two accounts and two months, in dollars, in plain spelling. */
export function drawBill(chance: Chance): readonly Charge[] {
  const rows = Array.from({ length: 3 + chance.below(15) }, (_, place): Charge => {
    const [start, end] = chance.oneOf([
      ['2026-09', '2026-10'],
      ['2026-10', '2026-11'],
    ]);
    const digits = String(chance.below(10 ** (1 + chance.below(9)))).padStart(4, '0');
    const provider = chance.oneOf(['Acme AI', 'Nimbus']);
    return {
      BilledCost: `${chance.happens(0.2) ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`,
      BillingAccountId: chance.oneOf(['0012', 'b']),
      BillingAccountName: chance.oneOf(['Main', 'Müller, "Bar"', null]),
      BillingPeriodStart: `${start}-01T00:00:00Z`,
      BillingPeriodEnd: `${end}-01T00:00:00Z`,
      ChargePeriodStart: `${start}-02T00:00:00Z`,
      ChargePeriodEnd: `${start}-03T00:00:00Z`,
      ChargeDescription: `charge ${place}; a, b`,
      ProviderName: provider,
      PublisherName: chance.oneOf([provider, null]),
      ServiceCategory: chance.oneOf(['AI and Machine Learning', 'Compute']),
      Tags: chance.oneOf([null, '{"initiative":"Mail"}', '{"initiative":"Other","x":"1, 2"}']),
    };
  });
  return charges(...rows);
}

/** The exact billed thousandths by month. */
export function billedOf(bill: readonly Charge[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { BilledCost, BillingPeriodStart } of bill) {
    const month = BillingPeriodStart?.slice(0, 7) ?? '';
    sums.set(month, (sums.get(month) ?? 0n) + BigInt((BilledCost ?? '').replace('.', '')));
  }
  return sums;
}

const TIMES = /Period(?:Start|End)$/;
const COSTS = /Cost$/;

/** A charge with its cells in other spellings of the same. */
function respelled(charge: Charge, chance: Chance): Charge {
  return Object.fromEntries(
    Object.entries(charge).map(([name, cell]) => {
      if (cell === null) return [name, chance.oneOf([null, 'NULL', ' '])];
      if (COSTS.test(name)) return [name, otherDecimal(cell, chance)];
      return [name, TIMES.test(name) ? otherTime(cell, chance) : cell];
    }),
  );
}

function otherDecimal(amount: string, chance: Chance): string {
  const [, sign = '', digits = '', decimals = ''] = /^(-?)(\d+)\.(\d+)$/.exec(amount) ?? [];
  const mantissa = `${digits}${decimals}`.replace(/^0+(?=\d)/, '');
  return chance.oneOf([
    amount,
    `${amount}000`,
    `${sign}${mantissa}e-${decimals.length}`,
    `${sign}${mantissa}0E-0${decimals.length + 1}`,
  ]);
}

function otherTime(time: string, chance: Chance): string {
  return chance.oneOf([
    time,
    time.slice(0, 10),
    time.replace('Z', ''),
    time.replace('T', ' ').replace('Z', ''),
    time.replace('Z', '.000Z'),
  ]);
}

/** CSV with other names, orders, separators and quotes. */
export function billAsText(bill: readonly Charge[], chance: Chance): Buffer {
  const names = Object.keys(bill[0] ?? {})
    .map((name) => ({ name, at: chance.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => name);
  const dialect = {
    separator: chance.oneOf([',', ';', '\t']),
    lineEnd: chance.oneOf(['\n', '\r\n']),
    quotesAll: chance.happens(0.5),
    endsLastLine: true,
  };
  const header = chance.happens(0.3) ? names.map((name) => name.toLowerCase()) : names;
  const rows = bill
    .map((charge) => respelled(charge, chance))
    .map((charge) => names.map((name) => charge[name] ?? ''));
  const text = `${[header, ...rows].map((cells) => lineOf(cells, dialect)).join(dialect.lineEnd)}${dialect.lineEnd}`;
  const encoding = chance.oneOf(['utf8', 'utf8 marked', 'utf16le'] as const);
  return encoding === 'utf8'
    ? Buffer.from(text)
    : Buffer.from(`\uFEFF${text}`, encoding === 'utf16le' ? 'utf16le' : 'utf8');
}

/** JSON lines with numbers for amounts, and objects for tags. */
export function billAsJson(bill: readonly Charge[], chance: Chance): Buffer {
  const raw = JSON as unknown as { rawJSON(text: string): unknown };
  const lines = bill.map((charge) => {
    const fields = Object.entries(respelled(charge, chance)).map(([name, cell]) => {
      if (cell === null) return [name, null];
      if (COSTS.test(name) && chance.happens(0.5)) return [name, raw.rawJSON(charge[name] ?? '0')];
      return [name, name === 'Tags' && cell.startsWith('{') && chance.happens(0.5) ? JSON.parse(cell) : cell];
    });
    return JSON.stringify(Object.fromEntries(fields));
  });
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** The types of the columns of a Parquet file. */
export function drawTypes(chance: Chance): Readonly<Record<string, string>> {
  const time = chance.oneOf([
    'varchar',
    'timestamp',
    'timestamptz',
    'timestamp_ns',
    'timestamp_ms',
    'timestamp_s',
    'date',
  ]);
  return {
    BilledCost: chance.oneOf(['varchar', 'decimal(9, 3)', 'decimal(18, 6)', 'decimal(38, 10)', 'double']),
    ...Object.fromEntries(
      ['BillingPeriodStart', 'BillingPeriodEnd', 'ChargePeriodStart', 'ChargePeriodEnd'].map((name) => [
        name,
        time,
      ]),
    ),
    Tags: chance.oneOf(['varchar', 'MAP(varchar, varchar)', 'json']),
  };
}
