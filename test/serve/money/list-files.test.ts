/** The lists of initiatives and of budgets as files for spreadsheets: every found line, with the figures of the page. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CsvLine, readCsv } from '../rows/read-csv.ts';
import { dollars, serveCompany, textOf } from './served-company.ts';

let company: Awaited<ReturnType<typeof serveCompany>>;
let browser: Awaited<ReturnType<typeof company.signedIn>>;
beforeAll(async () => {
  company = await serveCompany();
  browser = await company.signedIn();
});
afterAll(() => company?.close());

/** The lines of the table of a page but for its sums, as texts of its cells. */
async function shownLines(path: string): Promise<readonly (readonly string[])[]> {
  const [, table = ''] = (await browser.page(path)).split('<tbody>');
  return (table.split('</tbody>')[0] ?? '')
    .split('</tr>')
    .filter((row) => row.includes('<th') && !row.includes('class="sum"'))
    .map((row) => [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => textOf(cell)));
}

const file = async (path: string): Promise<readonly CsvLine[]> => await readCsv(await browser.page(path));

/** An amount of the file as pages write it, but for its currency. */
function inDollars(amount: string | null | undefined): string {
  return dollars(BigInt((amount ?? '').replace('.', '')));
}

/** The text of markup, as the ledger has it. */
function asWritten(shown: string): string {
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return shown.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => signs[name] ?? '');
}

it.each(['', '?by=cost', '?by=cost&window=year', '?q=claims', '?q=nothing+at+all'])(
  'the file of initiatives has the lines of the page %s, in its order',
  async (query) => {
    const shown = await shownLines(`/initiatives${query}`);
    const lines = await file(`/initiatives.csv${query}`);
    const figures = ['Net value', 'Cost', 'Cash value', 'Freed capacity'];
    expect(lines.map((line) => figures.map((name) => inDollars(line[name])))).toEqual(
      shown.map(([, , net, cost, cash, , freed]) => [net, cost, cash, freed]),
    );
    for (const [index, line] of lines.entries()) {
      const [name = '', , , , , roi = ''] = shown[index] ?? [];
      // A text that a spreadsheet would run as a formula has an apostrophe before it.
      const [title = '', ...parts] = ['Initiative', 'Stage', 'Owner', 'Department'].map((column) =>
        (line[column] ?? '').replace(/^'/, ''),
      );
      expect(title).not.toBe('');
      expect(asWritten(name).startsWith(title)).toBe(true);
      for (const part of parts) expect(asWritten(name)).toContain(part);
      expect([line['Currency'], line['Window'], line['Snapshot']]).toEqual([
        'USD',
        query.includes('window=year') ? 'FY2027' : 'all time',
        company.to,
      ]);
      const { 'ROI (1 is 100 %)': ratio = null } = line;
      const share = Number(ratio ?? NaN);
      expect(roi === 'none' ? ratio : Math.abs(share * 100 - percentOf(roi)) < 0.051).toBe(
        roi === 'none' ? null : true,
      );
    }
  },
);

/** `−1,234.5 %` as a number. */
function percentOf(shown: string): number {
  return Number(shown.replace('−', '-').replaceAll(/[,%\s]/g, ''));
}

it.each(['', '?state=over', '?q=the+owner+of+the+first'])(
  'the file of budgets has the lines of the page %s',
  async (asked) => {
    const [first] = await file('/budgets.csv');
    const owner = encodeURIComponent(first?.['Owner'] ?? '').replace(/^'/, '');
    const query = asked.startsWith('?q') ? `?q=${owner}` : asked;
    const shown = await shownLines(`/budgets${query}`);
    const lines = await file(`/budgets.csv${query}`);
    expect(lines.length).toBe(shown.length);
    expect(lines.length).toBeGreaterThan(0);
    for (const [index, line] of lines.entries()) {
      const [, , budget = '', spent = '', rest = ''] = shown[index] ?? [];
      const amounts = ['Budget to date', 'Spent to date'].map((name) => inDollars(line[name]));
      const own = [budget, spent.replace(/ without .*/, '')];
      expect(own.map((each) => each.replace(/^[A-Z]{3} /, '$'))).toEqual(amounts);
      const left = line['Rest of the budget'] ?? '';
      expect(rest).toContain(inDollars(left.replace('-', '')).replace('$', ''));
      expect(rest.endsWith(left.startsWith('-') ? 'over' : 'under')).toBe(!/^-?0\.00$/.test(left));
      const over = ['One-time cost over by', 'Running cost over by'].map((name) => line[name] ?? null);
      expect(over.some((amount) => amount !== null)).toBe(line['State'] === 'over');
      for (const amount of over.filter((each) => each !== null))
        expect((shown[index] ?? []).join(' ')).toContain(inDollars(amount).replace('$', ''));
    }
  },
);

it('the page leads to the file of what it found, which has a name of its own and no cache keeps', async () => {
  const page = await browser.page('/initiatives?by=cost&window=year&q=quotes');
  expect(page).toContain(
    `href="initiatives.csv?snapshot=${company.to}&amp;by=cost&amp;window=year&amp;q=quotes"`,
  );
  const answer = await browser.send('/initiatives.csv', {});
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="initiatives-all-time-${company.to}-spreadsheet.csv"`,
  );
  const ofYear = await browser.send('/initiatives.csv?window=year', {});
  expect(ofYear.headers.get('content-disposition')).toContain('initiatives-fy');
  for (const [address, name] of [
    ['/initiatives.csv?q=quotes', 'initiatives-found-all-time'],
    ['/budgets.csv', 'budgets'],
    ['/budgets.csv?q=quotes&state=over', 'budgets-found-over'],
  ] as const) {
    const { headers } = await browser.send(address, {});
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${name}-${company.to}-spreadsheet.csv"`,
    );
  }
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const text = Buffer.from(await answer.arrayBuffer()).toString();
  expect(text).toContain(`,Net since ${company.from},Snapshot\r\n`);
  expect(text.startsWith('\u{FEFF}Initiative id,Initiative,')).toBe(true);
});
