/** The overview of a real snapshot of the fixture company: each figure is that of reported_totals and leads to its rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { readAll } from '../../store/contract.ts';
import { ACCOUNT, dollars, linkedAmounts, serveCompany, textOf, totalAt } from './served-company.ts';

let company: Awaited<ReturnType<typeof serveCompany>>;
let [from, to] = ['', ''];
beforeAll(async () => {
  company = await serveCompany();
  ({ from, to } = company);
});
afterAll(() => company?.close());

const FIGURES = ['cost_cents', 'cash_value_cents', 'net_value_cents', 'freed_capacity_cents'] as const;
type Total = Record<(typeof FIGURES)[number], bigint> & { initiative_id: bigint | null; window_key: string };

async function totals(id: string): Promise<readonly Total[]> {
  const bytes = await readAll(await company.reader.openTable(ACCOUNT, id, 'reported_totals'));
  return (await askDuckDb(
    bytes,
    `select initiative_id, window_key, ${FIGURES.join(', ')} from file`,
  )) as Total[]; // as the query selects them
}

/** The amounts of the page's statements with their links, window by window. */
function statements(page: string): readonly (readonly (readonly [amount: string, address: string])[])[] {
  return page
    .replaceAll('\u{2060}', '')
    .split('<div class="statement')
    .slice(1)
    .map((part) => {
      const amounts = part
        .slice(0, part.indexOf('</div>'))
        .matchAll(/class="amount"><a href="([^"]+)">([^<]+)</g);
      return [...amounts].map(([, address = '', amount = '']) => [amount, address.replaceAll('&amp;', '&')]);
    });
}

describe('the statements', () => {
  it('have the figures of the fiscal year and of all time of reported_totals, in whichever snapshot', async () => {
    const browser = await company.signedIn();
    for (const id of [from, to]) {
      const known = await totals(id);
      const shown = statements(await browser.page(`/?snapshot=${id}`));
      const expected = ['fy2027', 'all'].map((window) => {
        const total = known.find((each) => each.initiative_id === null && each.window_key === window);
        if (total === undefined) throw new Error(`no total of ${window}`);
        return [
          dollars(total.cost_cents),
          dollars(total.cash_value_cents),
          dollars(total.net_value_cents),
          dollars(total.freed_capacity_cents),
        ];
      });
      expect(
        shown.map((each) => each.filter(([amount]) => !amount.endsWith('%')).map(([amount]) => amount)),
      ).toEqual(expected);
    }
  });

  it('tell the change since the snapshot before, and the reason that weighs most', async () => {
    const page = textOf(await (await company.signedIn()).page('/'));
    // Two costs were recorded: $600.00 less a credit of $10.50.
    expect(page).toContain('cost of all time rose by $589.50 and cash value did not move');
    expect(page).toMatch(
      /Cost \$[\d,.]+ \+\$589\.50 2 costs recorded, \+\$589\.50 \$[\d,.]+ at a provisional rate Cash value/,
    );
    expect(page).toMatch(/Net value −?\$[\d,.]+ −\$589\.50 2 costs recorded, −\$589\.50 Return/);
    expect(page).toMatch(/Cash value \$[\d,.]+ no change Net value/);
    expect(page).toMatch(
      /What moved net value of all time, since \S+ \S+ UTC Every reason and its rows 2 costs recorded −\$589\.50 Month by month/,
    );
    const first = textOf(await (await company.signedIn()).page(`/?snapshot=${from}`));
    expect(first).not.toContain('What moved net value');
    expect(first).toContain('no earlier snapshot can be compared');
    expect(first).not.toContain('no change');
  });
});

it('every amount of costs and of cash value leads to rows of which the total is that amount', async () => {
  const browser = await company.signedIn();
  const links = linkedAmounts(await browser.page('/?by=cost&window=year'), 'costs|reported_value');
  expect(links.length).toBeGreaterThan(60);
  for (const [address, amount] of links) {
    expect([address, await totalAt(browser, address, 'Dollars')]).toEqual([address, amount]);
  }
});

it('the row of reported_totals stands behind net value and freed capacity', async () => {
  const browser = await company.signedIn();
  for (const amounts of statements(await browser.page('/'))) {
    for (const [amount, address] of amounts.filter(
      ([figure, link]) => link.includes('reported_totals') && !figure.endsWith('%'),
    )) {
      expect(textOf(await browser.page(`/${address}`))).toContain(amount);
    }
  }
});

describe('the initiatives', () => {
  it.each([
    ['net', 'all', 'net_value_cents'],
    ['cost', 'year', 'cost_cents'],
    ['cash', 'all', 'cash_value_cents'],
    ['capacity', 'all', 'freed_capacity_cents'],
  ] as const)('are ranked by %s of %s as reported_totals has them', async (by, window, figure) => {
    const page = await (await company.signedIn()).page(`/?by=${by}&window=${window}`);
    const rows =
      page.slice(page.indexOf('<table class="ranking">')).split('</table>')[0]?.split('</tr>') ?? [];
    const found = rows
      .slice(1, -1)
      .map((row) =>
        [...row.matchAll(/<td class="r[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => textOf(cell)),
      );
    const known = (await totals(to))
      .filter(
        (each) => each.initiative_id !== null && each.window_key === (window === 'all' ? 'all' : 'fy2027'),
      )
      .filter((each) => FIGURES.some((name) => name !== 'net_value_cents' && each[name] !== 0n))
      .toSorted((a, b) => Number(b[figure] - a[figure]));
    const lines = found.map(([net, cost, cash, , capacity]) => [cost, cash, net, capacity].join(' '));
    expect(new Set(lines)).toEqual(
      new Set(known.map((total) => FIGURES.map((name) => dollars(total[name])).join(' '))),
    );
    const column = { net: 0, cost: 1, cash: 2, capacity: 4 }[by];
    expect(found.map((cells) => cells[column])).toEqual(known.map((total) => dollars(total[figure])));
  });

  it('are ranked by how much net value changed, whichever way, and their titles are text', async () => {
    const page = await (await company.signedIn()).page('/?by=change');
    const [, table = ''] = page.split('<table class="ranking">');
    const changes = [...table.matchAll(/data-column="Net since last">(.*?)<\/td>/gs)].map(([, cell = '']) =>
      textOf(cell),
    );
    expect(changes.slice(0, 3)).toEqual(['−$600.00', '+$10.50', 'no change']);
    expect(page).toContain('&lt;b&gt;Quotes&lt;/b&gt;');
    expect(page).not.toContain('<b>Quotes');
  });
});

describe('the months', () => {
  it('are those of the files: each month, those without one, and together all time', async () => {
    const page = await (await company.signedIn()).page('/');
    const [, table = ''] = page.split('<table class="months">');
    const rows = (table.split('</table>')[0] ?? '')
      .split('</tr>')
      .slice(1, -1)
      .map((row) => [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => textOf(cell)));
    const bytes = await readAll(await company.reader.openTable(ACCOUNT, to, 'costs'));
    const months = (await askDuckDb(
      bytes,
      `select coalesce(strftime(period_month, '%b %Y'), 'Without a month') as month, sum(usd_amount_cents)::bigint as cents
       from file where usd_amount_cents is not null group by period_month having sum(usd_amount_cents) <> 0`,
    )) as { month: string; cents: bigint }[]; // as the query selects them
    const spent = new Map(rows.slice(0, -1).map(([month = '', cost = '']) => [month, cost]));
    for (const { month, cents } of months) expect([month, spent.get(month)]).toEqual([month, dollars(cents)]);
    expect([...spent.values()].filter((cost) => cost !== '$0.00')).toHaveLength(months.length);
    const all = (await totals(to)).find((each) => each.initiative_id === null && each.window_key === 'all');
    expect(rows.at(-1)?.slice(0, 4)).toEqual([
      'All time',
      dollars(all?.cost_cents ?? 0n),
      dollars(all?.cash_value_cents ?? 0n),
      dollars(all?.net_value_cents ?? 0n),
    ]);
  });
});

/** The links of the navigation to the initiatives and to the tables. */
function waysOf(page: string): string[] {
  const frame = page.split('<main')[0] ?? '';
  return [...frame.matchAll(/href="((?:initiatives|tables)[^"]*)"/g)].map(([, way = '']) => way);
}

describe('the page', () => {
  it('names amounts in no total, in their own currency, with a link to the rows', async () => {
    const page = await (await company.signedIn()).page('/');
    const [, table = ''] = page.split('<table class="left-out">');
    const lines = (table.split('</table>')[0] ?? '').split('</tr>').map(textOf);
    const none = 'no rate yet: no rate of the currency is stored';
    const ended = 'the published rates of the currency end before the period does';
    // fixtures/TOTALS.md: V2023 waits, V2024 is of a month that was locked first, V2028 has no period; V2026 is capacity and waits.
    const euros = [
      'EUR 2,000.00 locked without a rate: the month was locked before there was a rate',
      'EUR 300.00 never converted: the value has no period',
      'EUR 3,100.00 no rate yet: the stored rates do not cover the whole period',
    ].join('; ');
    expect(lines.slice(0, 10).map((each) => each.replaceAll('&#39;', "'"))).toEqual([
      "1 cost in CHF never converted: the period is before the currency's first rate CHF 250.00",
      '1 cost in EUR locked without a rate: the month was locked before there was a rate EUR 600.00',
      `1 cost in KES ${none} KES 7,000.00`,
      `1 cash value in BGN never converted: ${ended} BGN 1,000.00`,
      `3 cash values in EUR ${euros} EUR 5,400.00`,
      `1 cash value in KES ${none} KES 5,000.00`,
      '1 freed capacity in EUR no rate yet: the stored rates do not cover the whole period EUR 800.00',
      `1 freed capacity in KES ${none} KES 600.00`,
      '1 card charge in EUR not in dollars: a card charge counts only in US dollars EUR 30.00',
      `1 provider's bill in KES ${none} KES 1,000.00`,
    ]);
    const browser = await company.signedIn();
    const [, address = ''] = /<a href="([^"]+)">3 cash values in EUR</.exec(page) ?? [];
    const rows = await browser.page(`/${address.replaceAll('&amp;', '&')}`);
    expect(textOf(rows)).toContain('Total of the 3 filtered rows');
    // The rows show what they are recorded as.
    expect(rows).toContain('data-column="Amount">EUR\u{A0}3,100.00');
  });

  it('names the closed months below the chart by month, with a link to who closed them', async () => {
    const page = await (await company.signedIn()).page('/');
    // fixtures/company/accounting_months.csv: those of status locked.
    expect(textOf(page)).toContain('6 closed months : May 2024 to Jul 2024, Nov 2024, Jan 2025, Mar 2026.');
    expect(page).toContain(`<a href="snapshots/${to}/tables/accounting_periods">6 closed months</a>`);
  });

  it('says on paper in which order and window its initiatives stand, and no words that only lead on', async () => {
    const page = await (await company.signedIn()).page('/?by=cost&window=year');
    expect(page).toContain('<p class="on-paper">Ranked by cost, FY2027.</p>');
    expect(page).toMatch(/<a class="not-on-paper" href="[^"]+"\s*>See why</);
  });

  it('shows one snapshot, which it names, and lists each snapshot below with its figures of all time', async () => {
    const page = await (await company.signedIn()).page(`/?snapshot=${from}`);
    expect(page).toContain(`snapshot <b data-copy="the snapshot id">${from}</b>`);
    expect(page).toMatch(new RegExp(`<option value="${from}" selected`));
    // Once in a row, once in a menu: the figures keep the snapshot, the reference does not.
    const kept = [`initiatives?snapshot=${from}`, 'tables'];
    expect(waysOf(page)).toEqual([...kept, ...kept]);
    expect(new Set(waysOf(await (await company.signedIn()).page('/')))).toEqual(
      new Set(['initiatives', 'tables']),
    );
    expect(page.split('id="snapshots"')[0]).not.toContain(`snapshots/${to}`);
    // On paper the older snapshot tells nothing of the newer one.
    const [, newer = '', older = ''] = (page.split('id="snapshots"')[1] ?? '').split('<tr ');
    expect([newer.includes(to), newer.startsWith('class="not-on-paper"')]).toEqual([true, true]);
    expect([older.includes(from), older.startsWith('>')]).toEqual([true, true]);
    const [known] = (await totals(to)).filter(
      (each) => each.initiative_id === null && each.window_key === 'all',
    );
    const row = textOf(page.split(`<a href="snapshots/${to}"`)[1] ?? '');
    expect(row).toContain(`${dollars(known?.cost_cents ?? 0n)} ${dollars(known?.cash_value_cents ?? 0n)}`);
  });

  it.each([
    ['?by=size', 'The parameter by must be one of net, cost, cash, capacity, change.'],
    ['?window=month', 'The parameter window must be one of year, all.'],
    ['?snapshot=1&snapshot=2', 'The parameter snapshot was given more than once.'],
  ])('refuses %s in words', async (query, words) => {
    const answer = await (await company.signedIn()).send(`/${query}`);
    expect([answer.status, textOf(await answer.text())]).toEqual([400, expect.stringContaining(words)]);
  });

  it('shows the snapshots even if the files of the figures cannot be read', async () => {
    const damaged: SnapshotReader = {
      ...company.reader,
      openRows: () => Promise.reject(new CrossfootError('file_corrupt', 'costs is not what was audited.')),
    };
    const page = textOf(await (await company.signedIn(damaged)).page('/'));
    expect(page).toContain(`The figures of ${to} cannot be read now: costs is not what was audited.`);
    expect(page).toContain(`${from} 2026-07-14`);
  });

  it('shows the figures even if the snapshot before is damaged', async () => {
    const half: SnapshotReader = {
      ...company.reader,
      openRows: (account, id, table) =>
        id === from
          ? Promise.reject(new CrossfootError('file_corrupt', 'reported_totals is not what was audited.'))
          : company.reader.openRows(account, id, table),
    };
    const page = textOf(await (await company.signedIn(half)).page('/'));
    expect(page).toContain('no earlier snapshot can be compared');
    const [known] = (await totals(to)).filter(
      (each) => each.initiative_id === null && each.window_key === 'all',
    );
    expect(page).toMatch(
      new RegExp(`Cost \\${dollars(known?.cost_cents ?? 0n)} \\$[\\d,.]+ at a provisional rate Cash value`),
    );
    expect(page).not.toContain('cannot be read now');
  });

  it('shows the figures even if both snapshots cannot be compared', async () => {
    const uncompared = { ...company.diffs, use: () => Promise.reject(new Error('the disk is full')) };
    const page = textOf(await (await company.signedIn(company.reader, uncompared)).page('/'));
    expect(page).toMatch(
      /Cost \$[\d,.]+ \+\$589\.50 the reasons are being worked out \$[\d,.]+ at a provisional rate Cash value/,
    );
  });
});
