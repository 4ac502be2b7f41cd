/** Random ledgers: months and windows from the stored sums equal those from the rows of a snapshot without the sums. */
import { integer, sample } from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, firstOfMonth, lastOfMonth } from '../../../src/figures/calendar.ts';
import { TRAILING_WINDOWS, trailingWindow, type TrailingKey } from '../../../src/figures/trailing.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { createRowLimit } from '../../../src/serve/limits/row-limit.ts';
import { createFrozenRoi, readFrozenFigures } from '../../../src/serve/live/snapshot-roi.ts';
import { fiscalMoment, snapshotFiles } from '../../../src/serve/live/snapshot-files.ts';
import { createMonths } from '../../../src/serve/money/months.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { SUMS_SET } from '../../../src/tables/sums.ts';
import { DAY, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, change, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { foundAccount } from '../../support/ledger-rows.ts';
import { asOf } from '../live/as-of-walk.ts';
import { type Ask, figuresApp } from '../live/figures-app.ts';

const TODAY = '2026-07-15';
/** Each initiative is a random ledger of its own, and all of them are that of the portfolio. */
const INITIATIVES = 25;
const ENTRIES = 40;

/** Days beside each cut, at the ends of its month, and now and then. */
const CUTS = Object.keys(TRAILING_WINDOWS).flatMap((key) => {
  const { from } = trailingWindow(key as TrailingKey, TODAY, null);
  return from ?? addDays(TODAY, 1);
});
const DAYS = [
  ...CUTS.flatMap((cut) => [addDays(cut, -1), cut, addDays(cut, 1), firstOfMonth(cut), lastOfMonth(cut)]),
  '2020-02-29',
  '2024-02-29',
  '2026-06-30',
  '2026-08-01',
  '2031-01-01',
];
const VALUES = [
  'cost_savings',
  'revenue_gain',
  'capacity',
  'capacity',
  'capacity_realized',
  'capacity_realized',
];

const WINDOWS = [
  ...Object.keys(TRAILING_WINDOWS).map((key) => `window=${key}`),
  'window=fy2026',
  'window=fy2027-q2',
  'from=2025-07&through=2025-07',
  'from=2026-07',
  'through=2021-07',
];

let harness: BuildHarness;
let checks: SetChecks;
let owner: Client;
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness('template_ledger'), readChecksBeside([SUMS_SET])]);
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness?.close());

const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`);

async function randomLedger(seed: number) {
  const { account, initiative } = await foundAccount(owner, { reporting_enabled_at: '2026-01-01Z' });
  const drawn = sample(integer({ min: 0, max: 999_999 }), { seed, numRuns: INITIATIVES * ENTRIES * 2 });
  const at = (index: number): number => drawn[index] ?? 0;
  const entries = Array.from({ length: INITIATIVES * ENTRIES }, (_, index) => {
    const [one, other] = [at(2 * index), at(2 * index + 1)];
    const day = one % 9 === 0 ? null : (DAYS[one % DAYS.length] ?? null);
    return {
      of: index % INITIATIVES,
      day,
      cents: (other % 2_000) - 300,
      other,
      currency: other % 7 === 0 ? 'XAF' : 'USD',
    };
  });
  const [values, costs] = [
    entries.filter(({ other }) => other % 2 === 0),
    entries.filter(({ other }) => other % 2 === 1),
  ];
  const usd = (each: (typeof entries)[number]) => (each.currency === 'USD' ? String(each.cents) : 'null');
  await change(
    owner,
    `insert into ledger.initiatives (account_id, title, stage) select ${account}, 'I' || n, 'live' from generate_series(2, ${INITIATIVES}) n;
     insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, usd_amount_cents, cost_category, period_start, source_type)
     values ${costs.map((each) => `(${account}, ${initiative} + ${each.of}, ${each.cents}, '${each.currency}', ${usd(each)}, '${each.other % 3 === 0 ? 'capex' : 'opex'}', ${text(each.day)}, 'manual')`).join(', ')};
     insert into ledger.value_entries (account_id, initiative_id, amount_cents, currency, usd_amount_cents, entry_type, period_start, source_type, status)
     values ${values.map((each) => `(${account}, ${initiative} + ${each.of}, ${Math.abs(each.cents)}, '${each.currency}', ${each.currency === 'USD' ? Math.abs(each.cents) : 'null'}, '${VALUES[each.other % VALUES.length]}', ${text(each.day)}, 'manual', 'approved')`).join(', ')}`,
    account,
  );
  return { account, initiative };
}

interface Built {
  readonly ask: Ask;
  readonly reader: SnapshotReader;
  readonly opened: string[];
}

async function built(account_id: bigint, checksBeside: SetChecks | undefined): Promise<Built> {
  const store = memoryStore(new Map());
  await harness.build({ account_id, store, checksBeside });
  const opened: string[] = [];
  const reader = readerAt(store, () => AT + DAY);
  const openRows: SnapshotReader['openRows'] = (account, id, table) => {
    opened.push(table.name);
    return reader.openRows(account, id, table);
  };
  const snapshots = { ...reader, openRows };
  return { ask: figuresApp(harness.database, account_id, TODAY, { snapshots }), reader: snapshots, opened };
}

/** How many answers were compared. */
async function sameFigures(seed: number): Promise<number> {
  const { account, initiative } = await randomLedger(seed);
  const [stored, rows] = [await built(account, checks), await built(account, undefined)];
  const ids = Array.from({ length: INITIATIVES }, (_, index) => initiative + BigInt(index));
  for (const window of WINDOWS) {
    for (const path of [`/roi?${window}`, ...ids.map((id) => `/roi?${window}&initiative_id=${id}`)]) {
      const [one, other] = [await stored.ask(asOf(path)), await rows.ask(asOf(path))];
      expect([path, one.status, one.text]).toEqual([path, 200, other.text]);
    }
  }
  const [months, others] = [await monthsOf(stored, account), await monthsOf(rows, account)];
  expect(months.span(TODAY)).toEqual(others.span(TODAY));
  for (const span of [
    { first: '2020-01-01', last: '2026-07-01' },
    months.span(TODAY) ?? { first: '', last: '' },
  ]) {
    expect(months.portfolio(span)).toEqual(others.portfolio(span));
    const [own, other] = [await months.initiatives(ids, span), await others.initiatives(ids, span)];
    for (const id of ids) expect(own(id)).toEqual(other(id));
  }
  for (const key of Object.keys(TRAILING_WINDOWS) as TrailingKey[]) {
    const [one, other] = [await comparedOf(stored, account, key), await comparedOf(rows, account, key)];
    expect([one.window, one.leaves_out]).toEqual([other.window, other.leaves_out]);
    for (const id of ids) expect(one.of(id)).toEqual(other.of(id));
  }
  expect(stored.opened.filter((name) => ['costs', 'reported_value'].includes(name))).toEqual([]);
  expect(rows.opened).toContain('costs');
  return WINDOWS.length * (1 + ids.length);
}

async function newest({ reader }: Built, account_id: bigint) {
  const snapshot = await reader.latest(account_id);
  if (snapshot === null) throw new Error('the snapshot is published');
  return snapshot;
}

async function monthsOf(of: Built, account_id: bigint) {
  return await createMonths(of.reader, createRowLimit())(account_id, await newest(of, account_id));
}

async function comparedOf(of: Built, account_id: bigint, key: TrailingKey) {
  const files = snapshotFiles(of.reader, account_id, await newest(of, account_id));
  const question = { window: { kind: 'trailing', key } as const, moment: await fiscalMoment(files) };
  return await readFrozenFigures(createFrozenRoi(), files, question);
}

describe('figures from the stored sums of 25 random ledgers', () => {
  it('are those from the rows', async () => {
    expect(await sameFigures(1)).toBe(9 * 26);
  });
  it.each([2, 3, 4, 5, 6, 7, 8])('are those from the rows, seed %s', async (seed) => {
    expect(await sameFigures(seed)).toBe(9 * 26);
  });
});
