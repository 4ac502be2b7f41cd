/** The page of what moved, over two builds of a real ledger: every figure is that of the diff and of reported_totals. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Change } from '../../../src/diff/change.ts';
import { changesOf, type Diffs } from '../../../src/diff/diff-cache.ts';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import { readMoves } from '../../../src/serve/rows/moves.ts';
import { readPortfolio } from '../../../src/serve/rows/window-totals.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { reported_totals } from '../../../src/tables/reported_totals.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { readAll } from '../../store/contract.ts';
import { textOf as text } from '../money/served-company.ts';
import { withNames } from '../named-in.ts';
import { ACCOUNT, type MovedLedger, openMovedLedger, signedInTo } from './moved-ledger.ts';

let company: MovedLedger;
let reader: SnapshotReader;
let diffs: Diffs;
let from = '';
let to = '';
beforeAll(async () => {
  company = await openMovedLedger();
  ({ reader, diffs, from, to } = company);
});
afterAll(() => company?.close());

const signedIn = (snapshots: SnapshotReader = reader, of: Diffs = diffs) => signedInTo(snapshots, of);

/** The rows of a table of the page, cell by cell. */
function tableIn(page: string, name: string): readonly (readonly string[])[] {
  const [, table = ''] = page.split(`<table class="${name}">`);
  const [, body = ''] = (table.split('</table>')[0] ?? '').split('</thead>');
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) => [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => text(cell)));
}

function dollars(cents: bigint, signed = false): string {
  const size = cents < 0n ? -cents : cents;
  const units = String(size / 100n).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0n ? '−' : signed && cents > 0n ? '+' : ''}$${units}.${String(size % 100n).padStart(2, '0')}`;
}

async function changes(earlier: string, later: string, table: string): Promise<readonly Change[]> {
  const [first, second] = await Promise.all([earlier, later].map((id) => reader.pinned(ACCOUNT, id)));
  if (!first || !second) throw new Error('both snapshots are published');
  return await diffs.use(ACCOUNT, first, second, (diff) => Array.fromAsync(changesOf(diff, table)));
}

/** The portfolio's totals of a snapshot by window, as DuckDB reads them. */
async function totals(id: string) {
  const bytes = await readAll(await reader.openTable(ACCOUNT, id, 'reported_totals'));
  const rows = await askDuckDb(bytes, "from file where scope = 'portfolio'");
  const figures = rows as Record<string, bigint>[]; // only its sums of cents are read
  return new Map(figures.map((row, index) => [rows[index]?.['window_key'], row]));
}

describe.each([{ backwards: false }, { backwards: true }])(
  'the page of what moved, backwards $backwards',
  ({ backwards }) => {
    it('has a waterfall of each window with the figures of the diff, between the totals of both snapshots', async () => {
      const [first, last] = backwards ? [to, from] : [from, to];
      const browser = await signedIn();
      const [before, after] = [await totals(first), await totals(last)];
      const portfolio = (await changes(first, last, 'reported_totals')).filter(
        ({ key }) => key['scope'] === 'portfolio',
      );
      const windows = portfolio
        .filter(({ moved }) => moved.length > 0)
        .map(({ key }) => String(key['window_key']));
      expect(windows.toSorted()).toEqual(['all', 'fy2026', 'fy2026-q1', 'fy2026-q2', 'fy2026-q3']);
      for (const window of windows) {
        const page = await browser.page(`/snapshots/${last}/changes?from=${first}&window=${window}`);
        const [start, ...steps] = tableIn(page, 'fall');
        const end = steps.pop();
        for (const [row, side] of [
          [start, before],
          [end, after],
        ] as const) {
          const total = side.get(window);
          const figures = ['net_value_cents', 'cost_cents', 'cash_value_cents'].map((name) =>
            dollars(total?.[name] ?? 0n),
          );
          expect([window, row?.slice(2)]).toEqual([window, figures]);
        }
        const moved = portfolio.find(({ key }) => key['window_key'] === window)?.moved ?? [];
        const parts = (figure: string) => moved.find((move) => move.figure === figure)?.because ?? [];
        const expected = [
          ...parts('cash_value_cents').map(({ cents }) => [
            dollars(BigInt(cents), true),
            '·',
            dollars(BigInt(cents), true),
          ]),
          ...parts('cost_cents').map(({ cents }) => [
            dollars(BigInt(-cents), true),
            dollars(BigInt(cents), true),
            '·',
          ]),
        ];
        expect(steps.map((row) => row.slice(2).join(' ')).toSorted()).toEqual(
          expected.map((row) => row.join(' ')).toSorted(),
        );
      }
    });
  },
);

describe('the initiatives of a step', () => {
  it('add to it what the diff says of their own totals, in every window', async () => {
    const changed = await changes(from, to, 'reported_totals');
    const [first, second] = await Promise.all([from, to].map((id) => reader.pinned(ACCOUNT, id)));
    if (!first || !second) throw new Error('both snapshots are published');
    const { by_initiative } = await diffs.use(ACCOUNT, first, second, readMoves);
    const after = await readPortfolio(await reader.openRows(ACCOUNT, to, reported_totals));
    const of = (scope: string) => changed.filter(({ key }) => key['scope'] === scope);
    let compared = 0;
    for (const { key, moved } of of('portfolio')) {
      const window = after.get(String(key['window_key']));
      if (window === undefined) throw new Error(`${String(key['window_key'])} is not in the later snapshot`);
      for (const [figure, kind, sign] of [
        ['cash_value_cents', 'value', 1],
        ['cost_cents', 'cost', -1],
      ] as const) {
        for (const { reason } of moved.find((move) => move.figure === figure)?.because ?? []) {
          const expected = of('initiative')
            .filter((own) => own.key['window_key'] === key['window_key'])
            .map((own) => {
              const parts = own.moved.find((move) => move.figure === figure)?.because ?? [];
              const cents = parts.find((part) => part.reason === reason)?.cents ?? 0;
              return [Number(own.key['initiative_id']), cents * sign] as const;
            })
            .filter(([, cents]) => cents !== 0);
          const found = by_initiative.parts(kind, reason, window);
          expect(found.map(({ initiative_id, net }) => [Number(initiative_id), Number(net)])).toEqual(
            expected.toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a)),
          );
          compared += expected.length;
        }
      }
    }
    expect(compared).toBeGreaterThan(10);
  });

  it('are named with their amounts and linked, at most three', async () => {
    const page = await (await signedIn()).page(`/snapshots/${to}/changes`);
    const [, recorded = ''] = page.split('2 costs recorded</a></span');
    const named = recorded.slice(0, recorded.indexOf('</th>'));
    expect(text(`<a${named}`)).toBe('Invoices −$1,250.00 , Invoices −$0.01');
    expect(named).toMatch(new RegExp(`<a href="../../initiatives/\\d+\\?snapshot=${to}">`));
  });
});

describe('the windows that moved', () => {
  it('stand in one table, each figure after and its change beneath, and lead to their waterfalls', async () => {
    const page = await (await signedIn()).page(`/snapshots/${to}/changes`);
    // FY2026: $340.00 ÷ $160.00 = 212.5 % before, $467.49 ÷ $1,412.51 = 33.1 % after: −179.4 points.
    const year = ['$1,412.51 +$1,252.51', '$1,880.00 +$1,380.00', '$467.49 +$127.49', '33.1 % −179.4 points'];
    expect(tableIn(page, 'moved months')).toEqual([
      ['FY2026', ...year],
      // July: $129.99 ÷ $1,250.01 = 10.4 %; nothing before.
      ['FY2026 Q3', '$1,250.01 +$1,250.01', '$1,380.00 +$1,380.00', '$129.99 +$129.99', '10.4 %'],
      // May: the cost of $60.00 was deleted.
      ['FY2026 Q2', '$0.00 −$60.00', '$0.00 no change', '$0.00 +$60.00', 'none'],
      // March: $400.00 ÷ $100.00 = 400 % before, $337.50 ÷ $162.50 = 207.7 % after: −192.3 points.
      ['FY2026 Q1', '$162.50 +$62.50', '$500.00 no change', '$337.50 −$62.50', '207.7 % −192.3 points'],
      ['All time', ...year],
    ]);
    // Every window of the later snapshot moved.
    expect(text(page)).not.toContain('did not move.');
    expect(page).toContain(`href="../../snapshots/${to}/changes?from=${from}&amp;window=fy2026-q3"`);
  });
});

describe('the page of what moved', () => {
  it('opens with the running fiscal year, and says each reason with its entries', async () => {
    const page = await (await signedIn()).page(`/snapshots/${to}/changes`);
    expect(page).toContain(
      `<a href="../../snapshots/${to}/changes?from=${from}&amp;window=fy2026" aria-current="true"`,
    );
    const rows = tableIn(page, 'fall');
    // $500.00 − $160.00 before; +$1,380.00; −$1,250.01, −$62.50 and +$60.00: $1,880.00 − $1,412.51 after.
    expect(rows.map(([reason, , ...figures]) => [reason?.replace(/ 2026-.*$/, ''), ...figures])).toEqual([
      ['Before', '$340.00', '$160.00', '$500.00'],
      ['1 value approved Invoices +$1,380.00', '+$1,380.00', '·', '+$1,380.00'],
      ['2 costs recorded Invoices −$1,250.00 , Invoices −$0.01', '−$1,250.01', '+$1,250.01', '·'],
      ['1 cost edited Invoices −$62.50', '−$62.50', '+$62.50', '·'],
      ['1 cost deleted Invoices +$60.00', '+$60.00', '−$60.00', '·'],
      ['After', '$467.49', '$1,412.51', '$1,880.00'],
    ]);
    expect(text(page)).toContain(
      'Net value of FY2026 rose by $127.49 : cost rose by $1,252.51 , cash value rose by $1,380.00 .',
    );
    expect(page).not.toContain('style="');
  });

  it('shows the old and the new cell of each entry, by reason, with its effect and a link to its row', async () => {
    const page = await (await signedIn()).page(`/snapshots/${to}/changes`);
    const rows = tableIn(page, 'pairs').map((row) => row.map((cell) => cell.replaceAll(/\d{3,}$/g, '#')));
    const groups = rows.filter((row) => row.length === 2);
    expect(groups).toEqual([
      ['1 value approved', '+$1,380.00'],
      ['2 costs recorded', '−$1,250.01'],
      ['1 cost edited', '−$62.50'],
      ['1 cost deleted', '+$60.00'],
    ]);
    // A listed value is shown in words.
    expect(text(page)).toContain('Invoices cost savings, Jul 2026');
    const cells = tableIn(page, 'pairs')
      .filter((row) => row.length === 4)
      .map(([, , pairs, effect]) => [pairs, effect]);
    expect(cells.slice(1)).toEqual([
      ['Dollars before not there after $1,250.00', '−$1,250.00'],
      ['Dollars before not there after $0.01', '−$0.01'],
      ['Amount before $100.00 after $162.50 Dollars before $100.00 after $162.50', '−$62.50'],
      ['Dollars before $60.00 after no longer there', '+$60.00'],
    ]);
    expect(page).toContain(`href="../../snapshots/${to}/tables/costs?cost_entry_id=`);
    expect(page).toContain(`href="../../snapshots/${from}/tables/costs?cost_entry_id=`);
  });

  it('is found by two pickers, which lead to the address of the comparison', async () => {
    const browser = await signedIn();
    const led = async (address: string) => (await browser.send(address)).headers.get('location');
    expect(await led(`/changes?from=${to}&to=${from}`)).toBe(`snapshots/${from}/changes?from=${to}`);
    expect(await led('/changes')).toBe(`snapshots/${to}/changes`);
    expect(await led('/changes?from=1&from=2')).toBeNull();
    const page = await browser.page(`/snapshots/${from}/changes?from=${to}`);
    expect(page.match(/<option value="\d{8}T\d{6}Z" selected/g)).toEqual([
      `<option value="${to}" selected`,
      `<option value="${from}" selected`,
    ]);
  });

  it('of the same snapshots again reads no file again', async () => {
    using opened = vi.spyOn(reader, 'openRows');
    const browser = await signedIn();
    const first = await browser.page(`/snapshots/${to}/changes`);
    opened.mockClear();
    expect(await browser.page(`/snapshots/${to}/changes`)).toBe(first);
    expect(opened).not.toHaveBeenCalled();
  });

  it('of one snapshot with itself says that nothing moved, and a wrong page or snapshot is refused', async () => {
    const browser = await signedIn();
    const page = await browser.page(`/snapshots/${to}/changes?from=${to}`);
    expect(page).toContain('No cost and no cash value of the portfolio moved.');
    expect((await browser.send(`/snapshots/${to}/changes?from=20200101T000000Z`)).status).toBe(404);
    expect((await browser.send(`/snapshots/${to}/changes?page=0`)).status).toBe(400);
  });
});

function grown(snapshot: ReadableSnapshot | null): ReadableSnapshot | null {
  return (
    snapshot && { ...snapshot, tables: snapshot.tables.map((table) => ({ ...table, row_count: 100_000 })) }
  );
}

/** The same snapshots, said to have many rows. */
function large(): SnapshotReader {
  return withNames({
    ...reader,
    pinned: async (account, id) => grown(await reader.pinned(account, id)),
    list: async (account) => (await reader.list(account)).flatMap((each) => grown(each) ?? []),
  } satisfies SnapshotReader);
}

describe('a first comparison of large snapshots', () => {
  it('shows progress at once, then the result, and the error of a comparison that failed', async () => {
    const gate = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    let fails = false;
    const slow: Diffs = {
      ...diffs,
      use: async (...call) => {
        await gate.promise;
        if (fails) throw new Error('the disk is full');
        return await diffs.use(...call).finally(() => ended.resolve());
      },
    };
    const browser = await signedIn(large(), slow);
    const first = await browser.send(`/snapshots/${to}/changes`);
    expect([first.status, first.headers.get('refresh')]).toEqual([200, '2']);
    expect(text(await first.text())).toContain(
      `Comparing 1,400,000 rows of ${from} with 1,400,000 rows of ${to}.`,
    );
    gate.resolve();
    await ended.promise;
    await expect.poll(async () => await browser.page(`/snapshots/${to}/changes`)).toContain('<caption>');
    fails = true;
    expect(await browser.page(`/snapshots/${from}/changes?from=${to}`)).toContain('Comparing');
    await expect
      .poll(async () => (await browser.send(`/snapshots/${from}/changes?from=${to}`)).status)
      .toBe(500);
  });
});
