/** The page of what changed, with changes that the test states: its pages of entries, its windows, and its CSV. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Change } from '../../../src/diff/change.ts';
import { EARLIER, LATEST } from '../fake-parts.ts';
import { signedInToRows } from '../given-snapshots.ts';
import { textOf } from '../money/served-company.ts';
import { readCsv } from './read-csv.ts';

const CHANGED: Pick<Change, 'change' | 'effects' | 'moved'> = { change: 'changed', effects: [], moved: [] };

function edited(id: number, before: Change['before'], after: Change['after']): Change {
  return { ...CHANGED, table: 'costs', key: { cost_entry_id: id }, reason: 'entry_edited', before, after };
}

const moved = (window_key: string, figure: string): Change => ({
  ...CHANGED,
  table: 'reported_totals',
  key: { scope: 'portfolio', initiative_id: null, window_key },
  reason: null,
  before: {},
  after: {},
  moved: [
    { figure, before_cents: 0, after_cents: 5, because: [{ reason: 'approved', cents: 5, entries: 1 }] },
  ],
});

describe('the page of what changed', () => {
  const many = Array.from({ length: 51 }, (_, index) =>
    edited(index + 1, { description: 'a' }, { description: 'b' }),
  );
  const total = { scope: 'portfolio', window_label: 'All time', window_kind: 'all', window_complete: false };
  const reported_totals = [
    { ...total, window_key: 'all', through_date: '2026-11-20', cost_cents: 5n },
    {
      ...total,
      window_key: 'fy2025',
      window_kind: 'fiscal_year',
      window_complete: true,
      through_date: '2025-12-31',
    },
  ];
  // One application for all: no page is shown for another.
  let browser: Awaited<ReturnType<typeof signedInToRows>>;
  beforeAll(async () => {
    browser = await signedInToRows({ reported_totals }, many);
  });
  const page = (parameters: string) =>
    browser.send(`/snapshots/${LATEST}/changes?from=${EARLIER}&${parameters}`);

  it('lists fifty entries, then the rest; beyond the last page it says so and leads to the first', async () => {
    const [first, second, third] = await Promise.all(
      ['page=1', 'page=2', 'page=3'].map(async (parameters) => (await page(parameters)).text()),
    );
    expect(textOf(first ?? '')).toContain('Entries 1 to 50 of 51 Next page');
    expect(textOf(first ?? '')).not.toContain('Previous page');
    expect(textOf(second ?? '')).toContain('Entries 51 to 51 of 51 Previous page');
    expect(textOf(second ?? '')).not.toContain('Next page');
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

  it('lists the windows whose cost or cash value moved: the running year, newer before older, all time last', async () => {
    const other = await signedInToRows(
      {
        reported_totals: [...reported_totals, { ...total, window_key: 'fy2026', window_kind: 'fiscal_year' }],
      },
      [
        moved('all', 'cost_cents'),
        moved('fy2025', 'cash_value_cents'),
        moved('fy2025-q4', 'cost_cents'),
        moved('fy2026', 'cash_value_cents'),
        moved('fy2026-q1', 'freed_capacity_cents'),
      ],
    );
    const body = await other.page(`/snapshots/${LATEST}/changes?from=${EARLIER}`);
    const tabs = textOf(body.slice(body.indexOf('class="tabs"'), body.indexOf('<table class="fall">')));
    expect(tabs).toContain('FY2026 FY2025 Q4 FY2025 All time');
    expect(tabs).not.toContain('Q1');
    const fall = textOf(body.slice(body.indexOf('<table class="fall">'), body.indexOf('</table>')));
    expect(fall).toContain('1 value approved');
    expect(fall).toContain('+$0.05');
  });
});

const csv = async (changes: readonly Change[], parameters = '') => {
  const browser = await signedInToRows({}, changes);
  return await browser.page(`/snapshots/${LATEST}/changes.csv?from=${EARLIER}${parameters}`);
};

describe('the CSV of changed rows', () => {
  const EFFECT = {
    initiative_id: 101,
    month: null,
    cash_value_cents: 0,
    freed_capacity_cents: 0,
    capex_cents: 7,
    opex_cents: 5,
    vendor_price_effect_cents: 0,
  };

  it('has each change once, in the order of the tables, however many pieces the answer has', async () => {
    const many = Array.from({ length: 600 }, (_, index) =>
      edited(index + 1, { locked: false }, { locked: true }),
    );
    const lines = await readCsv(await csv(many));
    expect(lines.map(({ key }) => Number(key))).toEqual(many.map((_, index) => index + 1));
    expect(lines[0]).toMatchObject({
      locked_before: 'false',
      locked_after: 'true',
      amount_cents_before: null,
    });
  });

  it('states effects of costs and values, and no effect of tables whose rows move no figure', async () => {
    const cost = { ...edited(1, { locked: false }, { locked: true }), effects: [EFFECT, EFFECT] };
    const [shown] = await readCsv(await csv([cost]));
    expect(shown).toMatchObject({
      initiative_id: '101',
      cost_effect_cents: '24',
      cash_value_effect_cents: '0',
      net_value_effect_cents: '-24',
    });
    const other: Change = {
      ...CHANGED,
      table: 'budgets',
      key: { budget_id: 4 },
      reason: null,
      before: null,
      after: { initiative_id: 102, status: 'approved' },
      change: 'added',
    };
    const [budget] = await readCsv(await csv([other], '&table=budgets'));
    expect(budget).toMatchObject({
      table: 'budgets',
      change: 'added',
      initiative_id: '102',
      cost_effect_cents: null,
      cash_value_effect_cents: null,
      net_value_effect_cents: null,
      freed_capacity_effect_cents: null,
    });
    const removed: Change = { ...other, before: other.after, after: null, change: 'removed' };
    const [gone] = await readCsv(await csv([removed], '&table=budgets'));
    expect(gone).toMatchObject({ change: 'removed', initiative_id: '102', cost_effect_cents: null });
  });
});
