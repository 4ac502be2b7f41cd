/** What the tools make of rows that no fixture has: equal figures, many vendors, and the first and last month of a window. */
import { describe, expect, it } from 'vitest';
import type { FieldValue, RowsOf } from '../../../src/snapshot/read/rows.ts';
import type { Table } from '../../../src/tables/table.ts';
import { fakeApp, FakeSnapshots } from '../fake-parts.ts';
import { rowsOf } from '../given-snapshots.ts';
import { askingOf, type Told } from './questions.ts';

type Row = Readonly<Record<string, FieldValue>>;

/** The rows of the snapshot by table; another table has those of the fake store. */
let tables: Readonly<Record<string, readonly Row[]>> = {};

class WithRows extends FakeSnapshots {
  override async openRows<Of extends Table>(
    account_id: bigint,
    snapshot_id: string,
    table: Of,
  ): Promise<RowsOf<Of>> {
    const rows = tables[table.name];
    if (rows === undefined) return await super.openRows(account_id, snapshot_id, table);
    return rowsOf(table, rows) as RowsOf<Of>; // the tests give values of the columns
  }
}

const unused = () => Promise.reject(new Error('unused'));

const holder = { token_id: 1n, account_id: 7n, user_id: 1n, kind: 'personal' as const };
const { app } = fakeApp({
  snapshots: new WithRows(),
  authenticate: async () => ({ ...holder, api_access: true, reporting_enabled: true }),
});
const asking = askingOf({ app, ask: unused, close: unused, database: undefined as never });

/** Asks the tool as of a snapshot of account 7 with these rows. */
async function ask(tool: string, asked: Record<string, unknown>, given: typeof tables): Promise<Told> {
  tables = given;
  return await asking.call(tool, { snapshot: 'latest', ...asked });
}

/** A month of a vendor's bills: all of it AI, and half of that carried. */
const bill = (vendor_name: string, cents: number, more: Row = {}): Row => ({
  month: '2026-01-01',
  source_kind: 'ai_vendor',
  vendor_name,
  billed_cents: BigInt(cents),
  ai_billed_cents: BigInt(cents),
  booked_cents: BigInt(cents) / 2n,
  ai_booked_cents: BigInt(cents) / 2n,
  ...more,
});

const connection = (connection_id: bigint, name: string | null, cents: number): Row =>
  bill('', cents, {
    source_kind: 'provider_bill',
    connection_id,
    connection_name: name,
    platform: 'openai',
    vendor_name: null,
  });

const told = async (rows: readonly Row[], vendor: string) =>
  (await ask('get_ai_spend', { vendor }, { ai_spend: rows })).text;

describe('get_ai_spend', () => {
  interface Spend {
    readonly billed_cents: number;
    readonly not_carried_cents: number;
    readonly by_vendor: readonly {
      readonly name: string;
      readonly source_kind: string;
      readonly billed_cents: number;
    }[];
    readonly by_month: readonly { readonly month: string }[];
    readonly cards: object;
    readonly has_more: boolean;
  }
  const spend = async (rows: readonly Row[], asked: Record<string, unknown> = {}): Promise<Spend> => {
    const { structured, text } = await ask('get_ai_spend', asked, { ai_spend: rows });
    if (structured === undefined) throw new Error(text);
    return structured as unknown as Spend; // as the tool declares it
  };
  it('adds up the bills of one name, by connections and as a vendor; the highest AI bill first', async () => {
    const { by_vendor } = await spend([
      bill('openai', 10),
      connection(1n, 'openai', 30),
      connection(2n, null, 20),
      connection(1n, 'openai', 5),
      bill('Cloud', 1_000, { ai_billed_cents: 1n, ai_booked_cents: 0n }),
    ]);
    expect(by_vendor.map(({ name, source_kind, billed_cents }) => [name, source_kind, billed_cents])).toEqual(
      [
        ['openai', 'ai_vendor', 65], // as the books spell their vendor
        ['Cloud', 'ai_vendor', 1_000], // the highest bill, the smallest AI part
      ],
    );
  });

  it('reads the usage of a snapshot once, and not for a vendor, which has no models', async () => {
    const opened: string[] = [];
    class Watched extends FakeSnapshots {
      override openRows<Of extends Table>(account_id: bigint, id: string, table: Of): Promise<RowsOf<Of>> {
        opened.push(table.name);
        return super.openRows(account_id, id, table);
      }
    }
    const watched = fakeApp({
      snapshots: new Watched(),
      authenticate: async () => ({ ...holder, api_access: true, reporting_enabled: true }),
    }).app;
    const over = askingOf({ app: watched, ask: unused, close: unused, database: undefined as never });
    const usage = () => opened.filter((name) => name.includes('usage')).length;
    await over.call('get_ai_spend', { snapshot: 'latest', vendor: 'openai' });
    expect(usage()).toBe(0);
    for (const asked of [{}, {}, { window: '1yr' }])
      await over.call('get_ai_spend', { snapshot: 'latest', ...asked });
    expect(usage()).toBe(1);
  });

  it('adds cards to no bill, names no card as a vendor, and leaves them out when a vendor is named', async () => {
    const card: Row = bill('', 99, {
      source_kind: 'card',
      vendor_name: null,
      ai_billed_cents: null,
      ai_booked_cents: null,
    });
    const all = await spend([bill('Mistral', 10), card]);
    expect(all).toMatchObject({
      billed_cents: 10,
      not_carried_cents: 5,
      cards: { billed_cents: 99, booked_cents: 49 },
    });
    expect(all.by_vendor.map(({ name }) => name)).toEqual(['Mistral']);
    expect(await spend([bill('Mistral', 10), card], { vendor: 'MISTR' })).toMatchObject({
      billed_cents: 10,
      cards: { billed_cents: 0, booked_cents: 0 },
    });
  });

  it('shows fifty vendors and says whether there are more, while the sums are of all', async () => {
    const vendors = Array.from({ length: 51 }, (_, at) => bill(`Vendor ${at}`, 100 + at));
    expect(await spend(vendors.slice(0, 50))).toMatchObject({ has_more: false });
    const more = await spend(vendors);
    expect([more.by_vendor.length, more.has_more, more.by_vendor[0]?.name]).toEqual([50, true, 'Vendor 50']);
    expect(more.billed_cents).toBe(51 * 100 + (50 * 51) / 2);
  });

  it('counts the first and the last month of a window, and no month beside them', async () => {
    const months = ['2025-12-01', '2026-01-01', '2026-03-01', '2026-04-01'];
    const rows = months.map((month) => bill('Mistral', 1, { month }));
    const asked = async (window: Record<string, unknown>) =>
      (await spend(rows, window)).by_month.map(({ month }) => month);
    expect(await asked({ window: 'fy2026-q1' })).toEqual(['2026-01-01', '2026-03-01']);
    expect(await asked({ from: '2026-03', through: '2026-04' })).toEqual(['2026-03-01', '2026-04-01']);
    expect(await asked({ through: '2025-12' })).toEqual(['2025-12-01']);
    expect(await asked({})).toEqual(months);
  });

  it('names vendors near a misspelt name, else at most ten, and says when none has a bill', async () => {
    const many = Array.from({ length: 12 }, (_, at) => bill(`Vendor ${at}`, 1));
    const listed = await told([bill('Mistral', 1), bill('Cohere', 1)], 'Mistrel');
    expect([listed.includes('"Mistral"'), listed.includes('"Cohere"')]).toEqual([true, false]);
    expect((await told(many, 'Qqqqqqqqqqqq')).match(/<data>/g)).toHaveLength(10);
    expect(await told([], 'Mistral')).toBe(
      'No vendor of that name has a bill in this window; no vendor has a bill in it.',
    );
  });
});

const amount = (initiative_id: bigint, cents: bigint): Row => ({
  initiative_id,
  currency: 'USD',
  amount_cents: cents,
  usd_amount_cents: cents,
  period_start: 0n,
});

describe('list_initiatives', () => {
  // Changed in this order; of cost and value in cents: none, 5 and 5, 9 and 5, 5 and 9, and again 5 and 9.
  const money: readonly (readonly [id: bigint, cost: bigint, cash: bigint])[] = [
    [1n, 0n, 0n],
    [2n, 5n, 5n],
    [3n, 9n, 5n],
    [4n, 5n, 9n],
    [5n, 5n, 9n],
  ];
  const company = {
    api_initiatives: money.map(([id], at) => ({ id, updated_at: BigInt(at) })),
    initiatives: money.map(([id]) => ({ initiative_id: id, title: `I${id}`, stage: 'live' })),
    costs: money.map(([id, cost]) => ({
      ...amount(id, cost),
      cost_category: 'opex',
      usd_rate_provisional: false,
    })),
    reported_value: money.map(([id, , cash]) => ({ ...amount(id, cash), entry_type: 'savings' })),
  };
  const listed = async (asked: Record<string, unknown>) => {
    const { structured, text } = await ask('list_initiatives', asked, company);
    if (structured === undefined) throw new Error(text);
    return (structured['initiatives'] as readonly { readonly id: number }[]).map(({ id }) => id);
  };

  it('has the latest change first, also among equal figures, and turns each order around', async () => {
    expect(await listed({})).toEqual([5, 4, 3, 2, 1]);
    expect(await listed({ lowest_first: true })).toEqual([1, 2, 3, 4, 5]);
    expect(await listed({ sort: 'cash_value' })).toEqual([5, 4, 3, 2, 1]);
    expect(await listed({ sort: 'cost' })).toEqual([3, 5, 4, 2, 1]);
    expect(await listed({ sort: 'cost', lowest_first: true })).toEqual([1, 5, 4, 2, 3]);
    expect(await listed({ sort: 'net' })).toEqual([5, 4, 2, 1, 3]);
  });

  it('has initiatives without an ROI last in either order', async () => {
    // 4 ÷ 5 twice, 0, −4 ÷ 9; the first has no cost.
    expect(await listed({ sort: 'roi' })).toEqual([5, 4, 2, 3, 1]);
    expect(await listed({ sort: 'roi', lowest_first: true })).toEqual([3, 2, 5, 4, 1]);
  });

  it('calls a cost above its value only if it is higher, and cuts after the filters', async () => {
    expect(await listed({ cost_above_value: true })).toEqual([3]);
    const { structured } = await ask('list_initiatives', { limit: 2, stage: 'live' }, company);
    expect(structured).toMatchObject({ matching: 5, has_more: true });
    expect((await ask('list_initiatives', { limit: 5 }, company)).structured).toMatchObject({
      has_more: false,
    });
  });
});

const entry = (currency: string, cents: bigint, usd: bigint | null, more: Row): Row => ({
  ...amount(101n, cents),
  currency,
  usd_amount_cents: usd,
  ...more,
});

describe('get_roi_summary', () => {
  it('names amounts in no figure in their own currency, and amounts at a provisional rate in dollars', async () => {
    const { text } = await ask(
      'get_roi_summary',
      {},
      {
        costs: [
          entry('EUR', 1_234n, null, { cost_category: 'opex', usd_rate_provisional: false }),
          entry('XAU', 500n, null, { cost_category: 'capex', usd_rate_provisional: false }),
          entry('EUR', 100n, 110n, { cost_category: 'opex', usd_rate_provisional: true }),
        ],
        reported_value: [
          entry('CHF', 700n, null, { entry_type: 'savings' }),
          entry('CHF', 300n, null, { entry_type: 'capacity' }),
        ],
      },
    );
    for (const line of [
      'Not counted, without a dollar figure: cost 12.34 EUR',
      'Not counted, without a dollar figure: cost 5.00 XAU',
      'Not counted, without a dollar figure: cash value 7.00 CHF, freed capacity 3.00 CHF',
      'Of the cost, at a provisional rate: 1.10 USD',
      'Cost: 1.10 USD (capex 0.00 USD, opex 1.10 USD)',
      'Cash value: 0.00 USD',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });
});
