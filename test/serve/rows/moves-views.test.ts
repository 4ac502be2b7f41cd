/** The page of what changed, with changes that the test states: its pages of entries, its windows, and its CSV. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Change } from '../../../src/diff/change.ts';
import { parseInstant } from '../../../src/time.ts';
import type { Diffs } from '../../../src/diff/diff-cache.ts';
import { EARLIER, fakeApp, LATEST, TOKENS } from '../fake-parts.ts';
import { appOfRows, givenDiffs, OLDER, signedInToRows, ThreeSnapshots } from '../given-snapshots.ts';
import { openBrowser } from '../pages/browser.ts';
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
  it('lists the entries of its own comparison, not of another that ends at the same snapshot', async () => {
    const [ofEarlier, ofOlder] = [givenDiffs(many), givenDiffs(many.slice(0, 3))];
    const diffs: Diffs = {
      ...ofEarlier,
      use: (account_id, from, ...rest) =>
        (from.snapshot_id === EARLIER ? ofEarlier : ofOlder).use(account_id, from, ...rest),
    };
    const { app } = fakeApp({ snapshots: new ThreeSnapshots(() => ({ reported_totals })), diffs });
    const both = openBrowser(app);
    await both.signIn(TOKENS.personal);
    const idsOf = async (from: string) => {
      const shown = await both.page(`/snapshots/${LATEST}/changes?from=${from}`);
      return new Set([...shown.matchAll(/cost_entry_id=(\d+)/g)].map(([, id]) => id)).size;
    };
    expect([await idsOf(EARLIER), await idsOf(OLDER)]).toEqual([50, 3]);
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

// The fake snapshots are of 02:00:00.123456 on 20 November.
const month = (first: string, reopened: string | null) => ({
  month: first,
  reopened_at: reopened === null ? null : parseInstant(reopened),
  reopened_by_name: reopened === null ? null : 'Ada Lovelace',
  reopen_reason: reopened === null ? null : 'Late invoice INV-2031',
});

describe('entries of a reopened month', () => {
  const EUROS = { currency: 'EUR', amount_cents: 125_000, usd_amount_cents: 137_500 };
  const added: Change = {
    ...CHANGED,
    change: 'added',
    table: 'costs',
    key: { cost_entry_id: 2031 },
    reason: 'added_in_reopened_month',
    before: null,
    after: { ...EUROS, initiative_id: 101, description: 'INV-2031' },
    effects: [
      {
        initiative_id: 101,
        month: '2026-03-01',
        cash_value_cents: 0,
        freed_capacity_cents: 0,
        capex_cents: 0,
        opex_cents: 137_500,
        vendor_price_effect_cents: 0,
      },
    ],
  };
  const unlocked = [1, 2].map((id): Change => ({
    ...edited(id, { locked: true }, { locked: false }),
    reason: 'month_unlocked',
  }));
  const accounting_periods = [
    month('2026-01-01', null),
    month('2026-02-01', '2026-11-20T02:00:00.123456Z'), // at the moment of the earlier snapshot, which has it
    month('2026-03-01', '2026-11-20T09:30:00.000000Z'),
  ];

  it.each([
    ['forwards', LATEST, EARLIER, 'before not there after EUR 1,250.00'],
    ['backwards', EARLIER, LATEST, 'before EUR 1,250.00 after no longer there'],
  ])('are told apart, with amount, month and the reason a person typed: %s', async (_, to, from, amount) => {
    const app = appOfRows(
      (_account, id) => (id === LATEST ? { accounting_periods } : {}),
      [added, ...unlocked],
    );
    const browser = openBrowser(app);
    await browser.signIn(TOKENS.personal);
    const page = textOf(await browser.page(`/snapshots/${to}/changes?from=${from}`)).replaceAll(
      '\u{A0}',
      ' ',
    );
    expect(page).toContain('1 cost added in a reopened month');
    expect(page).toContain('2 costs whose month was reopened in between');
    expect(page).not.toContain('changed in a reopened month');
    expect(page).toContain(
      'Reopened in between: Mar 2026, 2026-11-20 09:30 UTC by Ada Lovelace: “Late invoice INV-2031”. Every month',
    );
    expect(page).toContain(`INV-2031 Amount ${amount} Dollars`);
  });

  it('are the only cause to read the months of the close', async () => {
    const browser = await signedInToRows({ accounting_periods }, [edited(1, { notes: 'a' }, { notes: 'b' })]);
    expect(await browser.page(`/snapshots/${LATEST}/changes?from=${EARLIER}`)).not.toContain(
      'Reopened in between',
    );
  });

  it('of which some moved net value say how many, as the steps count them', async () => {
    const own = edited(3, { notes: 'a' }, { notes: 'b' });
    const moving = { ...edited(4, { usd_amount_cents: 1 }, { usd_amount_cents: 2 }), effects: added.effects };
    const page = textOf(
      await (await signedInToRows({}, [own, moving])).page(`/snapshots/${LATEST}/changes?from=${EARLIER}`),
    );
    expect(page).toContain('2 costs edited, of which 1 moved net value');
  });
});

const csv = async (changes: readonly Change[], parameters = '', tables = {}) => {
  const browser = await signedInToRows(tables, changes);
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

  it('has for spreadsheets the initiative of each row, and only columns with a value', async () => {
    const tables = {
      costs: [
        { cost_entry_id: 1n, initiative_id: 102n },
        { cost_entry_id: 2n, initiative_id: 101n },
      ],
      initiatives: [
        { initiative_id: 101n, title: 'Claims' },
        { initiative_id: 102n, title: 'Quotes' },
      ],
    };
    // A lock moves no figure, so the comparison names neither an effect nor the initiative.
    const locks = [1, 2].map((id) => edited(id, { locked: false }, { locked: true }));
    const lines = await readCsv(await csv(locks, '&spreadsheet=true', tables));
    expect(lines.map((line) => [line['Key'], line['Initiative id'], line['Initiative']])).toEqual([
      ['1', '102', 'Quotes'],
      ['2', '101', 'Claims'],
    ]);
    expect(Object.keys(lines[0] ?? {}).slice(10)).toEqual(['Locked before', 'Locked after']);
    const renamed: Change = {
      ...CHANGED,
      table: 'initiatives',
      key: { initiative_id: 101 },
      reason: null,
      before: { stage: 'live' },
      after: { stage: 'paused' },
    };
    const [named] = await readCsv(await csv([renamed], '&table=initiatives&spreadsheet=true', tables));
    expect([named?.['Initiative'], named?.['Stage before'], named?.['Stage after']]).toEqual([
      'Claims',
      'live',
      'paused',
    ]);
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
