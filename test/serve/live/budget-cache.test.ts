/** /budgets while the ledger changes beside it: only what changed is compared anew. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Day } from '../../../src/figures/calendar.ts';
import { asAccount } from '../../../src/ledger/account-session.ts';
import {
  createComparisonCache,
  type KnownComparisons,
  listComparisons,
} from '../../../src/serve/live/budget-comparisons.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  addCost,
  addInitiative,
  type Founded,
  foundAccount,
  inAccount,
  insert,
} from '../../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let home: Founded;
let today: Day;
/** How many comparisons were worked out by each request that worked out any. */
let workedOut: number[];
const cache = createComparisonCache();

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
  await change(() => addCost(owner, home)); // 100.00 dollars
  await change(() => budget());
  today = '2026-07-15';
  workedOut = [];
});

/** An approved budget of 1,000.00 dollars from January 2026, set by the person of the account. */
const budget = (): Promise<bigint> =>
  insert(owner, 'ledger.budget_versions', {
    account_id: home.account,
    initiative_id: home.initiative,
    status: 'approved',
    source: 'manual',
    capex_cents: 100_000,
    opex_cents: 0,
    opex_cadence: 'monthly',
    currency: 'USD',
    effective_from: '2026-01-01',
    set_by_id: home.person,
    decided_at: '2026-01-01T00:00:00Z',
  });

const change = <Result>(run: () => Promise<Result>): Promise<Result> => inAccount(owner, home.account, run);
const changed = (text: string): Promise<unknown> => change(() => owner.query(text, [home.account]));

/** What is known before a request, and the number of comparisons that it adds. */
function counted({ known, keep }: KnownComparisons): KnownComparisons {
  return {
    known,
    keep: (next) => {
      const before = known?.seen === next.seen && known.today === next.today ? known.by_initiative.size : 0;
      workedOut.push(next.by_initiative.size - before);
      return keep(next);
    },
  };
}

/** The answer of /budgets: what each initiative may spend and has spent, and who set its budget. */
async function compared(initiative_id?: bigint): Promise<readonly unknown[]> {
  const pool = database.pool('cf_reader', 1);
  const known = counted(cache(home.account));
  const page = { account_id: home.account, horizon: 1n << 62n, after: null, rows: 10 };
  const filters = { initiative_id, include_sample: false };
  const rows = await asAccount(
    pool,
    { account_id: home.account, timeout_ms: 10_000, forFigures: true },
    (client) => listComparisons(client, page, filters, today, known),
  );
  return rows.map(({ comparison: each }) => [
    each.budget_to_date_cents,
    each.actual_to_date_cents,
    each.current_version?.set_by?.name,
  ]);
}

describe('/budgets', () => {
  it('is compared once while nothing of the account changes', async () => {
    const other = await foundAccount(owner);
    expect(await compared()).toEqual([[100_000n, 10_000n, 'Ada']]);
    await inAccount(owner, other.account, () => addCost(owner, other));
    expect(await compared()).toEqual([[100_000n, 10_000n, 'Ada']]);
    expect(workedOut).toEqual([1]);
  });

  it('compares only the initiatives that it has not compared', async () => {
    await change(() => addInitiative(owner, home.account));
    expect(await compared(home.initiative)).toHaveLength(1);
    expect(await compared()).toHaveLength(2);
    expect(await compared()).toHaveLength(2);
    expect(workedOut).toEqual([1, 1]);
  });

  it('follows each change of costs, of budgets, and of who set them', async () => {
    await compared();
    await change(() => addCost(owner, home, { amount_cents: 2_500 }));
    expect(await compared()).toEqual([[100_000n, 12_500n, 'Ada']]);
    const doubled = 'update ledger.budget_versions set capex_cents = 200000 where account_id = $1';
    await changed(doubled);
    expect(await compared()).toEqual([[200_000n, 12_500n, 'Ada']]);
    await owner.query("update ledger.users set name = 'Ada Lovelace' where id = $1", [home.person]);
    expect(await compared()).toEqual([[200_000n, 12_500n, 'Ada Lovelace']]);
    await changed('delete from ledger.budget_versions where account_id = $1');
    expect(await compared()).toEqual([[0n, 0n, undefined]]);
    await change(() => budget());
    expect(await compared()).toEqual([[100_000n, 12_500n, 'Ada Lovelace']]);
    await owner.query('truncate ledger.budget_versions cascade');
    expect(await compared()).toEqual([[0n, 0n, undefined]]);
    expect(workedOut).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('compares only the initiatives whose costs changed, and all of them after any other change', async () => {
    const other = await change(() => addInitiative(owner, home.account));
    await compared();
    const { known, keep } = cache(home.account);
    // Marked: a comparison that is made anew loses the mark.
    const marked = [...(known?.by_initiative ?? [])].map(
      ([id, each]) => [id, { ...each, actual_to_date_cents: 1n }] as const,
    );
    if (known !== undefined) await keep({ ...known, by_initiative: new Map(marked) });
    const spent = async () => (await compared()).map((row) => (row as readonly unknown[])[1]);
    expect(await spent()).toEqual([1n, 1n]);
    await change(() => addCost(owner, home, { amount_cents: 2_500 }));
    expect(await compared(other)).toEqual([[0n, 1n, undefined]]);
    expect(await spent()).toEqual([12_500n, 1n]);
    const move = 'update ledger.cost_entries set initiative_id = $1 where initiative_id = $2';
    await change(() => owner.query(move, [other, home.initiative]));
    expect(await spent()).toEqual([0n, 0n]);
    await changed('update ledger.budget_versions set capex_cents = 200000 where account_id = $1');
    expect((await compared()).map((row) => (row as readonly unknown[])[0])).toEqual([200_000n, 0n]);
  });

  it('follows the rates of the currency of a budget', async () => {
    const rate = (units_per_euro: string): Promise<unknown> =>
      owner.query(
        `insert into ledger.euro_reference_rates (currency, day, units_per_euro) values ('GBP', '2026-03-31', $1)
          on conflict (currency, day) do update set units_per_euro = excluded.units_per_euro`,
        [units_per_euro],
      );
    await owner.query(
      "insert into ledger.euro_reference_rates (currency, day, units_per_euro) values ('USD', '2026-03-31', 1)",
    );
    await rate('0.5');
    await changed("update ledger.budget_versions set currency = 'GBP' where account_id = $1");
    expect(await compared()).toEqual([[100_000n, 5_000n, 'Ada']]);
    await rate('0.25');
    expect(await compared()).toEqual([[100_000n, 2_500n, 'Ada']]);
  });

  it('misses no change that was made before it was asked and committed after', async () => {
    const writer = await database.client('cf_owner');
    await writer.query('begin');
    await writer.query("select set_config('app.account_id', $1, true)", [String(home.account)]);
    await addCost(writer, home, { amount_cents: 700 });
    await foundAccount(owner); // a later transaction that is committed earlier
    expect(await compared()).toEqual([[100_000n, 10_000n, 'Ada']]);
    expect(await compared()).toEqual([[100_000n, 10_000n, 'Ada']]);
    expect(workedOut).toEqual([1]);
    await writer.query('commit');
    expect(await compared()).toEqual([[100_000n, 10_700n, 'Ada']]);
  });

  it('is compared anew on another day and in another fiscal year', async () => {
    await compared();
    today = '2026-07-16';
    await compared();
    await changed('update ledger.accounts set fiscal_year_start_month = 3 where id = $1');
    await compared();
    expect(workedOut).toEqual([1, 1, 1]);
  });
});
