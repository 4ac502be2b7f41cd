/** The models in get_ai_spend as of a snapshot: what was used of each in one currency and unit, and list prices by currency. */
import { expect, it } from 'vitest';
import type { FieldValue, RowsOf } from '../../../src/snapshot/read/rows.ts';
import { COMPANIONS } from '../../../src/tables/companions.ts';
import type { Table } from '../../../src/tables/table.ts';
import { fakeApp, FakeSnapshots } from '../fake-parts.ts';
import { rowsOf } from '../given-snapshots.ts';
import { askingOf } from '../assistant/questions.ts';

type Row = Readonly<Record<string, FieldValue>>;

/** What was used of gpt-5 in a month, at its list price. */
const used = (currency: string, unit: string, cents: number, more: Row = {}): Row => ({
  month: '2026-01-01',
  currency,
  unit,
  model: 'gpt-5',
  recorded: true,
  is_ai: true,
  cost_class: 'usage',
  quantity: '10',
  cost_cents: BigInt(cents),
  billed_cost: String(cents / 100),
  list_cost: String(cents / 100),
  priced_cost: String(cents / 100),
  ...more,
});

/** Snapshots with these sums of usage. */
class WithUsage extends FakeSnapshots {
  readonly #usage: readonly Row[];

  constructor(usage: readonly Row[]) {
    super();
    this.#usage = usage;
  }

  override async openRows<Of extends Table>(account: bigint, id: string, table: Of): Promise<RowsOf<Of>> {
    if (table.name !== COMPANIONS.usage_sums.name) return await super.openRows(account, id, table);
    return rowsOf(table, this.#usage) as RowsOf<Of>; // the tests give values of the columns
  }
}

const unused = () => Promise.reject(new Error('unused'));

type Rows = readonly Readonly<Record<string, unknown>>[];

async function spend(usage: readonly Row[], window: Record<string, unknown> = {}) {
  const { app } = fakeApp({
    snapshots: new WithUsage(usage),
    authenticate: async () => ({
      token_id: 1n,
      account_id: 7n,
      user_id: 1n,
      kind: 'personal',
      api_access: true,
      reporting_enabled: true,
    }),
  });
  const asking = askingOf({ app, ask: unused, close: unused, database: undefined as never });
  const { structured, text } = await asking.call('get_ai_spend', { snapshot: 'latest', ...window });
  if (structured === undefined) throw new Error(text);
  return structured as unknown as { by_model: Rows; list_prices: Rows }; // as the tool declares it
}

const USAGE: readonly Row[] = [
  used('USD', 'input_tokens', 300),
  used('EUR', 'input_tokens', 500),
  used('USD', 'input_tokens', 400, { month: '2026-02-01' }),
  used('USD', 'output_tokens', 200),
  used('USD', 'input_tokens', 100, { recorded: false, quantity: null }),
  used('USD', 'input_tokens', 9_000, { is_ai: false }),
];
const lines = (models: Rows): readonly string[] =>
  models.map(({ currency, unit, recorded, quantity, cost_cents }) =>
    [currency, unit, recorded === true ? 'recorded' : 'not recorded', quantity, cost_cents].join(' '),
  );

it('a model has a sum for each currency and unit, the highest cost first, and unrecorded use apart', async () => {
  const { by_model, list_prices } = await spend(USAGE);
  expect(lines(by_model)).toEqual([
    'USD input_tokens recorded 20 700', // 300 in January and 400 in February
    'EUR input_tokens recorded 10 500',
    'USD output_tokens recorded 10 200',
    'USD input_tokens not recorded  100',
  ]);
  expect(by_model[0]?.['unit_cost']).toBeCloseTo(0.35, 12); // 7 dollars for 20
  expect(list_prices.map(({ currency, list_cost_cents }) => [currency, list_cost_cents])).toEqual([
    ['EUR', 500],
    ['USD', 1_000], // 300 + 400 + 200 + 100
  ]);
});

it('models are those of the months of the window, at most fifty', async () => {
  const { by_model } = await spend(USAGE, { from: '2026-02', through: '2026-02' });
  expect(lines(by_model)).toEqual(['USD input_tokens recorded 10 400']);
  const many = Array.from({ length: 51 }, (_, at) => used('USD', 'tokens', at + 1, { model: `m${at}` }));
  const models = (await spend(many)).by_model;
  expect([models.length, models[0]?.['name'], models.at(-1)?.['name']]).toEqual([50, 'm50', 'm1']);
});
