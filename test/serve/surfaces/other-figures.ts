/** The figures that `reported_totals` does not have, asked of each surface that shows them: budgets, AI spend and plans. */
import { shownDollars, shownAmount } from '../../../src/serve/frame/shown-values.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { type BuildHarness, type Served, fileOf } from '../../snapshot/builder/real-build.ts';
import type { Told } from '../assistant/questions.ts';
import { linkedAmounts, textOf, totalAt } from '../money/served-company.ts';
import { readCsv } from '../rows/read-csv.ts';
import { dueOn, planOracle } from './plan-oracle.ts';

/** An account whose surfaces are asked. */
export interface AskedAccount {
  readonly harness: BuildHarness;
  readonly account_id: bigint;
  readonly reader: SnapshotReader;
  readonly served: Served;
  /** Compares what a surface shows with what is expected, and counts the figures. */
  readonly equal: (
    surface: string,
    place: string,
    found: readonly unknown[],
    expected: readonly unknown[],
  ) => void;
  readonly get: (path: string) => Promise<Record<string, unknown>>;
  readonly call: (tool: string, asked: Record<string, unknown>) => Promise<Told>;
  /** A page without the characters that keep amounts in one line. */
  readonly page: (path: string) => Promise<string>;
}

export type Json = Readonly<Record<string, unknown>>;

const HALVES = ['status', 'budget_to_date_cents', 'actual_to_date_cents', 'variance_cents'] as const;

/** Budgets, compared on the day of the snapshot by every surface, ended budgets included. Returns how many have ended. */
export async function compareBudgets(asked: AskedAccount): Promise<number> {
  const { served, equal, get, call, page } = asked;
  const of = (row: Json | undefined): readonly unknown[] => HALVES.map((each) => row?.[each]);
  const frozen = (await get(`/budgets?limit=500&snapshot_id=${served.snapshot_id}`))['data'] as Json[];
  const live = (await get('/budgets?limit=500'))['data'] as Json[];
  const rows = (await askDuckDb(
    fileOf(served, 'budget_vs_actual'),
    'select * from file where as_of = (select max(as_of) from file)',
  )) as Json[];
  const [lines, names] = [await page('/budgets'), await csvOf(asked, 'budget_vs_actual')];
  // Where all are compared on one day, the page names it above the table.
  const [, day = ''] = /budgeted and spent by (\S+?);/.exec(textOf(lines)) ?? [];
  let ended = 0;
  for (const budget of frozen.filter(({ status }) => status === 'within' || status === 'over')) {
    const { initiative_id: id, as_of, currency } = budget;
    const place = `budget of ${String(id)}`;
    const expected = of(budget);
    equal('budgets: API live', place, of(live.find((each) => each['initiative_id'] === id)), expected);
    const told = [{}, { snapshot: served.snapshot_id }];
    for (const [at, as] of told.entries()) {
      const { structured } = await call('get_initiative', { initiative_id: id, ...as });
      const answer = structured?.['budget'] as Json | undefined;
      equal(`budgets: assistant ${at === 0 ? 'live' : 'as of'}`, place, of(answer), expected);
    }
    // The table has the budgets in effect; the pages name the end of any other.
    const version = budget['current_version'] as { readonly ends_on: string | null };
    const row = rows.find((each) => Number(each['initiative_id']) === id && sameDay(each['as_of'], as_of));
    const hasEnded = version.ends_on !== null && version.ends_on.slice(0, 7) < String(as_of).slice(0, 7);
    if (hasEnded) ended += 1;
    else {
      equal('budgets: file', place, of(row).map(asText), expected.map(asText));
      const line = names.find(
        (each) => each['initiative_id'] === String(id) && each['as_of'] === String(as_of),
      );
      equal('budgets: CSV', place, of(line), expected.map(asText));
    }
    const [budgeted, spent] = [budget['budget_to_date_cents'], budget['actual_to_date_cents']].map((cents) =>
      shown(BigInt(cents as number), String(currency)),
    );
    const shownLine = rowAt(lines, `initiatives/${String(id)}[?"]`);
    const cell = (name: string): string =>
      textOf(new RegExp(`data-column="${name}">(.*?)</td>`, 's').exec(shownLine)?.[1] ?? '');
    equal(
      'budgets: page of budgets',
      place,
      [
        cell('Budget to date'),
        cell('Spent to date'),
        cell('Compared on') || day,
        /ended \S+/.test(cell('State')),
      ],
      [budgeted, spent, as_of, hasEnded],
    );
    const own = textOf(await page(`/initiatives/${String(id)}`));
    const sentence = /([^ ]+|[A-Z]{3}.[^ ]+) of ([^ ]+|[A-Z]{3}.[^ ]+) budgeted to (\S+) is spent/.exec(own);
    equal(
      'budgets: page of an initiative',
      place,
      [...(sentence?.slice(1) ?? []), own.includes('The budget ended on')],
      [spent, budgeted, as_of, hasEnded],
    );
  }
  return ended;
}

/** AI spend: in all, by month and by the name of who billed, and the rows behind each name. */
export async function compareSpend(asked: AskedAccount): Promise<void> {
  const { served, equal, call, page } = asked;
  const SUMS = ['billed_cents', 'ai_billed_cents', 'carried_cents', 'not_carried_cents'] as const;
  const rows = (await askDuckDb(
    fileOf(served, 'ai_spend'),
    `select coalesce(strftime(month, '%Y-%m-%d'), 'all') as month, sum(billed_cents)::bigint as billed_cents,
       coalesce(sum(ai_billed_cents), 0)::bigint as ai_billed_cents, coalesce(sum(ai_booked_cents), 0)::bigint as carried_cents,
       (coalesce(sum(ai_billed_cents), 0) - coalesce(sum(ai_booked_cents), 0))::bigint as not_carried_cents
     from file where source_kind <> 'card' group by rollup (month)`,
  )) as Json[];
  const expected = new Map(rows.map((row) => [String(row['month']), SUMS.map((name) => Number(row[name]))]));
  const markup = await page('/ai-spend');
  for (const [surface, as] of [
    ['AI spend: assistant live', {}],
    ['AI spend: assistant as of', { snapshot: served.snapshot_id }],
  ] as const) {
    const { structured = {} } = await call('get_ai_spend', { window: 'all', ...as });
    equal(
      surface,
      'all',
      SUMS.map((name) => structured[name]),
      expected.get('all') ?? SUMS.map(() => 0),
    );
    for (const each of structured['by_month'] as Json[]) {
      const month = String(each['month']);
      equal(
        surface,
        month,
        SUMS.map((name) => each[name]),
        expected.get(month) ?? [],
      );
    }
    for (const each of structured['by_vendor'] as Json[]) {
      const line = rowAt(
        markup.slice(markup.indexOf('id="by-source"')),
        `>${escaped(String(each['name']))}</th>`,
      );
      const amounts = [...line.matchAll(/<td class="r[^"]*"[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
        textOf(cell),
      );
      equal(
        surface.replace('assistant', 'page and assistant'),
        String(each['name']),
        amounts,
        SUMS.map((name) => shown(BigInt(each[name] as number), 'USD')),
      );
    }
  }
  const browser = { page: (path: string) => page(path) };
  for (const [address, amount] of linkedAmounts(markup, 'ai_spend')) {
    equal('AI spend: rows behind', address, [await totalAt(browser, address, 'Billed')], [amount]);
  }
  const lines = await csvOf(asked, 'ai_spend');
  const billed = lines
    .filter((line) => line['source_kind'] !== 'card')
    .reduce((sum, line) => sum + Number(line['billed_cents']), 0);
  equal('AI spend: CSV', 'all', [billed], [expected.get('all')?.[0] ?? 0]);
}

/** Plans: each page in the currency of the plan, and all of them in dollars as `reported_totals` has the portfolio. */
export async function comparePlans({
  harness,
  account_id,
  served,
  equal,
  page,
}: AskedAccount): Promise<void> {
  const plans = await planOracle(await harness.database.client('cf_owner'), account_id);
  const as_of = '2026-07-15';
  let [due, opex] = [0n, 0n];
  for (const plan of plans) {
    const counts = plan.confirmed && !['rejected', 'dismissed'].includes(plan.stage);
    const own = dueOn(plan, plan.value_cents, as_of);
    const isPlanned =
      counts && (plan.value_cents !== 0n || plan.opex_cents !== 0n || plan.capex_cents !== 0n);
    const text = textOf(await page(`/initiatives/${plan.id}`));
    const [, found = ''] = /Due by now, by the business case (.*?) Arrived, as a share/.exec(text) ?? [];
    // A plan without a start or a horizon has no step: nothing of it is ever due, and the page says that there is none.
    const amount = own === null ? null : shown(own, plan.currency);
    const none = ['no plan', 'none confirmed', 'nothing yet', shown(0n, plan.currency)];
    const said = !isPlanned || amount === null ? none : [amount];
    equal(
      'plans: page of an initiative',
      String(plan.id),
      [said.includes(found) ? said[0] : found],
      [said[0]],
    );
    if (plan.stage !== 'rejected' && plan.stage !== 'dismissed' && plan.value_cents !== 0n) {
      equal(
        'plans: unconfirmed',
        String(plan.id),
        [text.includes('no person has confirmed it')],
        [!plan.confirmed],
      );
    }
    if (!counts || plan.usd_rate === null) continue;
    due += dueOn(plan, plan.toDollars(plan.value_cents), as_of) ?? 0n;
    opex += dueOn(plan, plan.toDollars(plan.opex_cents), as_of) ?? 0n;
  }
  const [totals] = (await askDuckDb(
    fileOf(served, 'reported_totals'),
    "select planned_value_to_date_cents as due, planned_opex_to_date_cents as opex from file where scope = 'portfolio' and window_key = 'all'",
  )) as Json[];
  equal(
    'plans: reported_totals',
    'portfolio',
    [String(due), String(opex)],
    [String(totals?.['due']), String(totals?.['opex'])],
  );
}

async function csvOf({ page, served }: AskedAccount, table: string) {
  return await readCsv(await page(`/snapshots/${served.snapshot_id}/tables/${table}.csv`));
}

/** The row of a table in which the text stands. */
function rowAt(markup: string, text: string): string {
  return (
    markup.split('<tr').find((row) => new RegExp(text.replaceAll(/[().+*]/g, String.raw`\$&`)).test(row)) ??
    ''
  );
}

function shown(cents: bigint, currency: string): string {
  const words = currency === 'USD' ? shownDollars(cents) : shownAmount(cents, currency);
  return words.replaceAll('\u{2060}', '').replaceAll('\u{A0}', ' ');
}

function asText(value: unknown): string {
  return String(value);
}

function sameDay(day: unknown, as_of: unknown): boolean {
  return day instanceof Date && day.toISOString().slice(0, 10) === as_of;
}

/** A text as it stands in markup. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;');
}
