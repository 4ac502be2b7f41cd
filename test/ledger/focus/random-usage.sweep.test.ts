/** Random bills, loaded and replaced, against sums of another program: whole numbers by key, without a line of the loader. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { company, loadFiles } from '../load/folder.ts';
import { type Charge, charges, csv } from './bills.ts';

const LOADS = 10;
const BILLS = 50;
const ACCOUNT = 71;
let database: TestDatabase;
let pool: Pool;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('cf_owner', 1);
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-random-usage-'));
  await loadFiles(database.url('cf_owner'), company(ACCOUNT));
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
      const path = join(folder, 'bill.csv');
      const rows = bills.flatMap(([account, bill]) => bill.map((each) => charged(account, each)));
      await writeFile(path, csv(charges(...rows)));
      await loadFocus({
        url: database.url('cf_owner'),
        paths: [path],
        account: BigInt(ACCOUNT),
        isOwnSnapshot: async () => await Promise.resolve(false),
      });
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
