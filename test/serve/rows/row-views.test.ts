/** A page of rows: its pages, its heaviest values, its filters and its downloads, with rows that the test states. */
import { describe, expect, it } from 'vitest';
import { EARLIER, LATEST } from '../fake-parts.ts';
import { signedInToRows } from '../given-snapshots.ts';
import { textOf } from '../money/served-company.ts';

const COST = { initiative_id: 101n, currency: 'USD', cost_type: 'software', description: null };

/** So many costs of a dollar each; every tenth has no dollars yet. */
const costs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...COST,
    cost_entry_id: BigInt(index + 1),
    amount_cents: 100n,
    usd_amount_cents: index % 10 === 9 ? null : 100n,
    vendor_id: BigInt(index % 8),
    vendor_name: `Recorded ${String(index)}`,
    cost_category: index % 2 === 0 ? 'opex' : null,
  }));

const VENDORS = Array.from({ length: 8 }, (_, id) => ({ vendor_id: BigInt(id), name: `Vendor ${id}` }));

const AT = `/snapshots/${LATEST}/tables/costs`;

async function pageOf(parameters: string, rows = costs(101), table = 'costs'): Promise<string> {
  const browser = await signedInToRows({ [table]: rows, api_vendor_names: VENDORS });
  return await browser.page(`/snapshots/${LATEST}/tables/${table}${parameters}`);
}

const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('the pages of a view', () => {
  it.each([
    ['', 'Rows 1 to 50 of 101; 50 on a page Next page'],
    ['?page=2', 'Rows 51 to 100 of 101; 50 on a page Previous page Next page'],
    ['?page=3', 'Rows 101 to 101 of 101; 50 on a page Previous page'],
    ['?cost_entry_id_through=50', 'Rows 1 to 50 of 50; 50 on a page The address'],
    ['?cost_entry_id_through=51', 'Rows 1 to 50 of 51; 50 on a page Next page The address'],
  ])('%s: each has its numbers and leads to the one before and after', async (parameters, words) => {
    expect(textOf(await pageOf(parameters))).toContain(words);
  });

  it.each(['4', '100000000'])('has no page %s, and says so with a link to the first', async (page) => {
    const body = await pageOf(`?cost_type=software&page=${page}`);
    expect(textOf(body)).toContain(`The view has no page ${page}. Show its first page`);
    expect(body).toContain('href="costs?cost_type=software"');
    expect(body).not.toContain('<table class="rows">');
  });

  it('have their own rows, in the order that is asked for, also right after another page or order', async () => {
    const browser = await signedInToRows({ costs: costs(101) });
    const ids = async (parameters: string) => {
      const page = await browser.page(`${AT}?columns=cost_entry_id&${parameters}`);
      return [...page.matchAll(/<td class="r?" data-column="Cost entry">\s*<a[^>]*>(\d+)</g)].map(([, id]) =>
        Number(id),
      );
    };
    const filter = 'cost_entry_id_from=31&cost_entry_id_through=90';
    expect(await ids(filter)).toEqual(upTo(31, 80));
    expect(await ids(`${filter}&page=2`)).toEqual(upTo(81, 90));
    expect(await ids(`${filter}&sort=-cost_entry_id`)).toEqual(upTo(41, 90).toReversed());
    expect(await ids(`${filter}&sort=-cost_entry_id&page=2`)).toEqual(upTo(31, 40).toReversed());
    expect(await ids(`${filter}&sort=cost_entry_id`)).toEqual(upTo(31, 80));
    expect(await ids(filter)).toEqual(upTo(31, 80));
    expect(await ids('')).toEqual(upTo(1, 50));
    expect(await ids('page=3')).toEqual([101]);
  });

  it('keeps filters, order and columns from page to page', async () => {
    const body = await pageOf('?cost_type=software&sort=-cost_entry_id&columns=cost_entry_id&page=2');
    const kept = 'cost_type=software&amp;sort=-cost_entry_id&amp;columns=cost_entry_id';
    expect(body).toContain(`<a rel="next" href="costs?${kept}&amp;page=3">`);
    expect(body).toContain(`<a rel="prev" href="costs?${kept}">`);
  });
});

describe('the head of a view', () => {
  it('counts the rows and adds up their amounts, filtered or not; rows without an amount are named', async () => {
    const all = textOf(await pageOf(''));
    expect(all).toContain('101 rows , $91.00 .');
    expect(all).toContain('Total of the 101 rows $91.00 10 without an amount');
    const some = textOf(await pageOf('?cost_entry_id_from=10&cost_entry_id_through=12'));
    expect(some).toContain('3 of 101 rows , $2.00 .');
    expect(some).toContain('Total of the 3 filtered rows $2.00 1 without an amount');
    expect(textOf(await pageOf('?cost_entry_id=10'))).toContain('Total of the filtered row none');
    expect(textOf(await pageOf('', costs(1)))).toContain('1 row , $1.00 .');
  });

  it('says that no row fits, each filter with its way out, and of an empty table that it has no rows', async () => {
    const none = await pageOf('?cost_type=hardware&cost_entry_id=1');
    expect(textOf(none)).toContain(
      'No row fits all filters. Remove the filter Cost type Remove the filter Cost entry',
    );
    expect(none).toContain('<a href="costs?cost_entry_id=1">Remove the filter Cost type</a>');
    expect(textOf(none)).not.toContain('Where the money sits');
    const empty = textOf(await pageOf('', []));
    expect(empty).toContain('The table has no rows in this snapshot.');
    expect(empty).toContain('0 rows . What the columns mean');
  });
});

const lists = (page: string): string =>
  page.slice(page.indexOf('class="facets"'), page.indexOf('class="across"'));

describe('the heaviest values of a view', () => {
  it('are five of each column, heaviest first, and the number of the others', async () => {
    const rows = costs(8).map((row, index) => ({ ...row, usd_amount_cents: BigInt((index - 3) * 1_000) }));
    const shown = textOf(lists(await pageOf('', rows)));
    // −$30, −$20, −$10, $0, $10, $20, $30, $40: by size, and of one size in the order of the file.
    expect(shown).toContain(
      'Vendor Vendor 7 1 $40.00 Vendor 0 1 −$30.00 Vendor 6 1 $30.00 Vendor 1 1 −$20.00 Vendor 5 1 $20.00 and 3 more',
    );
    const six = textOf(lists(await pageOf('', rows.slice(0, 6))));
    expect(six).toContain('and 1 more');
    const five = textOf(lists(await pageOf('', rows.slice(0, 5))));
    expect(five).not.toContain('more');
  });

  it('lead to their rows: a value replaces the filter of its column and keeps the others', async () => {
    const page = lists(await pageOf('?vendor_id=1&vendor_id=2&cost_type=software'));
    expect(page).toContain('href="costs?cost_type=software&amp;vendor_id=1"');
    const other = lists(await pageOf('?vendor_id=1&vendor_id=2'));
    expect(other).toContain('href="costs?vendor_id=1&amp;vendor_id=2&amp;cost_category=opex"');
    // A missing value is a filter, too.
    expect(other).toContain('href="costs?vendor_id=1&amp;vendor_id=2&amp;cost_category="');
  });

  it('are open on the first page alone, and absent where a column has one value', async () => {
    expect(await pageOf('')).toContain('<details class="facets" open>');
    expect(await pageOf('?page=2')).toContain('<details class="facets" >');
    const one = costs(2).map((row) => ({ ...row, vendor_id: 1n, cost_category: 'opex' }));
    expect(await pageOf('', one)).not.toContain('class="facets"');
  });
});

const of = (description: string) => costs(1).map((row) => ({ ...row, description }) as never);

const shownText = (description: string) => pageOf('?columns=description', of(description));

describe('a single row', () => {
  it('leads to all its columns and to the rows that refer to it; two rows do not', async () => {
    const initiatives = [101n, 102n].map((initiative_id) => ({ initiative_id, title: 'T', stage: 'live' }));
    const one = await pageOf('?initiative_id=101', initiatives as never, 'initiatives');
    expect(textOf(one)).toContain('Show all columns of this row ; rows that refer to it:');
    expect(one).toContain('<a href="costs?initiative_id=101">costs</a>');
    expect(one).not.toContain('<a href="initiatives?initiative_id=101">initiatives</a>');
    const two = await pageOf('?initiative_id=101&initiative_id=102', initiatives as never, 'initiatives');
    expect(two).not.toContain('rows that refer to it');
    const cost = await pageOf('?cost_entry_id=3');
    expect(textOf(cost)).toContain('Show all columns of this row');
    expect(cost).toMatch(/href="costs\?cost_entry_id=3&amp;columns=(?:\w+%2C){20,}\w+"/);
  });

  it('folds a long text, opens an address in the web, and shows markup as text', async () => {
    expect(await shownText('x'.repeat(160))).not.toContain('<details>');
    const long = await shownText('x'.repeat(161));
    expect(textOf(long)).toContain(`${'x'.repeat(80)}… 161 characters`);
    expect(await shownText('https://example.com/a?b="c')).toContain(
      '<a href="https://example.com/a?b=&quot;c" rel="noreferrer">Open</a>',
    );
    expect(await shownText('javascript:alert(1)')).not.toContain('href="javascript');
    expect(await shownText('<b>bold</b>')).toContain('&lt;b&gt;bold&lt;/b&gt;');
  });
});

const sent = async (path: string) => {
  const answer = await (await signedInToRows({ costs: costs(3) })).send(path);
  return [answer.status, answer.headers.get('location') ?? answer.headers.get('content-disposition')];
};

/** The addresses of the CSV files that the page leads to. */
const linksOf = async (parameters: string) =>
  [...(await pageOf(parameters)).matchAll(/class="button" href="(costs\.csv[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );

describe('addresses of a view', () => {
  it('of the newest snapshot lead to its id, with every parameter', async () => {
    expect(await sent('/snapshots/newest/tables/costs?cost_type=software&page=2')).toEqual([
      303,
      `../../${LATEST}/tables/costs?cost_type=software&page=2`,
    ]);
  });

  it('of the form for another snapshot lead there, to the first page', async () => {
    expect(await sent(`${AT}?cost_type=software&sort=-month&page=3&snapshot=${EARLIER}`)).toEqual([
      303,
      `../../${EARLIER}/tables/costs?cost_type=software&sort=-month`,
    ]);
    expect(await sent(`${AT}?snapshot=${EARLIER}`)).toEqual([303, `../../${EARLIER}/tables/costs`]);
    expect((await sent(`${AT}.csv?snapshot=${EARLIER}`))[0]).toBe(400);
  });

  it('of a file name its content: all rows, or those of the filters', async () => {
    const all = `attachment; filename="costs-all-${LATEST}.csv"`;
    expect(await sent(`${AT}.csv`)).toEqual([200, all]);
    expect(await sent(`${AT}.csv?sort=-cost_entry_id`)).toEqual([200, all]);
    expect(await sent(`${AT}.csv?cost_type=software`)).toEqual([
      200,
      `attachment; filename="costs-filtered-${LATEST}.csv"`,
    ]);
    expect(await sent(`${AT}.csv?spreadsheet=true`)).toEqual([
      200,
      `attachment; filename="costs-all-${LATEST}-spreadsheet.csv"`,
    ]);
    expect((await sent(`${AT}?spreadsheet=true`))[0]).toBe(400);
    expect((await sent(`${AT}.csv?spreadsheet=yes`))[0]).toBe(400);
  });

  it('lead to files with the filters, the shown columns and the order of the page', async () => {
    const asked = 'cost_type=software&sort=-cost_entry_id&columns=cost_entry_id%2Ccost_type';
    expect(await linksOf(`?${asked}&page=2`)).toEqual([
      `costs.csv?${asked}`,
      `costs.csv?${asked}&spreadsheet=true`,
    ]);
    // Without a choice, the columns are those that the table shows by itself.
    const [csv = ''] = await linksOf('');
    const columns = new URLSearchParams(csv.split('?')[1]).get('columns')?.split(',');
    expect(columns?.slice(0, 3)).toEqual(['cost_entry_id', 'initiative_id', 'usd_amount_cents']);
    expect(columns).toHaveLength(9);
  });

  it('of a file in another order have at most 50,000 rows; the page then leads to an unsorted file', async () => {
    const browser = await signedInToRows({ costs: costs(50_001) });
    const sorted = `${AT}.csv?sort=-cost_entry_id`;
    const refused = await browser.send(sorted);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('The parameter sort is for files of at most 50000 rows: add a filter'),
    ]);
    expect((await browser.send(`${sorted}&cost_entry_id_from=2`)).status).toBe(200);
    const page = await browser.page(`${AT}?sort=-cost_entry_id`);
    expect(textOf(page)).toContain('All 50,001 rows, 9 of 34 columns, not sorted:');
    expect(page).toContain('href="costs.csv?columns=');
  });

  it('lead from a form to the spelling of the table, in upper or lower case', async () => {
    const rows = [...costs(2), { ...COST, cost_entry_id: 9n, cost_type: 'SOFTWARE' }];
    const browser = await signedInToRows({ costs: rows });
    const led = async (text: string) => {
      const answer = await browser.send(`${AT}?add_column=cost_type&add_how=is&add_value=${text}`);
      return [answer.status, answer.headers.get('location')];
    };
    expect(await led('Software')).toEqual([303, 'costs?cost_type=software&cost_type=SOFTWARE']);
    expect(await led('SOFTWARE')).toEqual([303, 'costs?cost_type=SOFTWARE']);
    expect(await led('soft')).toEqual([303, 'costs?cost_type=soft']);
  });

  it('can be sent by a form that offers each shown column in both directions', async () => {
    const page = await pageOf('?cost_type=software&sort=-vendor_id&columns=cost_entry_id&page=2');
    const [, form = ''] = /<form class="order"[^>]*action="costs">(.*?)<\/form>/s.exec(page) ?? [];
    const kept = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, ...each]) => each);
    expect(kept).toEqual([
      ['cost_type', 'software'],
      ['columns', 'cost_entry_id'],
    ]);
    // The chosen order stays, although its column is not shown.
    const options = [...form.matchAll(/value="([^"]*)"\s*(selected)?/g)].slice(kept.length);
    expect(options.map(([, value, chosen]) => (chosen === undefined ? value : `${value} chosen`))).toEqual([
      '',
      'vendor_id',
      '-vendor_id chosen',
      'cost_entry_id',
      '-cost_entry_id',
    ]);
    expect(await pageOf('?cost_entry_id=1')).not.toContain('class="order"');
  });

  it('of a table that no snapshot has are not found', async () => {
    for (const name of ['focus', 'nothing', 'Costs']) {
      expect((await sent(`/snapshots/${LATEST}/tables/${name}`))[0]).toBe(404);
    }
  });
});
