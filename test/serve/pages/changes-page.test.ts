/** The page of changes over a real ledger: many initiatives of which each got one cost between two snapshots. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Change } from '../../../src/diff/change.ts';
import type { SnapshotDiff } from '../../../src/diff/diff-cache.ts';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import { changesBody, readChanges } from '../../../src/serve/pages/changes-page.ts';
import { oneBefore } from '../../../src/serve/pages/snapshot-page.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { DAY, readerAt } from '../../snapshot/builder/build-harness.ts';
import { addCost, addInitiative, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { openBrowser } from './browser.ts';

/** The accounts of these tokens, and how many initiatives each has. */
const ACCOUNTS = [
  { account: 7n, token: TOKENS.personal, initiatives: 40 },
  { account: 8n, token: TOKENS.other, initiatives: 101 },
] as const;
const JULY = { amount_cents: 1_000, period_start: '2026-07-01', period_end: '2026-07-31' };

let harness: BuildHarness;
let diffs: Awaited<ReturnType<typeof openDiffs>>;
const newest = new Map<bigint, string>();

beforeAll(async () => {
  harness = await openBuildHarness('template_ledger');
  const owner = await harness.database.client('cf_owner');
  await owner.query('alter sequence ledger.accounts_id_seq restart with 7');
  for (const { account, initiatives } of ACCOUNTS) {
    const founded = await foundAccount(owner, { reporting_enabled_at: '2026-01-01Z' });
    if (founded.account !== account) throw new Error(`founded as account ${founded.account}`);
    const ids = [founded.initiative];
    while (ids.length < initiatives) ids.push(await addInitiative(owner, account));
    await harness.build({ account_id: account, at: AT - DAY, night: '2026-07-14' });
    await inAccount(owner, account, async () => {
      for (const initiative of ids) await addCost(owner, { ...founded, initiative }, JULY);
    });
    newest.set(account, (await harness.build({ account_id: account })).snapshot_id);
  }
  diffs = await openDiffs({ snapshots: readerAt(harness.store, () => AT), root: `${harness.root}/diffs` });
});
afterAll(async () => {
  await diffs?.close();
  await harness?.close();
});

/** The page's second half: the totals of the portfolio, its windows in order. */
async function totalsOf({ account, token }: (typeof ACCOUNTS)[number]): Promise<string> {
  const browser = openBrowser(fakeApp({ snapshots: readerAt(harness.store, () => AT), diffs }).app);
  await browser.signIn(token);
  const page = await browser.page(`/snapshots/${newest.get(account)}/changes`);
  return (page.split('id="totals"')[1] ?? '').replaceAll('\u{2060}', '');
}

describe.each([
  // One new cost of $10.00 for each initiative: 40 × 10, and 101 × 10.
  { ...ACCOUNTS[0], moved: '+$400.00', entries: '40' },
  { ...ACCOUNTS[1], moved: '+$1,010.00', entries: '101' },
])('the totals of a portfolio of $initiatives initiatives', ({ moved, entries, ...account }) => {
  it('show the cost that moved, behind every row of an initiative', async () => {
    const totals = await totalsOf(account);
    expect(totals).not.toContain('No total of the portfolio moved.');
    const [, all = ''] = totals.split('<details');
    const [, cost = ''] = all.split('<th scope="row">cost</th>');
    const [row = ''] = cost.split('</tr>');
    expect(row.replaceAll(/\s+/g, ' ')).toContain(`data-column="Moved by"> ${moved} </td>`);
    expect(row.replaceAll(/\s+/g, ' ')).toContain(
      `${moved} by ${entries} entries: The cost was recorded since the earlier snapshot.`,
    );
  });

  it('name every window that holds July 2026, as people write it', async () => {
    const totals = await totalsOf(account);
    const windows = [...totals.matchAll(/<summary>(.+?) <span>/g)].map(([, window]) => window);
    // Fiscal years begin in January: July is in the third quarter. In the order of their keys.
    expect(windows).toEqual(['All time', 'FY2026', 'FY2026 Q3']);
  });
});

const listed = (...ids: readonly string[]) => ids.map((snapshot_id) => ({ snapshot_id }) as ReadableSnapshot);

it('a snapshot, listed or not, is compared with the next older readable snapshot', () => {
  const all = listed('20260817T020000Z', '20260816T020000Z', '20260815T020000Z');
  expect(all.map(({ snapshot_id }) => oneBefore(snapshot_id, all)?.snapshot_id)).toEqual([
    '20260816T020000Z',
    '20260815T020000Z',
    undefined,
  ]);
  const others = listed('20260817T020000Z', '20260815T020000Z');
  expect(oneBefore('20260816T020000Z', others)?.snapshot_id).toBe('20260815T020000Z');
});

const MOVE: Change['moved'][number] = {
  figure: 'cost_cents',
  before_cents: 0,
  after_cents: 1,
  because: [],
};

/** A changed total, moved or of another count of entries alone. */
const total = (scope: string, index: number, moves: boolean): Change =>
  ({
    key: { scope, initiative_id: index + 1, window_key: `fy${2000 + index}` },
    moved: moves ? [MOVE] : [],
  }) as never;

it.each([
  ...[0, 1, 2, 3, 4, 5, 6, 7, 240].map((initiatives) => ({ initiatives, moved: [0, 109] })),
  { initiatives: 7, moved: [109] },
])(
  'the page reads the windows $moved of a portfolio after $initiatives rows of initiatives, and none of those rows',
  async ({ initiatives, moved }) => {
    // More windows than one read takes.
    const rows = [
      ...Array.from({ length: initiatives }, (_, index) => total('initiative', index, true)),
      ...Array.from({ length: 110 }, (_, index) => total('portfolio', index, moved.includes(index))),
    ];
    const third = Math.floor(rows.length / 3);
    const diff: SnapshotDiff = {
      tables: [{ name: 'reported_totals', added: third, removed: third, changed: rows.length - 2 * third }],
      page: async (first, limit) => {
        const end = Math.min(first + limit, rows.length);
        return { changes: rows.slice(first, end), next: end < rows.length ? end : null };
      },
    };
    const { totals } = await readChanges(diff);
    expect(totals.map(({ key }) => [key['scope'], key['window_key']])).toEqual(
      moved.map((index) => ['portfolio', `fy${2000 + index}`]),
    );
  },
);

const window = (window_key: string, ...moves: Change['moved']): Change =>
  ({ key: { scope: 'portfolio', window_key }, moved: moves }) as never;

const shown = async (tables: SnapshotDiff['tables'], totals: readonly Change[]): Promise<string> => {
  const page = String(await changesBody({ from: 'FIRST', to: 'SECOND', tables, totals }));
  return page
    .replaceAll('\u{2060}', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/> | </g, (edge) => edge.trim());
};

const cells = (row: string): string[] =>
  [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell ?? '');

const rowsOf = (page: string): string[][] =>
  [...page.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, each]) => cells(each ?? ''));

const link = (table: string): string => `<a href="../../tables/${table}">${table}</a>`;

describe('the page of what changed', () => {
  const NET = { ...MOVE, figure: 'net_value_cents', before_cents: 50_000, after_cents: 20_075 };
  const OPEX: Change['moved'][number] = {
    ...MOVE,
    figure: 'planned_opex_to_date_cents',
    before_cents: -1_005,
    after_cents: 100_000,
    because: [
      { reason: 'entry_added', cents: 101_006, entries: 1_200 },
      { reason: 'entry_deleted', cents: -1, entries: 1 },
      { reason: 'plan_moved', cents: 0, entries: 0 },
    ],
  };

  it('counts rows of each table that has changed ones, each under its heading', async () => {
    const page = await shown(
      [
        { name: 'costs', added: 1_001, removed: 2, changed: 3 },
        { name: 'budgets', added: 0, removed: 0, changed: 0 },
        { name: 'initiatives', added: 0, removed: 4, changed: 0 },
        { name: 'ai_spend', added: 0, removed: 0, changed: 5 },
      ],
      [],
    );
    expect(rowsOf(page)).toEqual([
      ['Table', 'Added', 'Removed', 'Changed'],
      [link('costs'), '1,001', '2', '3'],
      [link('initiatives'), '0', '4', '0'],
      [link('ai_spend'), '0', '0', '5'],
    ]);
    expect(page).toContain('From<a href="../FIRST">FIRST</a>to<a href="../SECOND">SECOND</a>');
    expect(page).toContain('<p>No total of the portfolio moved.</p>');
  });

  it('says of each window what its net value did, and opens the first alone', async () => {
    const page = await shown([], [window('all', NET, OPEX), window('fy2026-q3', OPEX)]);
    expect(page).toContain('<p>No row of any table differs.</p>');
    expect(page).not.toContain('No total of the portfolio moved.');
    expect(
      [...page.matchAll(/<details ?(.*?)><summary>(.*?)<\/summary>/g)].map(([, ...found]) => found),
    ).toEqual([
      ['open', 'All time<span>net value −$299.25</span>'],
      ['', 'FY2026 Q3<span>net value unchanged</span>'],
    ]);
  });

  it('shows each figure before and after, the move with its sign, and every reason', async () => {
    const page = await shown([], [window('all', NET, OPEX)]);
    const [heads, net, opex] = rowsOf(page);
    expect(heads).toEqual(['Figure', 'Before', 'After', 'Moved by', 'Because']);
    expect(net).toEqual(['net value', '$500.00', '<strong>$200.75</strong>', '−$299.25', '<ul></ul>']);
    expect(opex?.slice(0, 4)).toEqual([
      'planned opex to date',
      '−$10.05',
      '<strong>$1,000.00</strong>',
      '+$1,010.05',
    ]);
    expect([...(opex?.[4] ?? '').matchAll(/<li>(.*?):/g)].map(([, part]) => part)).toEqual([
      '+$1,010.06 by 1,200 entries',
      '−$0.01 by 1 entry',
      '$0.00 by 0 entries',
    ]);
    expect(opex?.[4]).toContain('by 1,200 entries: The cost was recorded since the earlier snapshot.');
  });
});
