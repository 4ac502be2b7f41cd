/** Amounts in another currency than the dollar, on the pages of rows and of what changed: never with the sign of dollars. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/diff/change.ts';
import { tableNamed } from '../../../src/tables/all.ts';
import { hasOwnCurrency } from '../../../src/serve/rows/row-cells.ts';
import { EARLIER, LATEST } from '../fake-parts.ts';
import { signedInToRows } from '../given-snapshots.ts';
import { textOf } from '../money/served-company.ts';

const cost = (id: bigint, currency: string, amount_cents: bigint) => ({
  cost_entry_id: id,
  initiative_id: 101n,
  currency,
  amount_cents,
  usd_amount_cents: amount_cents * 2n,
});
const COSTS = [cost(1n, 'USD', 1_000n), cost(2n, 'KES', 200n), cost(3n, 'KES', 50n)];
const VALUES = [{ value_entry_id: 7n, entry_type: 'cost_savings', currency: 'EUR', amount_cents: 900n }];

const shownTotal = (page: string, column: string): string =>
  textOf(new RegExp(`<tr class="sum">.*?data-column="${column}">(.*?)</td>`, 's').exec(page)?.[1] ?? '');

describe('the total of a column in the currency of each row', () => {
  it.each([
    ['currency=KES', 'KES 2.50'],
    ['currency=EUR&currency=KES', 'KES 2.50'],
    ['currency=USD', '$10.00'],
    ['cost_entry_id=2&cost_entry_id=3', 'KES 2.50'],
    ['currency=KES&currency=USD', 'filter currency for a total'],
    ['currency=EUR&cost_entry_id=1', ''],
  ])('is in the currency that the rows have, not in that of the filter: %s', async (filters, total) => {
    const browser = await signedInToRows({ costs: COSTS });
    const page = await browser.page(
      `/snapshots/${LATEST}/tables/costs?${filters}&columns=cost_entry_id,amount_cents,usd_amount_cents`,
    );
    expect(shownTotal(page, 'Amount').replaceAll('\u{A0}', ' ')).toBe(total);
  });

  it('of plans in euros stands in euros beside the rows and at each value', async () => {
    const plan = { currency: 'EUR', planned_value_cents: 5_000n, department: 'Sales' };
    const initiatives = [
      { ...plan, initiative_id: 101n, stage: 'live' },
      { ...plan, initiative_id: 102n, stage: 'piloting' },
    ];
    const browser = await signedInToRows({ initiatives });
    const page = (await browser.page(`/snapshots/${LATEST}/tables/initiatives`)).replaceAll('\u{A0}', ' ');
    expect(page).toContain('<b>EUR 100.00</b>');
    const lists = textOf(page.slice(page.indexOf('class="facets"'), page.indexOf('<table class="rows">')));
    expect(lists).toContain('live 1 EUR 50.00');
    expect(textOf(page)).not.toContain('$50.00');
  });
});

function edited(table: string, key: Change['key'], before: Change['before'], after: Change['after']): Change {
  return { table, change: 'changed', key, reason: 'entry_edited', before, after, effects: [], moved: [] };
}

/** The cells of a changed row on the page, each as "column before x after y". */
async function cellsOf(changes: readonly Change[]): Promise<readonly string[]> {
  const browser = await signedInToRows({ costs: COSTS, reported_value: VALUES }, changes);
  const page = await browser.page(`/snapshots/${LATEST}/changes?from=${EARLIER}`);
  const [, ...rows] = page.split('<td class="cells">');
  return rows.map((row) => textOf(row.slice(0, row.indexOf('</td>'))).replaceAll('\u{A0}', ' '));
}

describe('an amount of a changed row', () => {
  it('is in the currency of the row, which the comparison does not have because it did not change', async () => {
    const amount = [{ amount_cents: 100 }, { amount_cents: 200 }] as const;
    expect(
      await cellsOf([
        edited('costs', { cost_entry_id: 1 }, ...amount),
        edited('costs', { cost_entry_id: 2 }, ...amount),
        edited('reported_value', { value_entry_id: 7 }, ...amount),
      ]),
    ).toEqual([
      'Amount before EUR 1.00 after EUR 2.00',
      'Amount before $1.00 after $2.00',
      'Amount before KES 1.00 after KES 2.00',
    ]);
  });

  it('is on each side in the currency of that side, where the currency changed', async () => {
    const sides = [
      { amount_cents: 100, currency: 'EUR' },
      { amount_cents: 100, currency: 'KES' },
    ] as const;
    expect(await cellsOf([edited('costs', { cost_entry_id: 2 }, ...sides)])).toEqual([
      'Amount before EUR 1.00 after KES 1.00 Currency before EUR after KES',
    ]);
  });

  it('has no sign where the later snapshot does not have the row', async () => {
    const sides = [{ amount_cents: 100 }, { amount_cents: 200 }] as const;
    expect(await cellsOf([edited('costs', { cost_entry_id: 99 }, ...sides)])).toEqual([
      'Amount before 1.00 after 2.00',
    ]);
  });

  it('is never in dollars in any column of the row that has its own currency, and always in one of dollars', async () => {
    for (const [table, key, id] of [
      ['costs', 'cost_entry_id', 2],
      ['reported_value', 'value_entry_id', 7],
    ] as const) {
      const columns = (tableNamed(table)?.columns ?? []).filter(({ kind }) => kind === 'cents');
      const cells = Object.fromEntries(columns.map(({ name }, place) => [name, 100 * (place + 1)]));
      const changed = edited(table, { [key]: id }, cells, { ...cells });
      const [shown = ''] = await cellsOf([changed]);
      const own = columns.filter((column) => hasOwnCurrency(column, tableNamed(table)?.columns ?? []));
      expect(own.map(({ name }) => name)).toContain('amount_cents');
      expect(shown.match(/(?:EUR|KES) [\d.]+/g)).toHaveLength(own.length * 2);
      expect(shown.match(/\$[\d.]+/g)).toHaveLength((columns.length - own.length) * 2);
    }
  });
});

describe('the page of what changed', () => {
  const many = Array.from({ length: 51 }, (_, place) =>
    edited('costs', { cost_entry_id: place + 1 }, { description: 'a' }, { description: 'b' }),
  );
  const total = { scope: 'portfolio', window_label: 'All time', window_kind: 'all', window_complete: false };
  const reported_totals = [
    { ...total, window_key: 'all', through_date: '2026-11-20', cost_cents: 5n },
    { ...total, window_key: 'fy2025', window_kind: 'fiscal_year', through_date: '2025-12-31' },
  ];
  const page = async (parameters: string) => {
    const browser = await signedInToRows({ costs: COSTS, reported_totals }, many);
    return await browser.send(`/snapshots/${LATEST}/changes?from=${EARLIER}&${parameters}`);
  };

  it('lists fifty entries, then the rest; beyond the last page it says so and leads to the first', async () => {
    const [first, second, third] = await Promise.all(
      ['page=1', 'page=2', 'page=3'].map(async (parameters) => (await page(parameters)).text()),
    );
    expect(textOf(first ?? '')).toContain('Entries 1 to 50 of 51 Next page');
    expect(textOf(second ?? '')).toContain('Entries 51 to 51 of 51 Previous page');
    expect(textOf(third ?? '')).toContain('The list has no page 3. Show its first page');
    expect(third).toContain(`changes?from=${EARLIER}&amp;page=1#entries"`);
    expect(third).not.toContain('<table class="pairs">');
  });

  it.each(['0', '-1', '1.5', 'x', ''])('refuses the page %s', async (asked) => {
    expect((await page(`page=${asked}`)).status).toBe(400);
  });

  it('shows the window that was asked for although it did not move, and refuses a window of neither snapshot', async () => {
    const unmoved = await page('window=fy2025');
    expect(textOf(await unmoved.text())).toContain('Net value of FY2025 did not move: cost did not move');
    for (const window of ['fy2031', 'FY2025', '', 'fy2025-q9']) {
      const refused = await page(`window=${window}`);
      expect([window, refused.status]).toEqual([window, 400]);
      expect(textOf(await refused.text())).toContain(
        'The parameter window must be the key of a window of the two snapshots, such as all.',
      );
    }
  });
});
