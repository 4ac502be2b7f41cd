/** The CSV for spreadsheets of every table: amounts with decimals, days, and titles beside ids, as DuckDB works them out. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sheetMoment } from '../../../src/snapshot/read/sheet-cells.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { TABLES, tableNamed } from '../../../src/tables/all.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { firstSnapshot } from '../../fixtures/first-snapshot.ts';
import { fileOf, type Served } from '../../snapshot/builder/real-build.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';
import { readCsv } from './read-csv.ts';

let reader: SnapshotReader;
let served: Served | null;
let id = '';
beforeAll(async () => {
  ({ id, reader, served } = await firstSnapshot());
});

async function sheetOf(table: string, more = ''): Promise<string> {
  const holder = { token_id: 1n, account_id: 1n, api_access: true, reporting_enabled: true } as const;
  const findHolder = async () => ({ ...holder, kind: 'personal', user_id: 3n }) as const;
  const browser = openBrowser(fakeApp({ snapshots: reader, findHolder }).app);
  await browser.signIn(TOKENS.personal);
  return await browser.page(`/snapshots/${id}/tables/${table}.csv?spreadsheet=true${more}`);
}

/** SQL for the cell of a column as a person reads it. */
const CELLS = {
  cents: (name: string) => `cast(cast(${name} as decimal(20, 0)) / 100 as decimal(22, 2))::varchar`,
  timestamp: (name: string) =>
    `regexp_replace(strftime(${name} at time zone 'UTC', '%Y-%m-%d %H:%M:%S.%f'), ' 00:00:00.000000|[.][0-9]+', '')`,
  initiative: (name: string) => `(select title from titles where titles.initiative_id = file.${name})`,
  // This snapshot has no table of names, so one of those that were recorded stands for the vendor.
  vendor: (name: string) =>
    `(select min(trim(vendor_name)) from file named where named.vendor_id = file.${name})`,
} as const;

describe('the CSV for spreadsheets', () => {
  it.each(TABLES.map(({ name }) => name))(
    'of %s has amounts with decimals, days, and a name beside each id of an initiative or vendor',
    async (table) => {
      const [first = '', ...rest] = (await sheetOf(table)).split('\r\n');
      const heads = first.split(',');
      expect(new Set(heads).size).toBe(heads.length);
      const sheet = await readCsv([heads.map((_, index) => `c${index}`).join(','), ...rest].join('\r\n'));
      const shown = tableNamed(table)?.columns.flatMap(({ name, kind, references }) => {
        if (references === 'initiatives') return ['', CELLS.initiative(name)];
        if (name === 'vendor_id') return ['', CELLS.vendor(name)];
        return kind === 'cents' || kind === 'timestamp' ? CELLS[kind](name) : '';
      });
      const chosen = shown?.flatMap((sql, index) => (sql === '' ? [] : [[`c${index}`, sql] as const])) ?? [];
      const initiatives = (await askDuckDb(
        fileOf(served, 'initiatives'),
        'select initiative_id, title from file',
      )) as { initiative_id: bigint; title: string }[];
      const titles = initiatives.map(
        ({ initiative_id, title }) => `(${initiative_id}, '${title.replaceAll("'", "''")}')`,
      );
      const expected = await askDuckDb(
        fileOf(served, table),
        `with titles as (select * from (values ${titles.join(', ')}) as t (initiative_id, title))
         select ${["'row' as row", ...chosen.map(([as, sql]) => `${sql} as ${as}`)].join(', ')}
         from (select *, row_number() over () as in_order from file) file order by in_order`,
      );
      const found = sheet.map((line) => ({
        row: 'row',
        ...Object.fromEntries(chosen.map(([as]) => [as, line[as]])),
      }));
      expect(found).toEqual(expected);
    },
  );

  it('has the heads of the page', async () => {
    const [heads] = (await sheetOf('costs', '&columns=cost_entry_id,initiative_id,usd_amount_cents')).split(
      '\r\n',
    );
    expect(heads).toBe('Cost entry,Initiative id,Initiative,Dollars');
  });

  it.each([
    ['biller,month,billed_cents', 'Biller,Month,Billed'],
    ['month,biller,billed_cents', 'Month,Biller,Billed'],
    ['month,billed_cents', 'Month,Billed'],
  ])('has who billed at the place of the column: %s', async (columns, expected) => {
    const [heads = '', first = ''] = (await sheetOf('ai_spend', `&columns=${columns}`)).split('\r\n');
    expect(heads.replace('\u{FEFF}', '')).toBe(expected);
    expect(first.split(',')).toHaveLength(expected.split(',').length);
    expect(first.split(',')).not.toContain('');
  });

  it('says the scale of a ratio, which the page shows as a percentage', async () => {
    const [heads] = (await sheetOf('reported_totals', '&columns=window_label,roi')).split('\r\n');
    expect(heads).toContain('(1 is 100 %)');
  });
});

describe('a moment of a spreadsheet', () => {
  it.each([
    ['2026-06-01T00:00:00.000000Z', '2026-06-01'],
    ['2026-06-01T00:00:00.000001Z', '2026-06-01 00:00:00'],
    ['2026-06-01T23:59:59.999999Z', '2026-06-01 23:59:59'],
  ])('%s is %s', (instant, shown) => {
    expect(sheetMoment(instant)).toBe(shown);
  });
});
