/**
 * What Chromium shows of money, read figure by figure: the overview, every initiative, and the waterfall. Each is held
 * against `reported_totals` and the diff of the same snapshots, as the API gives them, for two companies.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedAccount } from '../../tools/seed/seed-account.ts';
import { DAY, clockAt } from '../snapshot/builder/build-harness.ts';
import { change } from '../snapshot/builder/real-build.ts';
import { openServedHarness, type ServedHarness } from './served-harness.ts';
import { openBrowser, openPage, type WatchedPage } from './watched-page.ts';

const INITIATIVES = 200;
const GENERATED = { rows: 10_000, initiatives: INITIATIVES, years: 3, inputs: 0, seed: 7n };

interface Company {
  readonly token: string;
  readonly watched: WatchedPage;
}

let served: ServedHarness;
let origin: string;
let browser: Browser;
let from = '';
let to = '';
const companies = new Map<string, Company>();
beforeAll(async () => {
  served = await openServedHarness();
  const { harness, store } = served;
  const owner = await harness.database.client('cf_owner');
  // Younger than fourteen days, and the same second for both companies.
  const now = (BigInt(Date.now()) / 60_000n) * 60_000_000n;
  const build = async (account_id: bigint, at: bigint): Promise<string> => {
    const night = new Date(Number(at / 1_000n)).toISOString().slice(0, 10);
    return (await harness.build({ store, account_id, at, night, clock: clockAt(at + 1_000_000n) }))
      .snapshot_id;
  };
  const generated = await seedAccount(owner, GENERATED, () => undefined);
  for (const account_id of [1n, generated]) {
    from = await build(account_id, now - DAY);
    await change(
      owner,
      `insert into ledger.cost_entries
         (account_id, initiative_id, amount_cents, currency, cost_type, cost_category, period_start, source_type)
       select ${account_id}, min(id), 1234, 'USD', 'software', 'opex', '2026-07-01', 'manual'
       from ledger.initiatives where account_id = ${account_id} and not is_sample;
       insert into ledger.value_entries
         (account_id, initiative_id, amount_cents, currency, status, entry_type, period_start, source_type)
       select ${account_id}, min(id), 98765, 'USD', 'approved', 'cost_savings', '2026-07-01', 'manual'
       from ledger.initiatives where account_id = ${account_id} and not is_sample`,
      account_id,
    );
    to = await build(account_id, now);
  }
  origin = await served.serve();
  browser = await openBrowser();
  for (const [name, account_id] of [
    ['the fixture company', 1n],
    ['a generated company', generated],
  ] as const) {
    const token = await served.issue(account_id);
    const watched = await openPage(browser, origin);
    await watched.signIn(token);
    companies.set(name, { token, watched });
  }
});
afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

function companyOf(name: string): Company {
  const company = companies.get(name);
  if (company === undefined) throw new Error(`${name} is not served`);
  return company;
}

type Row = Readonly<Record<string, string>>;

/** The rows of `reported_totals` of the newest snapshot, from the CSV of the API: its values here have no quotes. */
async function reportedTotals(token: string): Promise<readonly Row[]> {
  const answer = await fetch(`${origin}/v1/reporting/latest/reported_totals.csv`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [head = '', ...lines] = (await answer.text()).trimEnd().split('\r\n');
  const names = head.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((value, index) => [names[index] ?? '', value])),
  );
}

function dollars(cents: bigint, signed = false): string {
  const size = cents < 0n ? -cents : cents;
  const units = String(size / 100n).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0n ? '−' : signed && cents > 0n ? '+' : ''}$${units}.${String(size % 100n).padStart(2, '0')}`;
}

/** Cost, cash value, net value, ROI and freed capacity as pages show them. */
function figures(row: Row | undefined): readonly string[] {
  const amount = (name: string): string => dollars(BigInt(row?.[`${name}_cents`] || 0));
  // The pages show the worst return too: the column is empty if nothing came back.
  const [cost, cash] = [BigInt(row?.['cost_cents'] || 0), BigInt(row?.['cash_value_cents'] || 0)];
  const roi =
    (row?.['roi'] ?? '') === '' && cost > 0n ? Number(cash - cost) / Number(cost) : (row?.['roi'] ?? '');
  const share = Number(roi).toLocaleString('en-US', {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return [
    amount('cost'),
    amount('cash_value'),
    amount('net_value'),
    roi === '' ? 'none' : share.replace('-', '−').replace('%', ' %'),
    amount('freed_capacity'),
  ];
}

/** The texts of all elements that a selector finds. */
async function texts({ page }: WatchedPage, selector: string): Promise<readonly string[]> {
  return (await page.locator(selector).allInnerTexts()).map((text) =>
    text.replaceAll('\u{2060}', '').replaceAll(/\s+/g, ' ').trim(),
  );
}

describe.each(['the fixture company', 'a generated company'])('%s', (name) => {
  it('its overview shows both windows, each quarter and each initiative as reported_totals has them', async () => {
    const { token, watched } = companyOf(name);
    const totals = await reportedTotals(token);
    const of = (scope: string, window: string) =>
      totals.filter((row) => row['scope'] === scope && row['window_key'] === window);
    await watched.page.goto(`${origin}/initiatives?by=cost`);
    const year = (await texts(watched, '.tabs.end a'))[0] ?? '';
    const shown = new Set<string>();
    const next = watched.page.locator('.pager a[rel=next]');
    for (;;) {
      for (const row of await texts(watched, 'table.ranking tbody tr'))
        shown.add(row.replace(/^.*? (?=−?\$)/, ''));
      if ((await next.count()) === 0) break;
      await next.click();
    }
    const known = of('initiative', 'all')
      .map(figures)
      .filter((each) => each[0] !== '$0.00' || each[1] !== '$0.00' || each[4] !== '$0.00');
    expect(known.length).toBeGreaterThan(name === 'the fixture company' ? 12 : INITIATIVES / 2);
    for (const [cost, cash, net, roi, freed] of known) {
      const line = `${net} ${cost} ${cash} ${roi} ${freed}`;
      expect([line, [...shown].some((row) => row.startsWith(line))]).toEqual([line, true]);
    }
    await watched.page.goto(`${origin}/`);
    const amounts = await texts(watched, '.statement .amount');
    const [current] = of('portfolio', year.toLowerCase());
    expect(amounts).toEqual([...figures(current), ...figures(of('portfolio', 'all')[0])]);
    const quarters = totals
      .filter((row) => row['scope'] === 'portfolio' && row['window_kind'] === 'fiscal_quarter')
      .slice(-12);
    expect(await texts(watched, '.quarters dd')).toEqual(quarters.flatMap((row) => figures(row).slice(0, 4)));
    expect(watched.faults()).toEqual([]);
  });

  it('the pages of its initiatives show the totals of reported_totals', async () => {
    const { token, watched } = companyOf(name);
    const totals = (await reportedTotals(token)).filter(
      (row) => row['scope'] === 'initiative' && row['window_key'] === 'all',
    );
    const step = Math.ceil(totals.length / 15);
    for (const row of totals.filter((_, index) => index % step === 0)) {
      await watched.page.goto(`${origin}/initiatives/${row['initiative_id']}`);
      const amounts = await texts(watched, '.statement:not(.second) .amount');
      expect([row['initiative_id'], amounts]).toEqual([row['initiative_id'], figures(row)]);
    }
    expect(watched.faults()).toEqual([]);
  });

  it('its waterfall leads from the net value before to that after, by the reasons of the diff', async () => {
    const { token, watched } = companyOf(name);
    const answer = await fetch(`${origin}/v1/reporting/diff/${from}/${to}?table=reported_totals&limit=500`, {
      headers: { authorization: `Bearer ${token}` },
    });
    interface Move {
      readonly figure: string;
      readonly before_cents: number;
      readonly after_cents: number;
      readonly because: readonly { readonly cents: number }[];
    }
    interface Total {
      readonly key: Readonly<Record<string, unknown>>;
      readonly moved: readonly Move[];
    }
    expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, '']);
    const { data } = (await answer.json()) as { data: readonly Total[] }; // the shape of the contract
    const moved =
      data.find(({ key }) => key['scope'] === 'portfolio' && key['window_key'] === 'all')?.moved ?? [];
    const move = (figure: string) => moved.find((each) => each.figure === figure);
    await watched.page.goto(`${origin}/snapshots/${to}/changes?from=${from}&window=all`);
    const rows = await texts(watched, 'table.fall tbody tr');
    const net = move('net_value_cents');
    expect(rows[0]).toContain(dollars(BigInt(net?.before_cents ?? 0)));
    expect(rows.at(-1)).toContain(dollars(BigInt(net?.after_cents ?? 0)));
    const steps = [
      ...(move('cash_value_cents')?.because ?? []).map(({ cents }) => dollars(BigInt(cents), true)),
      ...(move('cost_cents')?.because ?? []).map(({ cents }) => dollars(BigInt(-cents), true)),
    ];
    expect(steps.length).toBeGreaterThan(1);
    expect(rows).toHaveLength(steps.length + 2);
    for (const step of steps) expect(rows.slice(1, -1).join('\n')).toContain(step);
    expect(watched.faults()).toEqual([]);
  });

  it('its page of changes shows each cell on a phone, without scrolling sideways', async () => {
    const { watched } = companyOf(name);
    await watched.page.goto(`${origin}/snapshots/${to}/changes?from=${from}`);
    await watched.show('light', 'phone');
    const opened = `document.querySelectorAll('details').forEach((each) => { each.open = true; })`;
    await watched.page.evaluate(opened);
    // A head of one pixel is for programs that read aloud.
    const cut = await watched.page.evaluate(
      `[...document.querySelectorAll('main *')].filter((each) => getComputedStyle(each).overflowX !== 'visible' &&
        each.checkVisibility() && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.outerHTML.slice(0, 160))`,
    );
    expect(cut).toEqual([]);
    expect(watched.faults()).toEqual([]);
  });

  it('its pages of money are accessible, in light and dark, and never scroll sideways', async () => {
    const { watched } = companyOf(name);
    for (const path of [
      '/',
      '/initiatives',
      '/budgets',
      '/ai-spend',
      `/snapshots/${to}/tables/costs`,
      `/snapshots/${to}/changes`,
    ]) {
      await watched.page.goto(`${origin}${path}`);
      expect([path, await watched.examine(), watched.faults()]).toEqual([path, [], []]);
    }
  });
});
