/** Days of pages: each is a time, in which no line breaks, wherever the pages of people show one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tableNamed } from '../../../src/tables/all.ts';
import { shownDay, shownMoment } from '../../../src/serve/frame/shown-values.ts';
import { valueContent } from '../../../src/serve/rows/row-cells.ts';
import { pageAddresses, serveCompany } from './served-company.ts';

let company: Awaited<ReturnType<typeof serveCompany>>;
beforeAll(async () => {
  company = await serveCompany();
});
afterAll(() => company?.close());

/** What a person reads that may break: no drawing, no choice of a form, no code, and no time. */
const APART = /<(time|svg|option|code|pre|script|style|title|textarea)\b.*?<\/\1\s*>/gs;

function brokenDays(page: string): readonly string[] {
  const words = page.replaceAll(APART, ' ').replaceAll(/<[^>]*>/g, ' ');
  return [...words.matchAll(/.{0,30}\b\d{4}-\d\d-\d\d\b/gs)].map(([found]) =>
    found.replaceAll(/\s+/g, ' ').trim(),
  );
}

it('a day is a time on every page of people, in views of rows and in filters', async () => {
  const browser = await company.signedIn();
  const { from, to } = company;
  const rows = `/snapshots/${to}/tables`;
  const addresses = [
    ...pageAddresses(to),
    `/snapshots/${to}/changes?from=${from}`,
    `/initiatives/102?snapshot=${from}`,
    ...['initiatives', 'budgets', 'budget_vs_actual', 'approval_decisions', 'value_inputs'].map(
      (table) => `${rows}/${table}`,
    ),
    `${rows}/budget_vs_actual?as_of_through=2026-07-15`,
    `${rows}/costs?period_start_from=2026-07-01&period_start_through=2026-07-01T00:00:00Z`,
  ];
  const found: Record<string, readonly string[]> = {};
  let times = 0;
  for (const address of addresses) {
    const answer = await browser.send(address);
    if (answer.status !== 200 || answer.headers.get('content-type')?.startsWith('text/html') !== true)
      continue;
    const page = await answer.text();
    times += page.split('<time').length - 1;
    if (brokenDays(page).length > 0) found[address] = brokenDays(page);
  }
  expect(found).toEqual({});
  expect(times).toBeGreaterThan(200);
});

it('a cell shows a day or an instant of a comparison or an address as a time', () => {
  const columns = tableNamed('costs').columns;
  const content = (name: string, value: string) => {
    const column = columns.find((each) => each.name === name);
    if (column === undefined) throw new Error(`costs has no column ${name}`);
    return valueContent(column, value, { initiatives: new Map(), vendors: new Map() });
  };
  expect(content('period_start', '2026-07-01T10:20:30.000000Z')).toEqual(shownMoment(1_782_901_230_000_000n));
  expect(content('period_start', '2026-07-01')).toEqual(shownDay('2026-07-01'));
  expect(content('period_month', '2026-07-01')).toBe('Jul 2026');
});
