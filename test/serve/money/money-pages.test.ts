/** The pages of initiatives, budgets and AI spend of a real snapshot: each amount leads to rows with that total. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutOwnScript } from '../fake-parts.ts';
import { dollars, linkedAmounts, serveCompany, textOf, totalAt } from './served-company.ts';

let company: Awaited<ReturnType<typeof serveCompany>>;
beforeAll(async () => {
  company = await serveCompany();
});
afterAll(() => company?.close());

const ask = <Row>(table: string, sql: string): Promise<readonly Row[]> => company.ask<Row>(table, sql);
const IDS = Array.from({ length: 15 }, (_, index) => 101 + index);

/** Cells of a table of the page, row by row. */
function rowsOf(page: string, name: string): readonly (readonly string[])[] {
  const [, table = ''] = page.split(`<table class="${name}">`);
  return (table.split('</table>')[0] ?? '')
    .split('</tr>')
    .slice(1, -1)
    .map((row) => [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => textOf(cell)));
}

function sumLine({ words, cents }: { words: string; cents: bigint | null }): string {
  return `${words.trim()} ${cents === null ? 'none' : dollars(cents)}`;
}

function inCurrency(cents: bigint, currency: string): string {
  return currency === 'USD' ? dollars(cents) : `${currency} ${dollars(cents).replace('$', '')}`;
}

describe('the page of an initiative', () => {
  it('has its totals of reported_totals, each cost and cash value with rows of that total', async () => {
    const browser = await company.signedIn();
    const totals = await ask<{ id: bigint; cost: bigint; cash: bigint; net: bigint; freed: bigint }>(
      'reported_totals',
      `select initiative_id as id, cost_cents as cost, cash_value_cents as cash, net_value_cents as net,
         freed_capacity_cents as freed from file where scope = 'initiative' and window_key = 'all'`,
    );
    let checked = 0;
    for (const { id, cost, cash, net, freed } of totals) {
      const page = (await browser.page(`/initiatives/${id}`)).replaceAll('\u{2060}', '');
      const [, all = ''] = page.split('<div class="statement');
      const amounts = [...all.matchAll(/class="amount"><a href="[^"]+">([^<]+)</g)].map(
        ([, amount]) => amount,
      );
      expect([id, amounts[0], amounts[1], amounts[2], amounts[4]]).toEqual([
        id,
        ...[cost, cash, net, freed].map(dollars),
      ]);
      const links = new Map(linkedAmounts(page, 'costs|reported_value'));
      if (![101n, 104n].includes(id)) continue;
      for (const [address, amount] of links) {
        expect([address, await totalAt(browser, address, 'Dollars')]).toEqual([address, amount]);
        checked += 1;
      }
    }
    expect(totals.length).toBeGreaterThan(10);
    expect(checked).toBeGreaterThan(30);
  });

  it('has beside each change since the snapshot before the reason that weighs most for the initiative', async () => {
    const browser = await company.signedIn();
    const shown = async (id: number): Promise<string> => {
      const page = textOf(await browser.page(`/initiatives/${id}`));
      const part = page.slice(page.indexOf('All time'), page.indexOf('Plan against actual'));
      return part.replaceAll(/ \$[\d,.]+ at a provisional rate/g, '');
    };
    // Of the two costs recorded between the snapshots, $600.00 is of 101 and the credit of $10.50 of 102.
    for (const [id, cost, net] of [
      [101, '+$600.00', '−$600.00'],
      [102, '−$10.50', '+$10.50'],
    ] as const) {
      const all = await shown(id);
      // Once of all time, and once of the fiscal year of July.
      expect([id, all.split(`${cost} 1 cost recorded, ${cost} Cash value`).length - 1]).toEqual([id, 2]);
      expect([id, all.split(`${net} 1 cost recorded, ${net} Return`).length - 1]).toEqual([id, 2]);
    }
    expect(await shown(103)).not.toMatch(/recorded|being worked out/);
    expect(await shown(103)).toMatch(/All time nothing moved since(?!.*no change)/);
  });

  it('sums cost by type and vendor, and cash value by basis, as DuckDB does', async () => {
    const browser = await company.signedIn();
    const costs = await ask<{ id: bigint; words: string; cents: bigint }>(
      'costs',
      `select initiative_id as id, coalesce(cost_type, 'no type named') as words, sum(usd_amount_cents)::bigint as cents
         from file group by initiative_id, cost_type
         union all select initiative_id, coalesce(named.name, 'no vendor named'), sum(usd_amount_cents)::bigint from file
         left join (select vendor_id, min(trim(vendor_name)) as name from file group by all) named using (vendor_id)
         group by initiative_id, vendor_id, named.name`,
    );
    const basis = await ask<{ id: bigint; words: string; cents: bigint }>(
      'reported_value',
      `select initiative_id as id, case basis when 'measured' then 'Measured: baseline measured before go-live'
           when 'reconstructed' then 'Rebuilt: a sample of work done without the AI'
           when 'estimated' then 'Estimated: the baseline is an estimate'
           else 'No baseline: as entered or from a source' end as words, sum(usd_amount_cents)::bigint as cents
         from file where entry_type <> 'capacity' group by initiative_id, basis`,
    );
    for (const id of IDS) {
      const page = await browser.page(`/initiatives/${id}`);
      const found = page
        .split('<table class="bars">')
        .slice(1)
        .flatMap((table) =>
          [...(table.split('</table>')[0] ?? '').matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
            textOf(row).replaceAll('&amp;', '&'),
          ),
        );
      const own = [...costs, ...basis].filter((line) => line.id === BigInt(id));
      expect([id, new Set(found)]).toEqual([id, new Set(own.map(sumLine))]);
    }
  });

  it('says what is due of the plan, when it breaks even, and when it was paid back', async () => {
    const page = textOf(await (await company.signedIn()).page('/initiatives/101'));
    // 36 steps from August 2024: $166,500.36 in all, 24 of them begun by 15 July 2026.
    expect(page).toContain('Due by now, by the business case $111,000.24');
    expect(page).toContain('Paid back Jul 2025 planned Jan 2025');
    expect(page).toContain('The whole plan $166,500.36 by Jul 2027');
    expect(page).toContain('<b>Quotes</b>'.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
  });

  it('shows budgets with the newest comparison, and decisions with their numbers', async () => {
    const page = await (await company.signedIn()).page('/initiatives/101');
    const [compared] = await ask<{ budget: bigint; actual: bigint; rest: bigint }>(
      'budget_vs_actual',
      `select budget_to_date_cents as budget, actual_to_date_cents as actual, variance_cents as rest
       from file where initiative_id = 101 order by as_of desc limit 1`,
    );
    expect(textOf(page)).toContain(
      `${dollars(compared?.actual ?? 0n)} of ${dollars(compared?.budget ?? 0n)} budgeted to 2026-07-15 is spent: ${dollars(compared?.rest ?? 0n)} under .`,
    );
    expect(rowsOf(page, 'versions months').map(([version, state]) => [version, state])).toEqual([
      ['403', 'pending'],
      ['402', 'in effect'],
      ['401', 'approved'],
    ]);
    const [, list = ''] = page.split('<ol class="decisions">');
    const names = [
      ...(list.split('</ol>')[0] ?? '').matchAll(/<b>(.*?)<\/b> <time datetime=".*?">(.*?)<\/time>/g),
    ];
    expect(names.map(([, name, day]) => `${name} ${day}`)).toEqual([
      'Charter approved 2024-04-22',
      'Initiative step approved, step 1 of 2 2024-04-26',
      'Initiative approved, step 2 of 2 2024-04-29',
      'Budget 401 approved 2024-05-02',
      'Went live 2024-08-12',
      'Budget 402 approved 2025-03-20',
      'Decision: scale 2025-04-10',
      'Budget 403 asked for 2026-07-08',
    ]);
  });

  it('draws each budgeted day with a ring for each version, and says which review has passed', async () => {
    const page = await (await company.signedIn()).page('/initiatives/101');
    const days = await ask<{ as_of: string; version: string; budget: bigint; spent: bigint }>(
      'budget_vs_actual',
      `select as_of::varchar as as_of, budget_id::varchar as version, budget_to_date_cents as budget,
         actual_to_date_cents as spent from file where initiative_id = 101 order by as_of`,
    );
    const section = page.slice(page.indexOf('id="budget"'));
    const [, drawing = ''] = section.split('<svg');
    expect(drawing.match(/class="ring"/g)).toHaveLength(new Set(days.map(({ version }) => version)).size);
    expect(rowsOf(section, 'months')).toEqual(
      days.map(({ as_of, version, budget, spent }) => [as_of, version, dollars(budget), dollars(spent)]),
    );
    expect(textOf(page)).toContain(
      'The decision of 2025-04-10, scale, named 2025-10-10 as its next review. No later decision is recorded.',
    );
  });

  it.each(['999', '0', 'x', '99999999999999999999'])('of initiative %s is refused in words', async (id) => {
    const answer = await (await company.signedIn()).send(`/initiatives/${id}`);
    expect([answer.status, textOf(await answer.text())]).toEqual([
      404,
      expect.stringContaining(`This snapshot has no initiative &quot;${id}&quot;.`),
    ]);
  });
});

describe('the page of initiatives', () => {
  it('ranks all with a figure and names the others, each with its page in the same snapshot', async () => {
    const browser = await company.signedIn();
    const page = await browser.page(`/initiatives?snapshot=${company.from}&by=cost`);
    const costs = await ask<{ cents: bigint }>(
      'reported_totals',
      "select cost_cents as cents from file where scope = 'initiative' and window_key = 'all' order by cents desc, initiative_id",
    );
    expect(rowsOf(page, 'ranking')).toHaveLength(14);
    const links = [...page.matchAll(/href="(initiatives\/\d+)\?snapshot=(\w+)"/g)];
    expect(new Set(links.map(([, path]) => path)).size).toBe(15);
    expect(new Set(links.map(([, , id]) => id))).toEqual(new Set([company.from]));
    const newest = rowsOf(await browser.page('/initiatives?by=cost'), 'ranking').map(([, , , cost]) => cost);
    expect(newest.slice(0, -1)).toEqual(costs.slice(0, 13).map(({ cents }) => dollars(cents)));
  });
});

const overBy = (part: string, cents: bigint, currency: string): readonly string[] =>
  cents > 0n ? [`${part} by ${inCurrency(cents, currency)}`] : [];

describe('the page of budgets', () => {
  it('compares each budgeted initiative on its newest day: those over first, then the furthest over of each currency', async () => {
    const page = await (await company.signedIn()).page('/budgets');
    const rows = await ask<{
      currency: string;
      budget: bigint;
      actual: bigint;
      rest: bigint;
      day: string;
      status: string;
      one_time: bigint;
      running: bigint;
    }>(
      'budget_vs_actual',
      `select currency, budget_to_date_cents as budget, actual_to_date_cents as actual, variance_cents as rest,
         as_of::varchar as day, status, capex_actual_cents - capex_budget_cents as one_time,
         opex_actual_cents - opex_budget_to_date_cents as running
       from file qualify row_number() over (partition by initiative_id order by as_of desc) = 1
       order by status <> 'over', currency, rest`,
    );
    const cells = rowsOf(page, 'ranking budgets').map((row) =>
      row.slice(2).map((cell) => cell.split(' without ')[0]),
    );
    expect(cells.slice(0, rows.length)).toEqual(
      rows.map(({ currency, budget, actual, rest, day, status, one_time, running }) => [
        inCurrency(budget, currency),
        inCurrency(actual, currency),
        `${inCurrency(rest < 0n ? -rest : rest, currency)} ${rest < 0n ? 'over' : 'under'}`,
        status === 'over'
          ? `over: ${[...overBy('one-time cost', one_time, currency), ...overBy('running cost', running, currency)].join(', ')}`
          : status,
        day,
      ]),
    );
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['over', 'within']));
  });
});

describe('the page of AI spend', () => {
  it('sums bills by month and by who billed, carried and not, as DuckDB does; cards stand beside', async () => {
    const browser = await company.signedIn();
    const page = await browser.page('/ai-spend');
    const SUMS = `sum(billed_cents)::bigint as billed, coalesce(sum(ai_billed_cents), 0)::bigint as ai,
      coalesce(sum(ai_booked_cents), 0)::bigint as carried`;
    type Sums = { name: string | null; billed: bigint; ai: bigint; carried: bigint };
    const sums = (key: string) =>
      ask<Sums>(
        'ai_spend',
        `select ${key} as name, ${SUMS} from file where source_kind <> 'card' group by all`,
      );
    // This snapshot has no companion tables, so no names of platforms: their keys in words, which join the vendors of that name.
    const billers = `select coalesce(vendor_name, upper(platform[1]) || replace(substr(platform, 2), '_', ' ')) as name,
        ${SUMS}
      from file where source_kind <> 'card' group by all`;
    const line = ({ name, billed, ai, carried }: Awaited<ReturnType<typeof sums>>[number]): string =>
      [name ?? 'All bills', ...[billed, ai, carried, ai - carried].map(dollars)].join(' ');
    const tables = page.split('<table class="ranking spend">').slice(1);
    const found = tables.map((table) =>
      rowsOf(`<table class="x">${table}`, 'x').map(([name, , ...amounts]) => [name, ...amounts].join(' ')),
    );
    const expected = [
      [...(await sums("strftime(month, '%b %Y')")), ...(await sums('null'))].map(line),
      [...(await ask<Sums>('ai_spend', billers)), ...(await sums('null'))].map(line),
    ];
    expect(found.map((lines) => new Set(lines))).toEqual(expected.map((lines) => new Set(lines)));
    for (const [address, amount] of linkedAmounts(page, 'ai_spend')) {
      expect([address, await totalAt(browser, address, 'Billed')]).toEqual([address, amount]);
    }
    const [cards] = await ask<{ cents: bigint }>(
      'ai_spend',
      "select sum(billed_cents)::bigint as cents from file where source_kind = 'card'",
    );
    expect(textOf(page)).toContain(`${dollars(cards?.cents ?? 0n)} was charged to cards`);
  });
});

it('no page of money is shown without a session, or for an unknown snapshot', async () => {
  const browser = await company.signedIn();
  const { send } = browser;
  for (const path of ['/initiatives', '/initiatives/101', '/budgets', '/ai-spend']) {
    expect((await send(`${path}?snapshot=20200101T000000Z`)).status).toBe(404);
    expect((await send(`${path}?window=all&x=1`)).status).toBe(400);
    const page = await send(path);
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(withoutOwnScript(await page.text())).not.toMatch(/<script|<style|\bstyle=|\bon\w+=/);
  }
  browser.setCookie('');
  for (const path of ['/initiatives', '/initiatives/101', '/budgets', '/ai-spend']) {
    const answer = await send(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `${path.includes('101') ? '../' : './'}?to=${encodeURIComponent(path.slice(1))}`,
    ]);
  }
});
