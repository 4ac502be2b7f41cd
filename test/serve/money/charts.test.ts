/** The drawings of months: where bars and lines stand, worked by hand on their scales. */
import { describe, expect, it } from 'vitest';
import { cash, cents } from '../../../src/figures/cents.ts';
import { openMonthFold } from '../../../src/figures/month-series.ts';
import { axisDollars } from '../../../src/serve/money/chart-parts.ts';
import { monthsChart } from '../../../src/serve/money/months-chart.ts';
import { barList } from '../../../src/serve/money/bar-list.ts';
import { budgetChart, hasBudgetChart } from '../../../src/serve/money/budget-chart.ts';
import { planLegend } from '../../../src/serve/money/chart-note.ts';
import { planChart } from '../../../src/serve/money/plan-chart.ts';
import { smallLine } from '../../../src/serve/money/small-line.ts';
import { waterfallBar, waterfallScale } from '../../../src/serve/rows/waterfall-chart.ts';

const MOMENT = { as_of: '2026-03-10', fiscal_year_start_month: 2 };

function series(entries: readonly (readonly [month: string, cost: bigint, cash: bigint])[]) {
  const fold = openMonthFold();
  for (const [month, cost, value] of entries) {
    fold.addCost({ initiative_id: 1n, month, usd_amount_cents: cost });
    fold.addValue({ initiative_id: 1n, month, usd_amount_cents: value }, 'cost_savings');
  }
  const sums = fold.close();
  const span = sums.span(MOMENT.as_of);
  if (span === null) throw new Error('there are dated entries');
  return sums.portfolio(span).months;
}

/** The wide drawing's bars: tone, top and height in pixels. */
async function barsOf(entries: Parameters<typeof series>[0]) {
  const drawn = String(await monthsChart(series(entries), MOMENT));
  const wide = drawn.slice(0, drawn.indexOf('</svg>'));
  return [...wide.matchAll(/<rect\s+class="bar-([^"]+)"[^>]*?y="([\d.]+)"[^>]*?height="([\d.]+)"/gs)].map(
    ([, tone, top, height]) => [tone, Number(top), Number(height)],
  );
}

describe('the bars of a month', () => {
  it('stand up for cash value and hang down for cost, on one scale; the running month is soft', async () => {
    // The panel is 196 high and begins at 24. From −$60 to $80, rounded to ticks of $50: −$100 to $100, $0 at 122.
    const bars = await barsOf([
      ['2026-01-01', 6_000n, 8_000n],
      ['2026-03-01', 5_000n, 0n],
    ]);
    expect(bars).toEqual([
      ['value', 43.6, 78.4],
      ['cost', 122, 58.8],
      ['cost soft', 122, 49],
    ]);
  });

  it('of a credit is soft and stands on the other side of the line', async () => {
    const bars = await barsOf([
      ['2026-01-01', 10_000n, 0n],
      ['2026-02-01', -10_000n, 0n],
    ]);
    expect(bars).toEqual([
      ['cost', 122, 98],
      ['cost soft', 24, 98],
    ]);
  });
});

it('a drawing says where the middle of each month lies, for the script that shows its figures', async () => {
  const drawn = String(
    await monthsChart(
      series([
        ['2026-01-01', 6_000n, 0n],
        ['2026-02-01', 5_000n, 0n],
      ]),
      MOMENT,
    ),
  );
  // Three months, January to March. Wide: (1,120 − 72 − 92) ÷ 3 = 318.67 for each, the first middle at 72 + 159.33;
  // middle: (700 − 72 − 88) ÷ 3 = 180; narrow: (358 − 52 − 6) ÷ 3 = 100.
  expect(
    [...drawn.matchAll(/data-width="(\d+)" data-points="([^"]*)"/g)].map(([, ...found]) => found),
  ).toEqual([
    ['1120', '231.3 550 868.7'],
    ['700', '162 342 522'],
    ['358', '102 202 302'],
  ]);
});

it('the months name their fiscal years, that of the first month too, and where the net stands', async () => {
  const drawn = String(await monthsChart(series([['2025-06-01', 0n, 4_000n]]), MOMENT));
  const years = [...drawn.matchAll(/<tspan class="strong">(FY\d{4})<\/tspan>([^<]*)/g)].map(
    ([, year, from]) => `${year}${from}`,
  );
  const long = ['FY2026 from Feb 2025', 'FY2027 from Feb 2026'];
  // The wide and the middle drawing have room for the month, the narrow one has none.
  expect(years).toEqual([...long, ...long, 'FY2026', 'FY2027']);
  expect(drawn.match(/class="year"/g)).toHaveLength(3);
  expect(drawn.replaceAll(/\s+/g, ' ')).toContain(
    'From Jun 2025 to Mar 2026. Net value of these and all earlier months: $40.00.',
  );
});

/** Where the names of fiscal years stand, with their first months. */
function namesIn(drawn: string): readonly string[] {
  return [
    ...drawn.matchAll(/<text x="([\d.]+)" y="\d+"[^>]*><tspan class="strong">(FY\d{4})<\/tspan>([^<]*)/g),
  ].map(([, x, year, from]) => `${x} ${year}${from}`);
}

it('the plan names its fiscal years as the months do, on the same axis', async () => {
  const months = series([['2025-06-01', 0n, 4_000n]]);
  const chart = { months, plan: null, arrived: null, moment: MOMENT, paid_back: null, decided: [] };
  const [own, other] = [String(await planChart(chart)), String(await monthsChart(months, MOMENT))];
  // Ten months, June to March. Wide: (1,120 − 72 − 92) ÷ 10 = 95.6 for each; February is the ninth: 72 + 8 × 95.6 = 836.8.
  expect(namesIn(own).slice(0, 2)).toEqual(['75 FY2026 from Feb 2025', '839.8 FY2027 from Feb 2026']);
  expect(namesIn(own)).toEqual(namesIn(other));
  // The line of the year, and that of the snapshot's month.
  expect(own.match(/class="year"/g)).toHaveLength(6);
  expect(own.match(/data-points="[^"]*"/g)).toEqual(other.match(/data-points="[^"]*"/g));
});

it('a fiscal year that begins at the right edge has its name alone: its first month would be cut off', async () => {
  const fold = openMonthFold();
  fold.addCost({ initiative_id: 1n, month: '2022-11-01', usd_amount_cents: 100n });
  const sums = fold.close();
  const moment = { ...MOMENT, as_of: '2026-02-10' };
  const drawn = String(
    await monthsChart(sums.portfolio(sums.span(moment.as_of) ?? { first: '', last: '' }).months, moment),
  );
  // 40 months of 23.9: the last begins at 1,028 − 23.9 = 1,004.1, and its words need 130 of 1,120.
  expect(
    [...drawn.matchAll(/(FY\d{4})<\/tspan>([^<]*)/g)].slice(0, 4).map(([, ...words]) => words.join('')),
  ).toEqual(['FY2024 from Feb 2023', 'FY2025 from Feb 2024', 'FY2026 from Feb 2025', 'FY2027']);
});

it('a small line ends at its last month, and is not drawn for fewer than two months', async () => {
  const months = series([
    ['2026-02-01', 1_000n, 0n],
    ['2026-03-01', 0n, 2_000n],
  ]);
  // From −$10 at the bottom, 24, to $10 at the top, 4.
  expect(String(await smallLine(months))).toContain('d="M4.0 24.0L116.0 4.0"');
  expect(smallLine(months.slice(0, 1))).toBe('');
});

it.each([
  [0.2, '$0.2'],
  [-0.4, '−$0.4'],
  [0, '$0'],
  [2_500.4, '$2,500'],
  [-1_250_000, '−$1.3M'],
])('an axis names %d dollars as %s', (value, words) => {
  expect(axisDollars(value)).toBe(words);
});

/** The keys of a plan's legend. */
async function keysOf(of: Parameters<typeof planLegend>[0]): Promise<readonly string[]> {
  return [...String(await planLegend(of)).matchAll(/class="key (\w+)"/g)].map(([, key = '']) => key);
}

/** The bar of a total in a waterfall from $0.00 to $1.00. */
async function totalBar(to: bigint): Promise<string> {
  const drawn = waterfallBar(waterfallScale([0n, 100n]), { from: 0n, to, kind: 'total', joined: false });
  return String(await drawn);
}

it('the chart names the planned break-even above the panel of net, where no curve strikes the words through', async () => {
  const months = series([['2026-01-01', 500n, 4_000n]]);
  const own = { month: '2026-01-01', value_cents: cash(4_000n), net_cents: cents(100n) };
  const plan = { months: [own], due: null, break_even: '2026-01-01' };
  const drawn = String(
    await planChart({ plan, months, arrived: null, moment: MOMENT, paid_back: null, decided: [] }),
  );
  // Wide: the month's middle is at 231.3, and the panel's own words end at 72 + 190 = 262. The panel begins at 240.
  expect(drawn.replaceAll(/\s+/g, ' ')).toContain('x="262" y="230" >planned Jan 2026<');
});

describe('a chart draws no missing figure:', () => {
  const chart = { plan: null, arrived: null, moment: MOMENT, paid_back: null, decided: [] };
  const cost_alone = series([['2026-01-01', 95_575n, 0n]]);

  it('no panel of cash value without cash value or a plan, no rail without decisions, and no key of either', async () => {
    const drawn = String(await planChart({ ...chart, months: cost_alone }));
    expect(drawn).not.toContain('Cash value so far</text>');
    expect(drawn).not.toContain('arrived');
    expect(drawn).not.toContain('$0.2');
    // The panel of net begins at the top, 24, is 110 high, and the years' names need 33 below it.
    expect(drawn).toContain('viewBox="0 0 1120 167"');
    expect(await keysOf({ months: cost_alone, plan: null })).toEqual(['line']);
  });

  it('the panels stand as before where both have amounts, with decisions beneath', async () => {
    const months = series([['2026-01-01', 1_000n, 4_000n]]);
    const drawn = String(await planChart({ ...chart, months, decided: ['2026-01-15', '2026-01-16'] }));
    // 24 + 170 + 46 + 110 + 32 is the line of decisions, 382; the second one stands 17 below, and 33 more are the foot.
    expect(drawn).toContain('viewBox="0 0 1120 432"');
    expect(drawn).toContain('>Decided</text');
    expect(await keysOf({ months, plan: null })).toEqual(['value', 'line']);
  });

  it.each([
    ['of zeros', 0n],
    ['whose amounts cancel out in each month', 500n],
  ] as const)('a line of net %s is not drawn', async (_, both) => {
    const months = series([['2026-01-01', both, both]]);
    expect(String(await monthsChart(months, MOMENT))).not.toContain('class="line"');
    expect(smallLine(months)).toBe('');
    expect(await keysOf({ months, plan: null })).not.toContain('line');
  });

  it('no chart at all of months of zeros', async () => {
    const months = series([['2026-01-01', 0n, 0n]]);
    expect(monthsChart(months, MOMENT)).toBe('');
    expect(planChart({ ...chart, months })).toBe('');
  });

  it('no bar of a sum of zero, and no bar of a total of zero', async () => {
    const list = String(
      await barList({
        id: 'cost-by-type',
        heading: 'Cost by type',
        tone: 'cost',
        sums: [
          { value: 'tokens', rows: 1, cents: 100n },
          { value: 'software', rows: 2, cents: 0n },
        ],
        total: 100n,
        none: 'none',
        link: () => '',
        totalLink: '',
      }),
    );
    expect(list.match(/<rect/g)).toHaveLength(1);
    expect([(await totalBar(0n)).includes('<rect'), (await totalBar(100n)).includes('<rect')]).toEqual([
      false,
      true,
    ]);
  });

  it.each([
    ['no day', [], false],
    ['one day', [[500, 0]], false],
    [
      'two days of zeros',
      [
        [0, 0],
        [0, 0],
      ],
      false,
    ],
    [
      'two days of a budget',
      [
        [500, 0],
        [500, 0],
      ],
      true,
    ],
    [
      'two days without a budget of which one has a spending',
      [
        [0, 0],
        [0, 20],
      ],
      true,
    ],
  ] as const)('the chart of budgets of %s is drawn or not', (_, days, drawn) => {
    const comparisons = days.map(([budget, spent], index) => ({
      initiative_id: 1n,
      as_of: `2026-03-0${index + 1}`,
      budget_id: 1n,
      budget_to_date_cents: BigInt(budget),
      actual_to_date_cents: BigInt(spent),
      variance_cents: BigInt(budget - spent),
      currency: 'USD',
    }));
    expect([hasBudgetChart(comparisons), budgetChart(comparisons) !== '']).toEqual([drawn, drawn]);
  });
});
