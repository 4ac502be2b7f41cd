/** The ways in which programs write one ledger of costs: drawn, and all of them mean the same. */
import { gzipSync } from 'node:zlib';
import type { Chance } from '../chaos/chance.ts';
import type { DecimalSign } from '../../src/ledger/staging/mode.ts';
import type { LoadRequest } from '../../src/ledger/load/load.ts';
import type { Cost } from './drawn-costs.ts';
import { lineOf } from './sheet.ts';

/** A file, and the options that it needs. */
export interface Written {
  /** What to say of it where it is not the same ledger. */
  readonly dialect: string;
  readonly bytes: Buffer;
  readonly request: Pick<LoadRequest, 'decimal' | 'encoding'>;
}

type Row = Readonly<Record<string, string>>;

const ENCODINGS = [
  'utf-8',
  'utf-8 with its mark',
  'utf-16le with its mark',
  'utf-16be with its mark',
  'utf-16le',
  'utf-16be',
  'windows-1252',
] as const;
type Encoded = (typeof ENCODINGS)[number];

/** CSV of any separator, quotes, encoding, line ends, order of columns, and spelling of numbers, days, months and times. */
export function writeText(
  costs: readonly Cost[],
  chance: Chance,
  { isWestern, isPacked }: { readonly isWestern: boolean; readonly isPacked: boolean },
): Written {
  const decimal = chance.oneOf([null, 'comma', 'point'] as const);
  const encoded = chance.oneOf(isWestern ? ENCODINGS : ENCODINGS.slice(0, -1));
  const dialect = {
    separator: chance.oneOf([',', ';', '\t']),
    lineEnd: chance.oneOf(['\n', '\r\n']),
    quotesAll: chance.happens(0.3),
    endsLastLine: chance.happens(0.7),
  };
  const rows = costs.map((cost) => texts(cost, chance, decimal));
  const header = shuffled(Object.keys(rows[0] ?? {}), chance);
  const padding = chance.happens(0.3) ? ['', ''] : [];
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))].map((cells) =>
    lineOf([...cells, ...padding], dialect),
  );
  if (chance.happens(0.3)) lines.push('', [...header, ...padding].map(() => '').join(dialect.separator));
  const text = `${lines.join(dialect.lineEnd)}${dialect.endsLastLine ? dialect.lineEnd : ''}`;
  const bytes = encode(text, encoded);
  const named = ['utf-16le', 'utf-16be', 'windows-1252'].includes(encoded);
  return {
    dialect: JSON.stringify({ ...dialect, encoded, decimal, header }),
    bytes: isPacked ? packed(bytes, chance) : bytes,
    request: {
      ...(decimal && { decimal }),
      ...(named && { encoding: encoded as 'utf-16le' | 'utf-16be' | 'windows-1252' }),
    },
  };
}

/** The part of `JSON` that TypeScript does not declare yet. */
const RAW_JSON = JSON as unknown as { rawJSON(text: string): unknown };

/** JSON lines: numbers or texts, fields in any order, empty ones null or, after the first line, absent. */
export function writeJson(costs: readonly Cost[], chance: Chance): Written {
  const lines = costs.map((cost, index) => {
    const isNumber = chance.happens(0.5);
    const row = texts(cost, chance, null);
    const fields = Object.entries(row).map(([name, cell]): [string, unknown] => {
      if (name === 'is_estimated') return [name, cost.isEstimated];
      if (name === 'amount' && isNumber)
        return [name, RAW_JSON.rawJSON(`${plainAmount(cost.cents)}${chance.oneOf(['', '0', 'e0'])}`)];
      return [name, cell === '' ? null : cell];
    });
    const kept = index === 0 ? fields : fields.filter(([, value]) => value !== null || chance.happens(0.5));
    return JSON.stringify(Object.fromEntries(shuffled(kept, chance)));
  });
  const lineEnd = chance.oneOf(['\n', '\r\n']);
  return { dialect: 'JSON lines', bytes: Buffer.from(`${lines.join(lineEnd)}${lineEnd}`), request: {} };
}

const AMOUNTS = ['decimal(15, 2)', 'decimal(18, 2)', 'decimal(38, 2)', 'decimal(20, 4)', 'double', 'varchar'];

const quoted = (cell: string): string => (cell === '' ? 'null' : `'${cell.replaceAll("'", "''")}'`);

/** The select that writes the costs as Parquet of other types. */
export function selectOf(
  costs: readonly Cost[],
  chance: Chance,
): { readonly dialect: string; readonly select: string } {
  const types: Readonly<Record<string, string>> = {
    amount: chance.oneOf(AMOUNTS),
    period_start: chance.oneOf(['date', 'varchar']),
    period_end: chance.oneOf(['date', 'varchar']),
    is_estimated: chance.oneOf(['boolean', 'varchar']),
    created_at: chance.oneOf(['timestamptz', 'varchar']),
  };
  const all = costs.map((cost) => ({
    ...texts(cost, null, null),
    is_estimated: String(cost.isEstimated),
    amount: plainAmount(cost.cents),
  }));
  const names = Object.keys(all[0] ?? {});
  const values = all.map(
    (row: Row, index) => `(${index}, ${names.map((name) => quoted(row[name] ?? '')).join(', ')})`,
  );
  const columns = shuffled(names, chance).map(
    (name) => `cast(${name} as ${types[name] ?? 'varchar'}) as ${name}`,
  );
  return {
    dialect: JSON.stringify(types),
    select: `select ${columns.join(', ')} from (values ${values.join(', ')}) as rows (n, ${names.join(', ')}) order by n`,
  };
}

/** The cells of a cost; without chance, each in its plainest spelling. */
function texts(cost: Cost, chance: Chance | null, decimal: DecimalSign | null): Row {
  return {
    source_ref: chance?.happens(0.2) === true ? ` ${cost.ref} ` : cost.ref,
    initiative_title: 'Mail',
    amount: amount(cost.cents, chance, decimal),
    currency: cost.currency,
    period_start: month(cost.start, '-01', chance),
    period_end: month(cost.end, lastDay(cost.end), chance),
    is_estimated:
      chance?.oneOf(cost.isEstimated ? ['true', 't', 'TRUE', 'True'] : ['false', 'f', 'FALSE', 'False']) ??
      String(cost.isEstimated),
    vendor_name: cost.vendor,
    description: cost.description ?? chance?.oneOf(['', ' ']) ?? '',
    created_at: instant(cost.created, chance),
  };
}

const plainAmount = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** One number by one rule: with two decimals it means the same with every --decimal of its sign. */
function amount(cents: bigint, chance: Chance | null, decimal: DecimalSign | null): string {
  const plain = plainAmount(cents);
  if (chance === null) return plain;
  const sign = decimal ?? chance.oneOf(['comma', 'point'] as const);
  const [integer = '', decimals = ''] = plain.split('.');
  const grouped = chance.happens(0.5)
    ? integer.replaceAll(/\B(?=(?:\d{3})+$)/g, sign === 'comma' ? '.' : ',')
    : integer;
  // Without the option, a number of groups alone could be another.
  const canBeWhole = decimal !== null && decimals === '00';
  if (canBeWhole && chance.happens(0.5)) return grouped;
  const short = decimals.endsWith('0') && chance.happens(0.5) ? decimals.slice(0, 1) : decimals;
  return `${grouped}${sign === 'comma' ? ',' : '.'}${short}`;
}

function lastDay(day: string | null): string {
  if (day === null) return '';
  const [year = 0, of = 0] = day.split('-').map(Number);
  return `-${new Date(Date.UTC(year, of, 0)).getUTCDate()}`;
}

function month(day: string | null, end: string, chance: Chance | null): string {
  if (day === null) return '';
  return day.endsWith(end) && chance?.happens(0.5) === true ? day.slice(0, 7) : day;
}

/** A time in UTC, or by the clock of a zone, to the microsecond. */
function instant(microseconds: bigint, chance: Chance | null): string {
  const hours = chance?.oneOf([0, 0, 2, -7]) ?? 0;
  const fraction = String(microseconds % 1_000_000n).padStart(6, '0');
  const local = new Date(Number(microseconds / 1_000n) + hours * 3_600_000).toISOString().slice(0, 19);
  const zone = hours === 0 ? 'Z' : `${hours < 0 ? '-' : '+'}0${Math.abs(hours)}:00`;
  return `${chance?.oneOf([local, local.replace('T', ' ')]) ?? local}.${fraction}${zone}`;
}

function encode(text: string, encoded: Encoded): Buffer {
  const marked = encoded.endsWith('mark') ? `\uFEFF${text}` : text;
  if (encoded === 'windows-1252')
    return Buffer.from(
      text.replaceAll(/[€’“”–]/g, (letter) => CP1252[letter] ?? letter),
      'latin1',
    );
  if (!encoded.startsWith('utf-16')) return Buffer.from(marked);
  const wide = Buffer.from(marked, 'utf16le');
  return encoded.startsWith('utf-16be') ? wide.swap16() : wide;
}
const CP1252: Readonly<Record<string, string>> = {
  '€': '\u0080',
  '’': '\u0092',
  '“': '\u0093',
  '”': '\u0094',
  '–': '\u0096',
};

/** A gzip file of one part, or of two that are cut anywhere. */
function packed(bytes: Buffer, chance: Chance): Buffer {
  const cut = chance.below(bytes.length);
  return chance.happens(0.5)
    ? gzipSync(bytes)
    : Buffer.concat([gzipSync(bytes.subarray(0, cut)), gzipSync(bytes.subarray(cut))]);
}

function shuffled<One>(these: readonly One[], chance: Chance): readonly One[] {
  return these
    .map((one) => ({ one, at: chance.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
