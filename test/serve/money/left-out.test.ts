/** What the pages of money say beside their figures: which entries these leave out, as DuckDB counts them in the files. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dollars, serveCompany, textOf, totalAt } from './served-company.ts';

let company: Awaited<ReturnType<typeof serveCompany>>;
beforeAll(async () => {
  company = await serveCompany();
});
afterAll(() => company?.close());

const ask = <Row>(table: string, sql: string): Promise<readonly Row[]> => company.ask<Row>(table, sql);

type LeftOut = { id: bigint; currency: string; cents: bigint; entries: bigint };
const WITHOUT =
  'select initiative_id as id, currency, sum(amount_cents)::bigint as cents, count(*) as entries from file where usd_amount_cents is null';

/** The costs, cash values and capacities without dollars, by initiative and currency. */
async function withoutDollars() {
  const [costs, cash, freed] = await Promise.all([
    ask<LeftOut>('costs', `${WITHOUT} group by 1, 2`),
    ask<LeftOut>('reported_value', `${WITHOUT} and entry_type <> 'capacity' group by 1, 2`),
    ask<LeftOut>('reported_value', `${WITHOUT} and entry_type = 'capacity' group by 1, 2`),
  ]);
  return { costs, cash, freed };
}

const NAMES = {
  costs: ['cost', 'costs'],
  cash: ['cash value', 'cash values'],
  freed: ['freed capacity', 'freed capacities'],
} as const;

/** `2 costs (CHF 250.00, EUR 600.00)`, without what each amount waits for. */
function partOf(name: keyof typeof NAMES, left: readonly LeftOut[]): readonly string[] {
  const entries = left.reduce((all, each) => all + each.entries, 0n);
  if (entries === 0n) return [];
  const sums = Map.groupBy(left, ({ currency }) => currency);
  const amounts = [...sums.keys()].toSorted().map((currency) => {
    const cents = (sums.get(currency) ?? []).reduce((all, each) => all + each.cents, 0n);
    return `${currency} ${dollars(cents).replace('$', '')}`;
  });
  return [`${entries} ${NAMES[name][entries === 1n ? 0 : 1]} (${amounts.join(', ')})`];
}

const STANDING =
  / ?(?:no rate yet|never converted|locked without a rate)(?:, never converted or no rate yet)?/g;
const shown = (page: string): string =>
  textOf(page)
    .replaceAll('\u{A0}', ' ')
    .replaceAll(' ;', ';')
    .replaceAll(STANDING, '')
    .replaceAll(' ()', '')
    .replaceAll(' ()', '');

it('the overview and the list name by currency what is without dollars, and the AI bills of no initiative', async () => {
  const left = await withoutDollars();
  const [spend] = await ask<{ cents: bigint }>(
    'ai_spend',
    "select (sum(ai_billed_cents) - sum(ai_booked_cents))::bigint as cents from file where source_kind <> 'card'",
  );
  const browser = await company.signedIn();
  const expected = [
    ...partOf('costs', left.costs),
    ...partOf('cash', left.cash),
    ...partOf('freed', left.freed),
    `${dollars(spend?.cents ?? 0n)} of AI bills that no initiative carries`,
  ].join('; ');
  for (const path of ['/', '/initiatives'])
    expect(shown(await browser.page(path))).toContain(
      `In no figure of cost and value: ${expected}. What and why`,
    );
  expect(Object.values(left).map((each) => each.length)).not.toContain(0);
});

it('the page of an initiative names its own amounts without dollars, and nothing if it has none', async () => {
  const left = await withoutDollars();
  const browser = await company.signedIn();
  const seen = new Set<number>();
  for (let id = 101n; id <= 115n; id += 1n) {
    const parts = (['costs', 'cash', 'freed'] as const).flatMap((name) =>
      partOf(
        name,
        left[name].filter((each) => each.id === id),
      ),
    );
    const page = shown(await browser.page(`/initiatives/${id}`));
    const expected = parts.length === 0 ? undefined : `In no dollar figure here: ${parts.join('; ')}. How`;
    expect([id, /In no dollar figure here: .*? How/.exec(page)?.[0]]).toEqual([id, expected]);
    seen.add(parts.length);
  }
  expect(seen.size).toBeGreaterThan(1);
});

it('each amount without dollars on these pages says what it waits for', async () => {
  const browser = await company.signedIn();
  for (const path of ['/', '/initiatives', '/initiatives/102']) {
    const page = textOf(await browser.page(path)).replaceAll('\u{A0}', ' ');
    const [note = ''] = /In no (?:dollar )?figure .*?(?:What and why|How an)/.exec(page) ?? [];
    expect(note.match(STANDING)).toHaveLength(note.match(/[A-Z]{3} [\d,.]+/g)?.length ?? 0);
  }
});

it('a budget names the costs that its amount spent does not have: those without dollars in another currency', async () => {
  const left = (await withoutDollars()).costs;
  const budgets = await ask<{ id: bigint; currency: string }>(
    'budget_vs_actual',
    'select distinct initiative_id as id, currency from file',
  );
  const browser = await company.signedIn();
  const list = shown(await browser.page('/budgets'));
  let named = 0;
  for (const { id, currency } of budgets) {
    const own = left
      .filter((each) => each.id === id && each.currency !== currency)
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    const page = shown(await browser.page(`/initiatives/${id}`));
    const amounts = own.map((each) => `${each.currency} ${dollars(each.cents).replace('$', '')}`).join(', ');
    expect([id, /Spent without ([A-Z]{3} [\d,.]+(?:, [A-Z]{3} [\d,.]+)*)\./.exec(page)?.[1] ?? '']).toEqual([
      id,
      amounts,
    ]);
    if (amounts === '') continue;
    expect(list).toContain(`without ${amounts}`);
    named += 1;
  }
  expect(list.match(/without [A-Z]{3}/g) ?? []).toHaveLength(named);
  expect(named).toBeGreaterThan(0);
});

it('cost at a provisional rate stands under the cost, of the year and of all time, and leads to its rows', async () => {
  // The fiscal year of the company begins in April: fixtures/company/accounts.csv.
  const asked = await ask<{ id: bigint | null; all: bigint; year: bigint }>(
    'costs',
    `select initiative_id as id, sum(usd_amount_cents)::bigint as all,
       coalesce(sum(usd_amount_cents) filter (where period_month between date '2026-04-01' and date '2027-03-31'), 0)::bigint as year
     from file where usd_rate_provisional group by grouping sets ((initiative_id), ())`,
  );
  const browser = await company.signedIn();
  const totals = asked.find(({ id }) => id === null);
  expect(totals?.all).toBeGreaterThan(0n);
  for (const id of [null, 101n, 102n, 103n, 104n]) {
    const { all = 0n, year = 0n } = asked.find((each) => each.id === id) ?? {};
    const page = await browser.page(id === null ? '/' : `/initiatives/${id}`);
    const links = [...page.matchAll(/<a href="(?:\.\.\/)?([^"]+)">([^<]+)<\/a> at a provisional rate/g)];
    const amounts = links.map(([, , amount = '']) => amount).toSorted();
    const expected = [all, year].filter((cents) => cents !== 0n).map(dollars);
    expect([id, amounts]).toEqual([id, expected.toSorted()]);
    for (const [, address = '', amount] of links)
      expect(await totalAt(browser, address.replaceAll('&amp;', '&'), 'Dollars')).toBe(amount);
  }
});

it('the chart by month says which amounts carry no date', async () => {
  const [cost] = await ask<{ cents: bigint }>(
    'costs',
    'select coalesce(sum(usd_amount_cents), 0)::bigint as cents from file where period_month is null',
  );
  const [cash] = await ask<{ cents: bigint }>(
    'reported_value',
    "select coalesce(sum(usd_amount_cents), 0)::bigint as cents from file where period_month is null and entry_type <> 'capacity'",
  );
  const page = textOf(await (await company.signedIn()).page('/'));
  expect(page).toContain(
    `Without a date: cost ${dollars(cost?.cents ?? 0n)}, cash value ${dollars(cash?.cents ?? 0n)}, and without a dollar figure EUR 300.00 of cash value.`,
  );
  // fixtures/TOTALS.md: V2028 of initiative 102 has no period.
  expect(textOf(await (await company.signedIn()).page('/initiatives/102'))).toContain(
    'and without a dollar figure EUR 300.00 of cash value.',
  );
});

it('a return that cannot be computed says what it needs', async () => {
  const browser = await company.signedIn();
  const statement = async (id: bigint): Promise<string> => textOf(await browser.page(`/initiatives/${id}`));
  const [free] = await company.ask<{ id: bigint }>(
    'reported_totals',
    "select initiative_id as id from file where scope = 'initiative' and window_key = 'all' and cost_cents <= 0 limit 1",
  );
  expect(await statement(free?.id ?? 0n)).toContain('Return (ROI) none needs cost above zero');
  // Cost without cash value is a loss of all of it.
  expect(await statement(105n)).toContain('Return (ROI) −100.0 % net value ÷ cost');
});
