/** One table in each form that can hold it. */
import { gzipSync } from 'node:zlib';
import type { Case } from './case.ts';
import { parquetOf } from './parquet-of.ts';
import { type Rows, lineOf } from './sheet.ts';

const COMMAS = { separator: ',', lineEnd: '\n', quotesAll: false, endsLastLine: true };

/** The columns of the costs of all cases. */
export const HEADER = ['source_ref', 'initiative_ref', 'amount', 'currency', 'period_start', 'vendor_name'];
export const COSTS = 'cost_entries';

export function costRow(
  ref: string,
  amount: string,
  more: Partial<Record<'currency' | 'day' | 'vendor' | 'initiative', string>> = {},
): readonly string[] {
  const { currency = 'USD', day = '2026-03-01', initiative = 'J', vendor = 'Globex' } = more;
  return [ref, initiative, amount, currency, day, vendor];
}

export function csvOf(rows: Rows, separator = ','): string {
  return `${rows.map((cells) => lineOf(cells, { ...COMMAS, separator })).join('\n')}\n`;
}

/** The same text as a file, packed, and on standard input, which has no bills. */
export function textForms(
  { id, says, ...rest }: Omit<Case, 'files'>,
  table: string,
  text: string | Buffer,
): readonly Case[] {
  const forms = {
    [`${table}.csv`]: text,
    [`${table}.csv.gz`]: gzipSync(text),
    ...(rest.isBill ? {} : { '-': text }),
  };
  return Object.entries(forms).map(([name, content]) => ({
    ...rest,
    id: `${id}, ${name}`,
    isOfAnotherForm: name !== `${table}.csv`,
    files: { [name]: content },
    says: says.map((part) => part.replace('FILE', name === '-' ? 'standard input' : name)),
  }));
}

/** The same rows as texts, as JSON lines and as Parquet. */
export function everyForm(given: Omit<Case, 'files'>, table: string, rows: Rows): readonly Case[] {
  const [header = [], ...body] = rows;
  const objects = body.map((cells) =>
    JSON.stringify(
      Object.fromEntries(header.map((name, index) => [name, cells[index] === '' ? null : cells[index]])),
    ),
  );
  const others = {
    [`${table}.ndjson`]: `${objects.join('\n')}\n`,
    [`${table}.parquet`]: parquetOf(header, body),
  };
  return [
    ...textForms(given, table, csvOf(rows)),
    ...Object.entries(others).map(([name, content]) => ({
      ...given,
      id: `${given.id}, ${name}`,
      isOfAnotherForm: true,
      files: { [name]: content },
      says: given.says.map((part) =>
        // The rows of JSON lines have no header before them.
        name.endsWith('ndjson')
          ? part.replace('FILE', name).replace(/:(\d+) /, (_, line: string) => `:${Number(line) - 1} `)
          : part.replace('FILE', name),
      ),
    })),
  ];
}
