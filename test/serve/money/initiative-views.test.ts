/** The page of an initiative over rows that a test states: its plan, its budget, its months. */
import { describe, expect, it } from 'vitest';
import { instantOf } from '../../support/instant-of.ts';
import { EARLIER, LATEST, TOKENS } from '../fake-parts.ts';
import { appOfRows, signedInToRows } from '../given-snapshots.ts';
import { openBrowser } from '../pages/browser.ts';
import { textOf } from './served-company.ts';

const ACCOUNT = [{ fiscal_year_start_month: 1, account_name: 'A', sample_initiatives_excluded: 0 }];
const plain = (page: string): string => textOf(page).replaceAll('\u{A0}', ' ');

const initiative = (more: object = {}) => ({
  initiative_id: 101n,
  title: 'Quotes',
  stage: 'live',
  went_live_at: instantOf('2026-01-01T00:00:00.000000Z'),
  started_at: instantOf('2025-12-01T00:00:00.000000Z'),
  roi_horizon_years: 1,
  planned_value_period: 'monthly',
  planned_value_cents: 120_000n,
  planned_capex_cents: 0n,
  planned_opex_cents: 0n,
  time_to_value_months: 0,
  currency: 'USD',
  ...more,
});

const total = (cash_value_cents: bigint) => ({
  scope: 'initiative',
  initiative_id: 101n,
  window_key: 'all',
  window_label: 'All time',
  window_kind: 'all',
  through_date: '2026-11-20',
  window_complete: false,
  cost_cents: 0n,
  net_value_cents: cash_value_cents,
  freed_capacity_cents: 0n,
  cash_value_cents,
});

const entry = (month: string, usd_amount_cents: bigint) => ({
  initiative_id: 101n,
  period_month: month,
  entry_type: 'cost_savings',
  usd_amount_cents,
});

const tables = (of: object, cash = 55_000n) => ({
  snapshot: ACCOUNT,
  initiatives: [initiative(of)] as never,
  reported_totals: [total(cash)],
});

/** A document that an entry cites. */
const cited = (document_id: bigint, value_entry_id: bigint, of: object = {}) => ({
  initiative_id: 101n,
  document_id,
  value_entry_id,
  kind: 'review_deck',
  title: `Deck ${document_id}`,
  restricted: false,
  ...of,
});

const spent = (month: string, capex_cents: bigint) => ({
  initiative_id: 101n,
  month,
  capex_cents,
  opex_cents: 0n,
});

/** The page of an initiative with facts of its companion table. */
const pageWith = async (api_initiatives: object, of: object = {}) =>
  plain(
    await (
      await signedInToRows({
        ...tables(of),
        api_initiatives: [{ id: 101n, ...api_initiatives }] as never,
      })
    ).page('/initiatives/101'),
  );

describe('the page of an initiative', () => {
  it('has the share of the plan that arrived, of a plan in euros in euros', async () => {
    const dollars = plain(await (await signedInToRows(tables({}))).page('/initiatives/101'));
    expect(dollars).toMatch(/Arrived, as a share \d+\.\d %/);
    expect(dollars).toMatch(/\d % of what the plan promised by now/);
    // 300.00 in February and 250.00 without a period, of 1,100.00 that are due through November.
    const arrived = [
      { initiative_id: 101n, month: null, cash_cents: 25_000n },
      { initiative_id: 101n, month: '2026-02-01', cash_cents: 30_000n },
      { initiative_id: 102n, month: '2026-02-01', cash_cents: 99n },
    ];
    const of = { ...tables({ currency: 'EUR' }, 7_000n), reported_value: [entry('2026-02-01', 7_000n)] };
    const markup = await (await signedInToRows({ ...of, api_plan_value: arrived })).page('/initiatives/101');
    const euros = plain(markup);
    expect(euros).toContain('Due by now, by the business case EUR 1,100.00');
    expect(euros).toContain('Arrived, as a share 50.0 % EUR 550.00 came back');
    expect(euros).toContain(
      'In EUR, the currency of its plan, EUR 550.00 came back: 50.0 % of what the plan promised by now.',
    );
    expect(euros).toContain('The whole plan EUR 1,200.00');
    expect(euros).toContain('Cash value so far in EUR');
    expect([...markup.matchAll(/arrived ([^<]+)</g)].map(([, amount]) => amount)).toContain('300');
    expect(
      [...markup.matchAll(/data-column="Cash value so far in EUR">([^<]+)</g)]
        .map(([, each = '']) => plain(each))
        .at(-1),
    ).toBe('EUR 300.00');
  });

  it('compares a budget that has ended on the day of the snapshot, as the page of budgets does, and says when it ended', async () => {
    const version = {
      budget_id: 9n,
      initiative_id: 101n,
      status: 'approved',
      source: 'approval',
      capex_cents: 10_000n,
      opex_cents: 0n,
      opex_cadence: 'monthly',
      currency: 'USD',
      effective_from: '2026-01-01',
      ends_on: '2026-03-15',
      decided_at: 1n,
    };
    const march = {
      initiative_id: 101n,
      as_of: '2026-03-31',
      status: 'within',
      budget_id: 9n,
      budget_to_date_cents: 10_000n,
      actual_to_date_cents: 4_000n,
      variance_cents: 6_000n,
      capex_budget_cents: 10_000n,
      capex_actual_cents: 4_000n,
      opex_budget_to_date_cents: 0n,
      opex_actual_cents: 0n,
      spent_before_budget_cents: 0n,
      currency: 'USD',
    };
    const of = {
      ...tables({}),
      budgets: [version],
      budget_vs_actual: [march],
      // 70.00 after the end of the budget, which make it over.
      api_budget_spend: [spent('2026-02-01', 4_000n), spent('2026-05-01', 7_000n)],
    };
    const browser = await signedInToRows(of);
    const own = plain(await browser.page('/initiatives/101'));
    expect(own).toContain(
      '$110.00 of $100.00 budgeted to 2026-11-20 is spent: $10.00 over . Over: one-time cost by $10.00.',
    );
    expect(own).toContain('The budget ended on 2026-03-31; what was spent later counts.');
    expect(own).toContain('ended 2026-03-31 $100.00');
    const all = plain(await browser.page('/budgets'));
    expect(all).toContain('What was budgeted and spent by 2026-11-20;');
    expect(all).toContain('$100.00 $110.00 $10.00 over over: one-time cost by $10.00; ended 2026-03-31');
    expect(all).toContain('Ended budgets are compared here only');
    // A budget that covers the day stays as its table has it, and a later budget is not compared.
    const inEffect = { ...march, as_of: '2026-11-20', status: 'within' };
    const still = await signedInToRows({ ...of, budget_vs_actual: [march, inEffect] });
    expect(plain(await still.page('/budgets'))).toContain(
      '$100.00 $40.00 $60.00 under within CSV for spreadsheets Every day',
    );
    expect(plain(await still.page('/budgets'))).not.toContain('compared here only');
    const later = { ...version, effective_from: '2026-12-01', ends_on: null };
    const none = await signedInToRows({ ...of, budgets: [later], budget_vs_actual: [] });
    expect(plain(await none.page('/budgets'))).toContain('No approved budget is or was in effect');
    expect(plain(await none.page('/initiatives/101'))).toContain('No approved budget has been in effect.');
  });

  it('promises nothing by a plan that the service filled in, until a person confirms it', async () => {
    const unconfirmed = await pageWith({ plan_confirmed: false });
    expect(unconfirmed).toContain('Due by now, by the business case none confirmed');
    expect(unconfirmed).toContain('The whole plan none confirmed');
    expect(unconfirmed).toContain('The service filled in a plan of $1,200.00 and no person has confirmed it');
    expect(unconfirmed).not.toContain('promised by now');
    expect(unconfirmed).not.toContain('planned Jan 2026');
    const confirmed = await pageWith({ plan_confirmed: true });
    expect(confirmed).toContain('Due by now, by the business case $1,100.00');
    expect(confirmed).not.toContain('confirm');
    // Without amounts there is no plan that anybody could confirm.
    const nothing = { planned_value_cents: 0n };
    expect(await pageWith({ plan_confirmed: false }, nothing)).not.toContain('The service filled in');
  });

  it('names a document once, however many of its entries cite it, and no document of another initiative', async () => {
    const value_supporting_documents = [
      cited(1n, 11n),
      cited(2n, 11n, { title: null, kind: 'contract', restricted: true }),
      cited(1n, 12n),
      cited(3n, 13n, { initiative_id: 102n }),
    ];
    const browser = await signedInToRows({ ...tables({}), value_supporting_documents });
    expect(plain(await browser.page('/initiatives/101'))).toContain(
      'Documents cited: Deck 1, contract (restricted).',
    );
  });

  it('is of the account and the snapshot that are asked for, also right after those of others', async () => {
    const app = appOfRows((account_id, snapshot_id) =>
      tables(
        { title: `T${account_id} of ${snapshot_id}`, department: `D${account_id} of ${snapshot_id}` },
        account_id === 7n ? 700n : 800n,
      ),
    );
    const [ours, theirs] = [openBrowser(app), openBrowser(app)];
    await ours.signIn(TOKENS.personal);
    await theirs.signIn(TOKENS.other);
    const heads = async (browser: typeof ours, snapshot: string) => {
      const page = plain(await browser.page(`/initiatives/101?snapshot=${snapshot}`));
      return /T\d of \S+ .*?\$\d\.\d\d/.exec(page)?.[0];
    };
    for (const time of [1, 2]) {
      for (const snapshot of [LATEST, EARLIER]) {
        const shown = await heads(ours, snapshot);
        expect([time, shown]).toEqual([time, expect.stringContaining(`D7 of ${snapshot},`)]);
        expect(shown).toMatch(/has brought \$7\.00$/);
      }
      expect(await heads(theirs, LATEST)).toMatch(
        new RegExp(`^T8 of ${LATEST} .*D8 of ${LATEST}.*\\$8\\.00$`),
      );
    }
  });

  it('lists the months from its start through that of the snapshot; what is dated ahead is not there', async () => {
    const reported_value = [entry('2026-02-01', 100n), entry('2026-11-01', 50n), entry('2026-12-01', 9_900n)];
    // Another initiative began earlier: the months of the account begin with its cost.
    const costs = [{ ...entry('2025-10-01', 5n), initiative_id: 102n }];
    const browser = await signedInToRows({ ...tables({}), costs, reported_value });
    const page = await browser.page('/initiatives/101');
    const months = [...page.matchAll(/<tr data-point>\s*<th scope="row">([^<]+)</g)].map(
      ([, month]) => month,
    );
    expect([months.at(0), months.at(-1), months.length]).toEqual(['Dec 2025', 'Nov 2026', 12]);
  });
});
