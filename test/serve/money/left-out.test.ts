/** What the pages of money say beside their figures: which entries these leave out, as DuckDB counts them in the files. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dollars, serveCompany, textOf } from './served-company.ts';

let company: Awaited<ReturnType<typeof serveCompany>>;
beforeAll(async () => {
  company = await serveCompany();
});
afterAll(() => company?.close());

const ask = <Row>(table: string, sql: string): Promise<readonly Row[]> => company.ask<Row>(table, sql);

type Counted = { id: bigint; entries: bigint };
const WITHOUT = 'select initiative_id as id, count(*) as entries from file where usd_amount_cents is null';

/** The costs and the cash values without dollars, by initiative. */
async function withoutDollars() {
  const costs = await ask<Counted>('costs', `${WITHOUT} group by 1`);
  const value = await ask<Counted>('reported_value', `${WITHOUT} and entry_type <> 'capacity' group by 1`);
  return { costs, value };
}

const sum = (counted: readonly Counted[]): bigint => counted.reduce((all, { entries }) => all + entries, 0n);
const entriesOf = (counted: readonly Counted[], id: bigint): bigint =>
  counted.find((each) => each.id === id)?.entries ?? 0n;
const words = (entries: bigint, one: string): string => `${entries} ${entries === 1n ? one : `${one}s`}`;

it('the overview names the entries without dollars and the AI bills of no initiative beside its headline', async () => {
  const { costs, value } = await withoutDollars();
  const [spend] = await ask<{ cents: bigint }>(
    'ai_spend',
    "select (sum(ai_billed_cents) - sum(ai_booked_cents))::bigint as cents from file where source_kind <> 'card'",
  );
  const page = textOf(await (await company.signedIn()).page('/')).replaceAll(' ;', ';'); // the end of a link
  const expected = [
    `${words(sum(costs), 'cost')} without a dollar figure`,
    `${words(sum(value), 'cash value')} without one`,
    `${dollars(spend?.cents ?? 0n)} of AI bills that no initiative carries`,
  ].join('; ');
  expect(page).toContain(`In no figure of cost and value: ${expected}. What and why`);
  expect([sum(costs), sum(value)]).not.toContain(0n);
});

it('the page of an initiative names its own entries without dollars, and nothing if it has none', async () => {
  const { costs, value } = await withoutDollars();
  const browser = await company.signedIn();
  const seen = new Set<string>();
  for (let id = 101n; id <= 115n; id += 1n) {
    const [cost, cash] = [entriesOf(costs, id), entriesOf(value, id)];
    const parts = [
      ...(cost === 0n ? [] : [words(cost, 'cost')]),
      ...(cash === 0n ? [] : [words(cash, 'cash value')]),
    ];
    const page = textOf(await browser.page(`/initiatives/${id}`));
    const expected =
      parts.length === 0 ? undefined : `In no figure here: ${parts.join(' and ')} without a dollar figure.`;
    expect([id, /In no figure here: .*? figure\./.exec(page)?.[0]]).toEqual([id, expected]);
    seen.add(`${cost > 0n} ${cash > 0n}`);
  }
  expect(seen.size).toBeGreaterThan(1);
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
    `Without a date: cost ${dollars(cost?.cents ?? 0n)}, cash value ${dollars(cash?.cents ?? 0n)}.`,
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
