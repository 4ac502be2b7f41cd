/** The pages of rows over the fixture company: the same rows and totals as DuckDB finds in the files. */
import { beforeAll, describe, expect, it } from 'vitest';
import { filterRows, pageRows } from '../../../src/serve/rows/filter-rows.ts';
import { readRowQuery } from '../../../src/serve/rows/row-query.ts';
import { viewOf } from '../../../src/serve/rows/table-views.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { TABLES } from '../../../src/tables/all.ts';
import type { Table } from '../../../src/tables/table.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { firstSnapshot } from '../../fixtures/first-snapshot.ts';
import { fileOf, type Served } from '../../snapshot/builder/real-build.ts';
import { itInSweeps } from '../../support/sweeps.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';
import { type Cell, cellsIn, questionsAbout, readAs } from './row-questions.ts';

const SEED = 20_261_124;
const QUESTIONS = 12;

let reader: SnapshotReader;
let served: Served | null;
let id = '';
beforeAll(async () => {
  ({ id, reader, served } = await firstSnapshot());
});

/** A browser whose token is one of the company's. */
async function signedIn(kind: 'personal' | 'reporting' = 'personal') {
  const holder = { token_id: 1n, account_id: 1n, api_access: true, reporting_enabled: true } as const;
  const findHolder = async () =>
    kind === 'personal'
      ? ({ ...holder, kind, user_id: 3n } as const)
      : ({ ...holder, kind, user_id: null } as const);
  const browser = openBrowser(fakeApp({ snapshots: reader, findHolder }).app);
  await browser.signIn(TOKENS[kind]);
  return browser;
}

async function asked(table: string, sql: string): Promise<Record<string, Cell>[]> {
  return (await askDuckDb(fileOf(served, table), sql)) as Record<string, Cell>[]; // our columns have no other types
}

function dollars(cents: Cell | undefined): string {
  const amount = BigInt(String(cents));
  const [size, sign] = amount < 0n ? [-amount, '−'] : [amount, ''];
  const units = String(size / 100n).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}$${units}.${String(size % 100n).padStart(2, '0')}`;
}

describe('the page of a table', () => {
  it('has the rows, the order and the total that DuckDB finds for the same filters', async () => {
    const browser = await signedIn();
    const page = await browser.page(
      `/snapshots/${id}/tables/costs?cost_category=opex&period_month_from=2026-01-01&sort=-usd_amount_cents&columns=cost_entry_id,usd_amount_cents`,
    );
    const where = `where cost_category = 'opex' and period_month >= '2026-01-01'`;
    const rows = await asked(
      'costs',
      `select cost_entry_id, usd_amount_cents from file ${where} order by usd_amount_cents desc nulls last, cost_entry_id limit 50`,
    );
    const [sum] = await asked(
      'costs',
      `select count(*) as rows, sum(usd_amount_cents)::bigint as cents from file ${where}`,
    );
    const [total, ...shown] = cellsIn(page);
    expect(rows.length).toBeGreaterThan(3);
    expect(shown).toEqual(
      rows.map(({ cost_entry_id, usd_amount_cents: cents }) => [String(cost_entry_id), dollars(cents)]),
    );
    expect(total?.[0]).toBe(`Total of the ${String(sum?.['rows'])} filtered rows`);
    expect(total?.[1]).toContain(dollars(sum?.['cents']));
    expect(page).toContain(`<b>${dollars(sum?.['cents'])}</b>`);
  });

  it('speaks of one row in the singular', async () => {
    const browser = await signedIn();
    const [row] = await asked('costs', 'select min(cost_entry_id) as cost_entry_id from file');
    const page = await browser.page(
      `/snapshots/${id}/tables/costs?cost_entry_id=${String(row?.['cost_entry_id'])}`,
    );
    expect(cellsIn(page)[0]?.[0]).toBe('Total of the filtered row');
    expect(page).toMatch(/<p class="end downloads">\s*This row,/);
    // The table `snapshot` has one row.
    expect(await browser.page(`/snapshots/${id}/tables/snapshot`)).toMatch(/downloads">\s*The only row,/);
    const none = await browser.page(`/snapshots/${id}/tables/snapshot?snapshot_id=x`);
    expect(none).toContain('show the only row</a>');
  });

  it('says in the place of missing dollars what the row waits for', async () => {
    const page = await (
      await signedIn()
    ).page(`/snapshots/${id}/tables/costs?usd_amount_cents=&columns=cost_entry_id,usd_amount_cents`);
    const rows = await asked(
      'costs',
      'select cost_entry_id, currency from file where usd_amount_cents is null',
    );
    expect(rows.length).toBeGreaterThan(1);
    const [, ...shown] = cellsIn(page);
    // No rate of KES is stored; CHF is of a period before its first rate, EUR of a month that was locked first.
    const standings = new Map<unknown, string>([
      ['KES', 'no rate yet'],
      ['CHF', 'never converted'],
      ['EUR', 'locked without a rate'],
    ]);
    expect(shown).toEqual(rows.map((row) => [String(row['cost_entry_id']), standings.get(row['currency'])]));
  });

  it('sums dollars by initiative, names each, and links to its rows', async () => {
    const page = await (await signedIn()).page(`/snapshots/${id}/tables/costs`);
    const sums = await asked(
      'costs',
      'select initiative_id, count(*) as rows, sum(usd_amount_cents)::bigint as cents from file group by all order by abs(cents) desc, rows desc limit 5',
    );
    const titles = await asked('initiatives', 'select initiative_id, title from file');
    const [, list = ''] = /<h2>Initiative<\/h2>(.*?)<\/div>/s.exec(page) ?? [];
    const items = [...list.matchAll(/<li>\s*<a href="([^"]+)"[^>]*>([^<]+)<\/a\s*>(.*?)<\/li>/gs)].map(
      ([, href, title, rest = '']) => [href, title, rest.replaceAll(/<[^>]+>|\s+/g, ' ').trim()],
    );
    expect(items).toHaveLength(5);
    expect(items.map(([href, title, rest]) => [href, title, rest?.replaceAll(/\s+/g, ' ')])).toEqual(
      sums.map(({ initiative_id, rows, cents }) => [
        `costs?initiative_id=${String(initiative_id)}`,
        titles.find((each) => each['initiative_id'] === initiative_id)?.['title'],
        `${String(rows)} ${dollars(cents)}`,
      ]),
    );
  });

  it('can be read with either kind of token, for each of the fourteen tables', async () => {
    const browser = await signedIn('reporting');
    for (const table of TABLES) {
      const { name } = table;
      const response = await browser.send(`/snapshots/${id}/tables/${name}`);
      expect([name, response.status]).toEqual([name, 200]);
      const page = await response.text();
      expect(page).toContain(`<h1>${viewOf(table).title}</h1>`);
      expect(page).not.toContain('style="');
    }
  });

  it('adds no window to its parts, and adds windows of one kind and scope', async () => {
    const browser = await signedIn();
    const all = cellsIn(
      await browser.page(`/snapshots/${id}/tables/reported_totals?columns=scope,cost_cents`),
    );
    expect(all[0]?.[1]).toBe('not added up: filter one scope');
    const page = await browser.page(
      `/snapshots/${id}/tables/reported_totals?scope=initiative&window_kind=all_time&columns=scope,cost_cents`,
    );
    const [total] = await asked(
      'reported_totals',
      "select cost_cents from file where scope = 'portfolio' and window_kind = 'all_time'",
    );
    expect(cellsIn(page)[0]?.[1]).toBe(dollars(total?.['cost_cents']));
  });

  it('refuses a wrong filter in words, says how to go on when no row fits, and asks others to sign in', async () => {
    const browser = await signedIn();
    const wrong = await browser.send(`/snapshots/${id}/tables/costs?usd_amount_cents_from=ten`);
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('usd_amount_cents_from must be a whole number of cents');
    expect((await browser.send(`/snapshots/${id}/tables/nothing`)).status).toBe(404);
    const none = await browser.page(`/snapshots/${id}/tables/costs?vendor_name=Nobody`);
    expect(none).toContain('No row fits all filters.');
    expect(none).toContain('<a href="costs">Remove the filter Vendor as recorded</a>');
    const out = await openBrowser(fakeApp({ snapshots: reader }).app).send(`/snapshots/${id}/tables/costs`);
    expect([out.status, out.headers.get('location')]).toEqual([
      303,
      `../../../?to=snapshots%2F${id}%2Ftables%2Fcosts`,
    ]);
  });

  it('puts the table alone into a region that scrolls sideways', async () => {
    const browser = await signedIn();
    expect(await browser.page(`/snapshots/${id}/tables/costs`)).toMatch(
      /<div class="across" tabindex="0" role="region" aria-label="Rows">\s*<table class="rows">/,
    );
    expect(await browser.page('/docs/site.css')).toMatch(/\n\.across \{\n  overflow-x: auto;\n\}/);
  });

  it('leads to the same view of another snapshot, from its first page', async () => {
    const browser = await signedIn();
    const path = `/snapshots/${id}/tables/costs`;
    const view =
      'cost_category=opex&cost_category=capex&vendor_name=&sort=-cost_entry_id&columns=cost_entry_id';
    const page = await browser.page(`${path}?${view}`);
    const [, form = ''] = page.split('<form class="snapshot-bar" method="get" action="costs">');
    const [fields = ''] = form.split('</form>');
    const sent = new URLSearchParams(
      [...fields.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']): [string, string] => [name, value],
      ),
    );
    expect(sent.toString()).toBe(view);
    expect(fields).toContain(`<option value="${id}" selected>`);
    // When the snapshot was taken, to the second, as its id says.
    expect(fields).toContain('2026-07-15 02:00:00 UTC (newest)');
    const led = await browser.send(`${path}?${view}&page=2&snapshot=20260714T020000Z`);
    expect([led.status, led.headers.get('location')]).toEqual([
      303,
      `../../20260714T020000Z/tables/costs?${view}`,
    ]);
    expect((await browser.send(`${path}?snapshot=%2F%2Fevil`)).headers.get('location')).toBe(
      '../../%2F%2Fevil/tables/costs',
    );
    expect((await browser.send(`${path}.csv?snapshot=20260714T020000Z`)).status).toBe(400);
  });

  it('downloads the whole file, and the filtered rows with the chosen columns', async () => {
    const browser = await signedIn();
    const parquet = await browser.send(`/snapshots/${id}/tables/costs.parquet`);
    expect(Buffer.from(await parquet.arrayBuffer()).equals(fileOf(served, 'costs'))).toBe(true);
    expect(parquet.headers.get('content-disposition')).toBe('attachment; filename="costs.parquet"');
    const csv = await browser.page(
      `/snapshots/${id}/tables/costs.csv?cost_category=capex&sort=-cost_entry_id&columns=usd_amount_cents,cost_entry_id`,
    );
    const rows = await asked(
      'costs',
      "select usd_amount_cents, cost_entry_id from file where cost_category = 'capex' order by cost_entry_id desc",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(csv).toBe(
      [
        'usd_amount_cents,cost_entry_id',
        ...rows.map((row) =>
          Object.values(row)
            .map((cell) => cell ?? '')
            .join(),
        ),
      ]
        .map((line) => `${line}\r\n`)
        .join(''),
    );
    const response = await browser.send(`/snapshots/${id}/tables/costs.csv?spreadsheet=true`);
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(text.startsWith('\u{FEFF}Snapshot id,Cost entry,')).toBe(true);
    expect(text).not.toContain('NaN');
  });
});

/** Asks for rows of a table in many ways; the rows and totals of each answer, and those that DuckDB finds. */
async function rowsByBoth(
  table: Table,
  seed: number,
): Promise<{ readonly found: object[]; expected: object[] }> {
  const opened = await reader.openRows(1n, id, table);
  const names = table.columns.map((column) => column.name);
  const all = await asked(table.name, `select ${readAs(table)} from file`);
  const both = { found: [] as object[], expected: [] as object[] };
  for (const { address, sql } of questionsAbout(table, all, seed, QUESTIONS)) {
    const query = readRowQuery(new URLSearchParams(address), table, opened.columns);
    const { amount, ...view } = viewOf(table);
    const facets = view.facets.filter((each) => names.includes(each));
    const found = await filterRows(opened, query, { table: table.name, columns: names, facets, amount });
    both.found.push({ address, rows: await pageRows(opened, names, found, [0, found.count]) });
    const expected = await asked(
      table.name,
      `select ${readAs(table)} from (select *, row_number() over () as file_row_number from file) ${sql}`,
    );
    both.expected.push({ address, rows: expected.map((row) => names.map((each) => row[each] ?? null)) });
    for (const { column, cents, differs_in } of found.totals) {
      if (differs_in !== null) continue;
      const [sum] = await asked(
        table.name,
        `select sum("${column}")::bigint as cents from (select *, row_number() over () as file_row_number from file ${sql.split(' order by ')[0]})`,
      );
      both.found.push({ address, column, cents });
      both.expected.push({ address, column, cents: sum?.['cents'] ?? null });
    }
  }
  return both;
}

describe('the rows of a view', () => {
  const views = TABLES.map((table, index) => ({ name: table.name, table, seed: SEED + index }));
  it.each(views.filter(({ name }) => name === 'costs'))(
    `of $name are those that DuckDB finds (seed ${SEED})`,
    async ({ table, seed }) => {
      const { found, expected } = await rowsByBoth(table, seed);
      expect(found).toEqual(expected);
    },
  );
  itInSweeps.each(views.filter(({ name }) => name !== 'costs'))(
    `of $name are those that DuckDB finds (seed ${SEED})`,
    async ({ table, seed }) => {
      const { found, expected } = await rowsByBoth(table, seed);
      expect(found).toEqual(expected);
    },
  );
});
