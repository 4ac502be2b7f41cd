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
    ['currency=KES&currency=USD', 'not added up: filter one currency'],
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

it('a changed row names its initiative, which the comparison does not have because it did not change', async () => {
  const locked = edited('costs', { cost_entry_id: 2 }, { locked: false }, { locked: true });
  const browser = await signedInToRows(
    { costs: COSTS, initiatives: [{ initiative_id: 101n, title: 'Quotes' }] },
    [{ ...locked, reason: 'month_locked' }],
  );
  const page = textOf(await browser.page(`/snapshots/${LATEST}/changes?from=${EARLIER}`));
  expect(page).toContain('1 cost whose month was closed in between');
  expect(page).toContain('Cost 2 Quotes');
  expect(page).not.toContain('not named');
});

const MOVED: Change['effects'] = [
  {
    initiative_id: 101,
    month: null,
    cash_value_cents: 0,
    freed_capacity_cents: 0,
    capex_cents: 0,
    opex_cents: 100,
    vendor_price_effect_cents: 0,
  },
];

it.each([
  ['that moved the figures of its initiative', MOVED],
  ['that moved no figure', []],
])('a row %s shows its amount as recorded beside the dollars that alone changed', async (_, effects) => {
  const dollars = [{ usd_amount_cents: 300 }, { usd_amount_cents: 400 }] as const;
  const changes = [
    edited('costs', { cost_entry_id: 1 }, ...dollars),
    edited('costs', { cost_entry_id: 2 }, ...dollars),
    edited(
      'costs',
      { cost_entry_id: 3 },
      { ...dollars[0], amount_cents: 1 },
      { ...dollars[1], amount_cents: 2 },
    ),
  ];
  const browser = await signedInToRows(
    { costs: COSTS },
    changes.map((change) => ({ ...change, effects })),
  );
  const page = textOf(await browser.page(`/snapshots/${LATEST}/changes?from=${EARLIER}`)).replaceAll(
    '\u{A0}',
    ' ',
  );
  expect(page.match(/KES [\d.]+/g)).toEqual(['KES 2.00', 'KES 0.01', 'KES 0.02']);
});

describe('an amount of a changed row', () => {
  it.each([
    ['that moved figures', MOVED],
    ['that moved none', []],
  ])('%s is in the currency of the row, which did not change and is not compared', async (_, effects) => {
    const amount = [{ amount_cents: 100 }, { amount_cents: 200 }] as const;
    const changes = [
      edited('costs', { cost_entry_id: 1 }, ...amount),
      edited('costs', { cost_entry_id: 2 }, ...amount),
      edited('reported_value', { value_entry_id: 7 }, ...amount),
    ];
    expect(await cellsOf(changes.map((change) => ({ ...change, effects })))).toEqual([
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
      const cells = Object.fromEntries(columns.map(({ name }, index) => [name, 100 * (index + 1)]));
      const changed = edited(table, { [key]: id }, cells, { ...cells });
      const [shown = ''] = await cellsOf([changed]);
      const own = columns.filter((column) => hasOwnCurrency(column, tableNamed(table)?.columns ?? []));
      expect(own.map(({ name }) => name)).toContain('amount_cents');
      expect(shown.match(/(?:EUR|KES) [\d.]+/g)).toHaveLength(own.length * 2);
      expect(shown.match(/\$[\d.]+/g)).toHaveLength((columns.length - own.length) * 2);
    }
  });
});
