/** Random bills, loaded and replaced, against sums of another program: whole numbers by key, without a line of the loader. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { exact, listDifference } from '../../../src/figures/usage.ts';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { company, loadFiles } from '../load/folder.ts';
import { type Charge, charges, csv } from './bills.ts';

const LOADS = 10;
const BILLS = 50;
const ACCOUNT = 71;
const LISTED = 72;
let database: TestDatabase;
let pool: Pool;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('cf_owner', 1);
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-random-usage-'));
  await loadFiles(database.url('cf_owner'), company(ACCOUNT));
  await loadFiles(database.url('cf_owner'), company(LISTED));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

let seed = 20_261_127;
const next = (below: number): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
};

/** A charge with a cost in millionths of a dollar. */
interface Drawn {
  readonly day: number;
  readonly model: string;
  readonly output: boolean;
  readonly initiative: string | null;
  readonly tokens: number;
  readonly millionths: number;
}

const drawn = (): Drawn => ({
  day: 1 + next(3),
  model: `m${next(3)}`,
  output: next(2) === 0,
  initiative: [null, 'Invoices', 'Support'][next(3)] ?? null,
  tokens: next(1_000),
  millionths: next(2_000_000) - 300_000,
});

const decimal = (millionths: number): string => {
  const digits = String(Math.abs(millionths)).padStart(7, '0');
  return `${millionths < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

const charged = (account: string, { day, model, output, initiative, tokens, millionths }: Drawn): Charge => ({
  BillingAccountId: account,
  BilledCost: decimal(millionths),
  ChargePeriodStart: `2026-10-0${day}T0${next(10)}:00:00Z`,
  ChargePeriodEnd: `2026-10-0${day + 1}T00:00:00Z`,
  ConsumedQuantity: String(tokens),
  ConsumedUnit: 'Tokens',
  SkuMeter: output ? 'Output Tokens' : 'Input Tokens',
  SkuPriceDetails: JSON.stringify({ ModelId: model }),
  Tags: JSON.stringify(initiative === null ? {} : { initiative }),
});

async function loadBills(account: number, rows: readonly Charge[]): Promise<void> {
  const path = join(folder, 'bill.csv');
  await writeFile(path, csv(charges(...rows)));
  await loadFocus({
    url: database.url('cf_owner'),
    paths: [path],
    account: BigInt(account),
    isOwnSnapshot: async () => await Promise.resolve(false),
  });
}

function expectedOf(account: string, bill: readonly Drawn[]): readonly string[] {
  const sums = new Map<string, { tokens: number; millionths: number }>();
  for (const { day, model, output, initiative, tokens, millionths } of bill) {
    const key = `${account} ${day} ${initiative ?? '-'} ${model} ${output ? 'output_tokens' : 'input_tokens'}`;
    const sum = sums.get(key) ?? { tokens: 0, millionths: 0 };
    sums.set(key, { tokens: sum.tokens + tokens, millionths: sum.millionths + millionths });
  }
  return [...sums].map(([key, { tokens, millionths }]) => `${key} ${tokens} ${millionths}`).toSorted();
}

describe('random bills', () => {
  it(`${LOADS * BILLS} of them have the sums of another program after each load, and cents that add up`, async () => {
    for (let round = 0; round < LOADS; round += 1) {
      // Each load replaces the bills of the load before.
      const bills = Array.from(
        { length: BILLS },
        (_, index) => [`acc-${index}`, Array.from({ length: 1 + next(12) }, drawn)] as const,
      );
      await loadBills(
        ACCOUNT,
        bills.flatMap(([account, bill]) => bill.map((each) => charged(account, each))),
      );
      const { rows: used } = await pool.query<{ line: string; cents: number; cost: number }>(
        `select concat_ws(' ', n.external_account_id, extract(day from u.used_on), coalesce(i.title, '-'), u.model, u.unit,
            trim_scale(u.quantity), trim_scale(u.billed_cost * 1000000)) as line, a.cost_cents::int as cents,
            (u.billed_cost * 1000000)::int as cost
          from reporting.ai_usage a
          left join ledger.usage u on u.account_id = a.account_id and u.id = a.id
          left join ledger.connections n on n.account_id = a.account_id and n.id = a.connection_id
          left join ledger.initiatives i on i.account_id = u.account_id and i.id = u.initiative_id
          where a.account_id = ${ACCOUNT}`,
      );
      const expected = bills.flatMap(([account, bill]) => expectedOf(account, bill)).toSorted();
      expect(used.map(({ line }) => line).toSorted()).toEqual(expected);
      // Each row has its cents rounded down or up, and all have the cents of the files.
      for (const { cents, cost } of used) expect(Math.abs(cents * 10_000 - cost)).toBeLessThan(10_000);
      const total = bills.flatMap(([, bill]) => bill).reduce((sum, { millionths }) => sum + millionths, 0);
      const billed = Math.sign(total) * Math.round(Math.abs(total) / 10_000);
      expect(used.reduce((sum, { cents }) => sum + cents, 0)).toBe(billed);
    }
  });
});

const CLASSED = {
  usage: {},
  commitment: { CommitmentDiscountId: 'plan-1' },
  credit: { ChargeCategory: 'Credit' },
  tax: { ChargeCategory: 'Tax' },
  correction: { ChargeClass: 'Correction' },
} as const;
type Class = keyof typeof CLASSED;

/** A charge with a list cost and, mostly, a list price; costs and prices in millionths. */
interface Listed {
  readonly cost_class: Class;
  readonly day: number;
  readonly tokens: number;
  readonly price: number | null;
  readonly list: number;
}

const listed = (): Listed => {
  const cost_class = (Object.keys(CLASSED) as Class[])[next(5)] ?? 'usage';
  const [tokens, price] = [next(500), next(4_000)];
  // Near what the tokens cost at the list price, or far from it.
  const list = tokens * price + (next(2) === 0 ? next(3) - 1 : next(900_000) - 450_000);
  return { cost_class, day: 1 + next(3), tokens, price: next(5) === 0 ? null : price, list };
};

const listedCharge = (account: string, { cost_class, day, tokens, price, list }: Listed): Charge => ({
  BillingAccountId: account,
  BilledCost: decimal(list),
  ListCost: decimal(list),
  ListUnitPrice: price === null ? null : decimal(price),
  PricingQuantity: String(tokens),
  ConsumedQuantity: String(tokens),
  ConsumedUnit: 'Tokens',
  ChargePeriodStart: `2026-10-0${day}T00:00:00Z`,
  ChargePeriodEnd: `2026-10-0${day + 1}T00:00:00Z`,
  CommitmentDiscountId: null,
  ...CLASSED[cost_class],
});

/** By class of cost of a bill: list cost less tokens times price, and what is not compared; in millionths. */
function differencesOf(account: string, bill: readonly Listed[]): readonly string[] {
  const rows = new Map<string, { list: number; priced: number; isPriced: boolean }>();
  for (const { cost_class, day, tokens, price, list } of bill) {
    const row = rows.get(`${cost_class} ${day}`) ?? { list: 0, priced: 0, isPriced: true };
    rows.set(`${cost_class} ${day}`, row);
    row.list += list;
    row.priced += tokens * (price ?? 0);
    row.isPriced &&= price !== null;
  }
  const sums = new Map<string, { difference: number; apart: number }>();
  for (const [key, { list, priced, isPriced }] of rows) {
    const [cost_class = ''] = key.split(' ');
    const sum = sums.get(cost_class) ?? { difference: 0, apart: 0 };
    sums.set(cost_class, sum);
    if (isPriced) sum.difference += list - priced;
    else if (['credit', 'tax', 'correction'].includes(cost_class)) sum.difference += list;
    else sum.apart += list;
  }
  return [...sums].map(([name, { difference, apart }]) => `${account} ${name} ${difference} ${apart}`);
}

describe('list costs of random bills', () => {
  it(`${LOADS * BILLS} of them differ from tokens times list price, by bill and class, as another program says`, async () => {
    for (let round = 0; round < LOADS; round += 1) {
      const bills = Array.from(
        { length: BILLS },
        (_, index) => [`acc-${index}`, Array.from({ length: 1 + next(12) }, listed)] as const,
      );
      await loadBills(
        LISTED,
        bills.flatMap(([account, bill]) => bill.map((each) => listedCharge(account, each))),
      );
      const { rows } = await pool.query<{
        account: string;
        cost_class: string;
        list_cost: string | null;
        priced_cost: string | null;
        billed_cost: string | null;
      }>(
        `select n.external_account_id as account, a.cost_class, a.list_cost, a.priced_cost, a.billed_cost
         from reporting.ai_usage a
         join ledger.connections n on n.account_id = a.account_id and n.id = a.connection_id
         where a.account_id = ${LISTED} and a.recorded`,
      );
      const sums = new Map<string, { difference: bigint; apart: bigint }>();
      for (const row of rows) {
        const key = `${row.account} ${row.cost_class}`;
        const sum = sums.get(key) ?? { difference: 0n, apart: 0n };
        sums.set(key, sum);
        const difference = listDifference(row);
        if (difference === null) sum.apart += exact(row.billed_cost ?? '0');
        else sum.difference += exact(difference);
      }
      const millionth = exact('0.000001');
      const found = [...sums].map(
        ([key, { difference, apart }]) => `${key} ${difference / millionth} ${apart / millionth}`,
      );
      const expected = bills.flatMap(([account, bill]) => differencesOf(account, bill));
      expect(found.toSorted()).toEqual(expected.toSorted());
    }
  });
});
