/**
 * The live figures against a snapshot of the same ledger, no writer being open and the day being the snapshot's: of the
 * company, and of generated accounts whose seeds stand in the names of the tests.
 */
import { bigInt, sample } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedAccount } from '../../../tools/seed/seed-account.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import {
  AT,
  type BuildHarness,
  type Served,
  fileOf,
  openBuildHarness,
} from '../../snapshot/builder/real-build.ts';
import {
  type Entries,
  countFigures,
  countWindows,
  readEntries,
  readFiscalYearStart,
} from './counted-figures.ts';
import { type Ask, figuresApp, walk } from './figures-app.ts';
import { filedCosts, filedValue } from './filed-entries.ts';
import { itInSweeps, describeInSweeps } from '../../support/sweeps.ts';

const TODAY = '2026-07-15';
/** Worked by hand: the day after 15 July so many years before. */
const TRAILING = [
  ['1yr', 'Last 12 months', '2025-07-16'],
  ['3yr', 'Last 3 years', '2023-07-16'],
  ['5yr', 'Last 5 years', '2021-07-16'],
] as const;
const SIZE = { rows: 150, initiatives: 20, years: 3, inputs: 0 };

let harness: BuildHarness;
beforeAll(async () => {
  harness = await openBuildHarness();
});
afterAll(() => harness.close());

const generated = sample(bigInt({ min: 1n, max: 1_000_000n }), 2).map((seed) => ({
  name: `an account generated from seed ${seed}`,
  found: async () => {
    const owner = await harness.database.client('cf_owner');
    return seedAccount(owner, { ...SIZE, seed }, () => undefined);
  },
}));

describe('the company', () => {
  figuresEqualFiles(async () => 1n);
});
describeInSweeps.each(generated)('$name', ({ found }) => {
  figuresEqualFiles(found);
});

function figuresEqualFiles(found: () => Promise<bigint>): void {
  let ask: Ask;
  let served: Served | null;
  let entries: Entries;
  /** The portfolio, and every initiative that is no sample. */
  let scopes: readonly (bigint | null)[];
  beforeAll(async () => {
    const account_id = await found();
    await harness.build({ account_id, at: AT });
    served = await harness.served(account_id);
    entries = await readEntries(served);
    const initiatives = await askDuckDb(
      fileOf(served, 'initiatives'),
      'select initiative_id as id from file',
    );
    scopes = [null, ...initiatives.map(({ id }) => idOf(id))];
    ask = figuresApp(harness.database, account_id, TODAY);
  });

  async function roi(scope: bigint | null, window: string): Promise<Record<string, unknown>> {
    const of = scope === null ? '' : `&initiative_id=${scope}`;
    const { status, body } = await ask(`/roi?window=${window}${of}`);
    expect(status).toBe(200);
    return body;
  }

  itInSweeps('/roi of every window and scope has the amounts of reported_totals', async () => {
    const rows = await askDuckDb(
      fileOf(served, 'reported_totals'),
      'select * replace (from_date::varchar as from_date, through_date::varchar as through_date) from file',
    );
    expect(rows.filter((row) => row['window_key'] === 'all')).toHaveLength(scopes.length);
    const fiscal = await readFiscalYearStart(served);
    const expected = scopes.map((scope) => countWindows(entries, scope, { today: TODAY, fiscal }));
    const filed = scopes.map((scope) => rows.filter((row) => row['initiative_id'] === scope).length);
    expect(filed).toEqual(expected);
    expect(rows).toHaveLength(expected.reduce((sum, count) => sum + count, 0));
    for (const row of rows) {
      const scope = row['initiative_id'] === null ? null : idOf(row['initiative_id']);
      const body = await roi(scope, textOf(row['window_key']));
      expect(body).toMatchObject({
        cash_value_cents: Number(row['cash_value_cents']),
        freed_capacity_cents: Number(row['freed_capacity_cents']),
        total_cost_cents: Number(row['cost_cents']),
        net_value_cents: Number(row['net_value_cents']),
        // The table is silent where /roi is not: on initiatives' halves of cost, and where cash value is 0.
        ...(row['roi'] === null ? {} : { roi: row['roi'] }),
        ...(row['capex_cents'] === null
          ? {}
          : { cost: { capex_cents: Number(row['capex_cents']), opex_cents: Number(row['opex_cents']) } }),
      });
      expect(body['period']).toEqual({
        window: row['window_key'],
        label: row['window_label'],
        ...(row['from_date'] === null ? {} : { from: row['from_date'] }),
        through: row['through_date'],
      });
    }
  });

  it('/roi for all time has the sums of the entries of the files', async () => {
    for (const scope of scopes) {
      const counted = countFigures(entries, { initiative_id: scope, from: null, through: TODAY });
      expect(await roi(scope, 'all')).toMatchObject(counted);
    }
  });

  it.each(TRAILING)('/roi of %s has the sums of those entries of the files', async (key, label, from) => {
    for (const scope of scopes) {
      const period = { window: key, label, from, through: TODAY };
      const counted = countFigures(entries, { initiative_id: scope, from, through: TODAY });
      expect(await roi(scope, key)).toMatchObject({ period, ...counted });
    }
  });

  it('/cost_entries has the rows of costs, locks and times of change included', async () => {
    const costs = (await walk(ask, '/cost_entries', 40)).toSorted(byId);
    const filed = await filedCosts(served);
    expect(filed.length).toBeGreaterThan(20);
    expect(costs.map((row) => ({ ...row, cost_type: row['cost_type'] ?? 'other' }))).toMatchObject(filed);
  });

  it('approved /value_entries has the rows of reported_value, locks and times of change included', async () => {
    const filed = await filedValue(served);
    expect(filed.length).toBeGreaterThan(20);
    expect((await walk(ask, '/value_entries?status=approved', 40)).toSorted(byId)).toMatchObject(filed);
  });

  it('/budgets has the comparisons of budget_vs_actual on the day, and in effect no others', async () => {
    const rows = await askDuckDb(
      fileOf(served, 'budget_vs_actual'),
      `select * replace (as_of::varchar as as_of) from file where as_of = date '${TODAY}'`,
    );
    const compared = await walk(ask, '/budgets', 7);
    expect(compared).toHaveLength(scopes.length - 1);
    const shown = new Map(compared.map((row) => [row['initiative_id'], row]));
    for (const { snapshot_id: _, budget_id, ...row } of rows) {
      const body = shown.get(Number(idOf(row['initiative_id'])));
      const numbers = Object.entries(row).map(([name, cell]) => [
        name,
        typeof cell === 'bigint' ? Number(cell) : cell,
      ]);
      expect(body).toMatchObject({
        ...Object.fromEntries(numbers),
        current_version: { id: Number(budget_id) },
      });
    }
    expect(compared.filter((row) => isInEffect(row)).map(({ initiative_id }) => initiative_id)).toHaveLength(
      rows.length,
    );
    expect(rows.length).toBeGreaterThan(0);
  });
}

/** A budget that has begun and not ended: the last month of its current version is today's or a later one. */
function isInEffect({ current_version }: Record<string, unknown>): boolean {
  if (current_version === null) return false;
  const { ends_on } = current_version as { ends_on: string | null }; // of the contract's shape
  return ends_on === null || ends_on.slice(0, 7) >= TODAY.slice(0, 7);
}

/** Files are in the order of ids, lists in that of changes. */
function byId(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return Number(a['id']) - Number(b['id']);
}

/** A text as a file has it. */
function textOf(cell: unknown): string {
  if (typeof cell !== 'string') throw new Error(`${typeof cell} is no text`);
  return cell;
}

/** An id as a file has it. */
function idOf(cell: unknown): bigint {
  if (typeof cell !== 'bigint') throw new Error(`${typeof cell} is no id`);
  return cell;
}
