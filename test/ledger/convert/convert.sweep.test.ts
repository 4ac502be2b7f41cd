/**
 * Conversion against a model of its own, in exact fractions: whatever is published, revised, withdrawn, locked and
 * reopened between runs, every entry stands as the model says, and exactly the rows that moved were written.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { divide } from '../../fixtures/dollars.ts';
import { exactCostRate, type ExactRate, publishedRates } from '../../fixtures/exact-rates.ts';
import {
  addCost,
  addValue,
  type Founded,
  foundAccount,
  inAccount,
  lockMonth,
  reopenMonth,
} from '../../support/ledger-rows.ts';
import {
  type ConvertingLedger,
  openConversion,
  standing,
  versions,
  writtenBy,
} from './conversion-harness.ts';

const SEED = 20_260_331;
const TEN_DECIMALS = 10_000_000_000n;

let ledger: ConvertingLedger;
beforeAll(async () => {
  ledger = await openConversion();
});
afterAll(() => ledger.database.drop());

interface Entry {
  readonly table: 'cost_entries' | 'value_entries';
  readonly status: 'approved' | 'reviewed';
  readonly currency: string;
  readonly amount_cents: bigint;
  readonly period_start: string | null;
  readonly period_end: string | null;
  readonly booked_on: string;
}

/** What happens before a run, and the run. */
interface Round {
  readonly publish: readonly (readonly [day: string, currency: string, units: string])[];
  readonly withdraw: string | null;
  readonly lock: string | null;
  readonly reopen: string | null;
  readonly today: string;
  readonly batchRows: number;
}

const day = fc
  .tuple(fc.constantFrom('02', '03'), fc.integer({ min: 1, max: 28 }))
  .map(([month, date]) => `2026-${month}-${String(date).padStart(2, '0')}`);
const currency = fc.constantFrom('EUR', 'GBP', 'CHF');
const units = fc.bigInt({ min: 1n, max: 40_000n }).map((tenThousandths) => {
  const digits = String(tenThousandths).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
});
const entry: fc.Arbitrary<Entry> = fc
  .record({
    table: fc.constantFrom('cost_entries' as const, 'value_entries' as const),
    status: fc.constantFrom('approved' as const, 'reviewed' as const),
    currency,
    amount_cents: fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n }),
    first: fc.option(day, { freq: 4 }),
    last: fc.option(day, { freq: 4 }),
    booked_on: day,
  })
  .map(({ first, last, ...rest }) => {
    const inOrder = first !== null && last !== null && last < first;
    return { ...rest, period_start: first, period_end: inOrder ? first : last };
  });
const published = fc.tuple(day, fc.constantFrom('USD', 'USD', 'USD', 'GBP', 'CHF'), units);
const month = fc.option(fc.constantFrom('2026-02-01', '2026-03-01'), { freq: 1 });
const round: fc.Arbitrary<Round> = fc.record({
  publish: fc.array(published, { minLength: 6, maxLength: 14, size: 'max' }),
  withdraw: fc.option(day, { freq: 1 }),
  lock: month,
  reopen: month,
  today: fc.oneof(day, fc.constant('2026-04-01')),
  batchRows: fc.integer({ min: 1, max: 4 }),
});

/** What the model keeps: rates by day and currency, closed months, and each entry's rate. */
interface Model {
  readonly rates: Map<string, { day: string; currency: string; units_per_euro: string }>;
  readonly locked: Set<string>;
  /** By the entry's place. */
  kept: readonly ExactRate[];
}

/** The rate that a run on that day gives the entry, or the one it keeps. */
function modelRate(model: Model, each: Entry, kept: ExactRate, today: string): ExactRate {
  const isCost = each.table === 'cost_entries';
  const dated = isCost ? (each.period_start ?? each.booked_on) : each.period_start;
  const isLocked = dated !== null && model.locked.has(`${dated.slice(0, 7)}-01`);
  if (isLocked && (isCost || each.status === 'approved')) return kept;
  const rate = exactCostRate(publishedRates([...model.rates.values()]), each.currency, each, today);
  if (isCost) return rate;
  return each.period_start === null || rate?.[3] === true ? null : rate;
}

function stated({ amount_cents }: Entry, rate: ExactRate): string {
  if (rate === null) return 'nothing';
  const [text, from, through, provisional] = rate;
  const dollars = divide(amount_cents * BigInt(text.replace('.', '')), TEN_DECIMALS);
  return `${dollars} at ${text.replace(/\.?0+$/, '')}, ${from}..${through}${provisional ? ', provisional' : ''}`;
}

/** Does to ledger and model what happens before a run. */
async function prepare(
  model: Model,
  account: bigint,
  { publish, withdraw, lock, reopen }: Round,
): Promise<void> {
  for (const [on, of, units_per_euro] of publish) {
    await ledger.publish(`${on} ${of} ${units_per_euro}`);
    model.rates.set(`${on} ${of}`, { day: on, currency: of, units_per_euro });
  }
  if (withdraw !== null) {
    await ledger.withdraw(withdraw);
    for (const key of model.rates.keys()) if (key.startsWith(withdraw)) model.rates.delete(key);
  }
  if (lock !== null) {
    await lockMonth(ledger.owner, account, lock);
    model.locked.add(lock);
  }
  if (reopen !== null) {
    await reopenMonth(ledger.owner, account, reopen);
    model.locked.delete(reopen);
  }
}

async function addEntry(home: Founded, { table, status, booked_on, ...row }: Entry): Promise<bigint> {
  return table === 'cost_entries'
    ? await addCost(ledger.owner, home, { ...row, created_at: `${booked_on} 12:00Z` })
    : await addValue(ledger.owner, home, { ...row, status });
}

async function standings(entries: readonly Entry[], ids: readonly bigint[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [at, { table }] of entries.entries()) {
    found.push(await standing(ledger.owner, table, ids[at] ?? 0n));
  }
  return found;
}

it('a conversion gives every entry the rate of exact fractions, and writes nothing else', async () => {
  const { owner } = ledger;
  let converted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { minLength: 4, maxLength: 8 }),
      fc.array(round, { minLength: 2, maxLength: 6 }),
      async (entries, rounds) => {
        await owner.query('truncate ledger.euro_reference_rates');
        const home = await foundAccount(owner);
        const ids = await inAccount(owner, home.account, async () => {
          const added: bigint[] = [];
          for (const each of entries) added.push(await addEntry(home, each));
          return added;
        });
        const model: Model = { rates: new Map(), locked: new Set(), kept: entries.map(() => null) };
        for (const each of rounds) {
          await prepare(model, home.account, each);
          const before = await standings(entries, ids);
          const run = await ledger.run(home.account, each.today, { batchRows: each.batchRows });
          // Without any rate of the dollar a run leaves everything as it is.
          if ([...model.rates.values()].some((rate) => rate.currency === 'USD' && rate.day <= each.today)) {
            model.kept = entries.map((of, at) => modelRate(model, of, model.kept[at] ?? null, each.today));
          }
          const expected = entries.map((of, at) => stated(of, model.kept[at] ?? null));
          expect(await standings(entries, ids)).toEqual(expected);
          expect(writtenBy(run)).toBe(expected.filter((text, at) => text !== before[at]).length);
          const after = await versions(owner, home.account, 'cost_entries');
          expect(writtenBy(await ledger.run(home.account, each.today))).toBe(0);
          expect(await versions(owner, home.account, 'cost_entries')).toBe(after);
          converted += expected.filter((text) => text !== 'nothing').length;
        }
      },
    ),
    { seed: SEED, numRuns: 30, endOnFailure: true },
  );
  // A model that agrees on nothing proves nothing.
  expect(converted).toBeGreaterThan(150);
});
